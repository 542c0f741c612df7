// A control system for safety injection: when the water pressure is too low, coolant is injected,
// unless the operator has blocked that. After the specification in the appendix of Gargantini and
// Riccobene, "ASM-based testing", 2001.
asm safety_injection

import StandardLibrary

signature:
	enum domain Switch = {off | on}
	enum domain Mode = {TooLow | Normal | High}
	domain Pressure subsetof Integer
	monitored block: Switch
	monitored reset: Switch
	monitored waterPressure: Pressure
	controlled pressure: Mode
	controlled overridden: Boolean
	out safetyInjection: Switch
	static low: Pressure
	static permit: Pressure

definitions:
	domain Pressure = {0 : 2000}

	function low = 900
	function permit = 1000

	rule r_1 =
		if waterPressure >= low and pressure = TooLow then
			pressure := Normal
		endif

	rule r_2 =
		if waterPressure >= permit and pressure = Normal then
			par
				pressure := High
				overridden := false
			endpar
		endif

	rule r_3 =
		if waterPressure < low and pressure = Normal then
			pressure := TooLow
		endif

	rule r_4 =
		if waterPressure < permit and pressure = High then
			par
				pressure := Normal
				overridden := false
			endpar
		endif

	rule r_5 =
		if reset = on and (pressure = TooLow or pressure = Normal) then
			overridden := false
		endif

	rule r_6 =
		if block = on and reset = off and pressure = TooLow then
			overridden := true
		endif

	rule r_7_8 =
		if pressure = TooLow then
			if overridden then
				safetyInjection := off
			else
				safetyInjection := on
			endif
		endif

	rule r_9 =
		if pressure != TooLow then
			safetyInjection := off
		endif

	main rule r_Main =
		par
			r_1[]
			r_2[]
			r_3[]
			r_4[]
			r_5[]
			r_6[]
			r_7_8[]
			r_9[]
		endpar

default init s0:
	function pressure = TooLow
	function overridden = false
	function safetyInjection = on
