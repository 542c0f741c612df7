asm all
import StandardLibrary
import CTLLibrary
signature:
	enum domain Color = {RED | GREEN}
	abstract domain Person
	domain Small subsetof Integer
	dynamic monitored go: Boolean
	monitored pair: Prod(Small, Color)
	controlled level: Small
	controlled color: Person -> Color
	dynamic shared common: Powerset(Color)
	derived twice: Small -> Integer
	static ann: Person
definitions:
	domain Small = {0 : 3}
	function twice($x in Small) = $x + $x
	macro rule r_up($s in Small) = if $s < 3 then level := $s + 1 endif
	rule r_seq = seq level := 0 skip endseq
	CTLSPEC ag(level <= 3 implies ef(go))
	invariant inv_a over level: level >= 0
	main rule r_Main =
		par
			if go then r_up[level] else r_seq[] endif
			forall $p in Person with color($p) = RED do color($p) := GREEN
			choose $c in Color with $c != RED do color(ann) := $c
			let ($y = first(pair)) in skip endlet
			switch level case 0: skip case 1: skip otherwise skip endswitch
		endpar
default init s0:
	function level = 0
	function color($p in Person) = RED
	function common = {}
