// An XState actor that is driven step by step: `send` sends an event, lets time pass or lets an invoked actor report.
// Its clock stands still between steps, and guards and actors are mocks. It needs the package `xstate`, version 5.

import { createActor, createMachine } from "xstate";

// Number of microsteps after which an event is taken for endless.
const MAX_MICROSTEPS = 10_000;

/** A clock that moves only to the next delayed event. Events that are due at the same time come one after the other. */
class StepClock {
  #now = 0;
  #timers = new Map();
  #last = 0;
  /** The event that is being scheduled. */
  label = () => undefined;

  setTimeout(run, delay) {
    this.#timers.set(++this.#last, { at: this.#now + delay, run, event: this.label() });
    return this.#last;
  }

  clearTimeout(id) {
    this.#timers.delete(id);
  }

  /** The events that are due next, in the order in which they come. */
  due() {
    const first = Math.min(...[...this.#timers.values()].map((timer) => timer.at));
    return [...this.#timers.values()].filter((timer) => timer.at === first).map((timer) => timer.event);
  }

  /** Advances to the first delayed event with this name, or to the next event if there is no name. */
  advance(event) {
    const candidates = [...this.#timers].filter(([, timer]) => event === undefined || timer.event === event);
    if (candidates.length === 0) throw new Error(`no event ${event ?? ""} is delayed`);
    const [id, timer] = candidates.reduce((best, next) => (next[1].at < best[1].at ? next : best));
    this.#timers.delete(id);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }
}

/** An actor that reports what it is told to report. */
const mock = {
  getInitialSnapshot: () => ({ status: "active", output: undefined, error: undefined, context: undefined }),
  getPersistedSnapshot: (snapshot) => snapshot,
  transition: (snapshot, { type, data }) => {
    if (type === "done") return { ...snapshot, status: "done", output: data };
    if (type === "error") return { ...snapshot, status: "error", error: data };
    return type === "snapshot" ? { ...snapshot, context: data } : snapshot;
  },
};

/** The machine that a module exports, or that a JSON file describes. */
export function machineOf(source, name) {
  if (name !== undefined) return source[name];
  const found = [source, ...Object.values(source)].find((value) => typeof value?.provide === "function");
  if (found !== undefined) return found;
  const config = source.default ?? source;
  if (config.states === undefined) throw new Error("the module exports no machine");
  return createMachine(config);
}

/** The configuration with a mock for every actor whose logic is written in place, and the names of all others. */
function withMocks(config, names) {
  const invoked = (invoke) => {
    if (typeof invoke.src === "string") names.add(invoke.src);
    return typeof invoke.src === "string" ? invoke : { ...invoke, src: mock };
  };
  const mapped = { ...config };
  if (Array.isArray(config.invoke)) mapped.invoke = config.invoke.map(invoked);
  else if (config.invoke !== undefined) mapped.invoke = invoked(config.invoke);
  if (config.states !== undefined) {
    mapped.states = Object.fromEntries(Object.entries(config.states).map(([key, state]) => [key, withMocks(state, names)]));
  }
  return mapped;
}

export class Chart {
  #given = {};

  /** Starts an actor. `guards` are the names of the guards that the test controls; they do not hold until it says so. */
  constructor(source, { guards = [], given = {}, input, name } = {}) {
    const original = machineOf(source, name);
    const actors = new Set();
    const config = withMocks(original.config, actors);
    this.#given = { ...given };
    this.machine = createMachine(config, original.implementations).provide({
      guards: Object.fromEntries(guards.map((guard) => [guard, () => this.#given[guard] ?? false])),
      actors: Object.fromEntries([...actors].map((actor) => [actor, mock])),
    });
    this.clock = new StepClock();
    let microsteps = 0;
    this.actor = createActor(this.machine, {
      clock: this.clock,
      input,
      inspect: ({ type }) => {
        if (type === "@xstate.event") microsteps = 0;
        if (type === "@xstate.microstep" && ++microsteps > MAX_MICROSTEPS) throw new Error("this step does not end");
      },
    });
    const scheduled = () => Object.values(this.actor.system.getSnapshot()._scheduledEvents);
    this.clock.label = () => scheduled().at(-1)?.event.type;
    this.actor.subscribe({ error: (error) => (this.error = error) });
    this.actor.start();
  }

  get snapshot() {
    return this.actor.getSnapshot();
  }

  /** Says which guards hold from now on. */
  given(guards) {
    this.#given = { ...this.#given, ...guards };
  }

  /** Lets an event happen: a delayed one, one of an invoked actor, or one from outside. */
  send(type, data) {
    const actor = /^xstate\.(done|error|snapshot)\.actor\.(.*)$|^xstate\.(snapshot)\.(.*)$/.exec(type);
    if (type.startsWith("xstate.after.")) return this.clock.advance(type);
    if (actor === null) return this.actor.send({ type, ...data });
    const [kind, id] = [actor[1] ?? actor[3], actor[2] ?? actor[4]];
    const child = this.snapshot.children[id];
    if (child === undefined) throw new Error(`no actor ${id} is invoked`);
    child.send({ type: kind, data });
  }

  /** The paths of all active states. */
  active() {
    return this.snapshot._nodes.filter((node) => node.path.length > 0).map((node) => node.path.join("."));
  }
}
