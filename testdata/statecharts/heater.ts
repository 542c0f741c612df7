import { createMachine, assign } from 'xstate';

const config = {
  MIN: 18,
  MAX: 22,
  STEP: 1,
} as const;

const clampTemp = (t: number) => (t < config.MIN ? config.MIN : t > config.MAX ? config.MAX : t);

const increase = assign<{ temp: number; unit: string }, any, any, any, any>({ temp: ({ context }) => clampTemp(context.temp + config.STEP) });
const decrease = assign({ temp: ({ context }: { context: { temp: number } }) => clampTemp(context.temp - config.STEP) });

const heating = { on: { TICK: { actions: increase } }, always: { target: 'idle', guard: ({ context }) => context.temp >= config.MAX } };

export default createMachine({
  id: 'thermo',
  context: { temp: 20, unit: 'C', mode: null as null | 'auto' | 'manual' },
  initial: 'off',
  states: {
    off: { on: { POWER: 'on' } },
    on: {
      initial: 'idle',
      states: { idle: { on: { HEAT: { target: 'heating', guard: ({ context }) => context.temp < config.MAX }, COOL: 'cooling' } }, heating, cooling: { on: { TICK: { actions: [decrease] } }, always: { target: 'idle', guard: ({ context }) => !(context.temp > config.MIN) } } },
      on: {
        POWER: { target: 'off', actions: assign({ mode: null }) },
        AUTO: { actions: assign({ mode: 'auto' as const }) },
        MANUAL: { actions: assign({ mode: () => 'manual' as const }), guard: ({ context }) => (context.mode ?? 'auto') === 'auto' },
      },
    },
  },
});
