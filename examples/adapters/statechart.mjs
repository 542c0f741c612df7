// An XState actor that is driven step by step: `send` sends an event, lets time pass or lets an invoked actor report.
// Its clock stands still between steps, and guards and actors are mocks. It needs the package `xstate`, version 5.

import { assign, createActor, createMachine } from "xstate";

// Number of microsteps after which an event is taken for endless.
const MAX_MICROSTEPS = 10_000;

/** A clock that moves only to the next delayed event. Events that are due at the same time come in the order of their start. */
class StepClock {
  #now = 0;
  #timers = new Map();
  #last = 0;
  /** The event that is being scheduled; nothing if it is one of another actor, for which time stands still. */
  label = () => undefined;

  setTimeout(run, delay) {
    this.#timers.set(++this.#last, { at: this.#now + delay, run, event: this.label() });
    return this.#last;
  }

  clearTimeout(id) {
    this.#timers.delete(id);
  }

  /** The delayed events. */
  get waiting() {
    return [...this.#timers.values()].map((timer) => timer.event).filter((event) => event !== undefined);
  }

  /** Ends the delay of the first event with this name, without a lapse of time. */
  end(event) {
    const [id, timer] = [...this.#timers].find(([, timer]) => timer.event === event) ?? [];
    if (timer === undefined) throw new Error(`${event} is not scheduled`);
    this.#timers.delete(id);
    timer.run();
  }

  /** Advances to the next events with a delay that is not computed. The first of them has to be this one. */
  advance(event, isComputed) {
    const fixed = [...this.#timers].filter(([, timer]) => timer.event !== undefined && !isComputed(timer.event));
    const at = Math.min(...fixed.map(([, timer]) => timer.at));
    const due = fixed.filter(([, timer]) => timer.at === at);
    if (!fixed.some(([, timer]) => timer.event === event)) throw new Error(`${event} is not scheduled`);
    if (due[0][1].event !== event) throw new Error(`${due[0][1].event} comes before ${event}`);
    this.#now = at;
    for (const [id, timer] of due) {
      // An event before it may have cancelled it.
      if (this.#timers.delete(id)) timer.run();
    }
  }
}

/** Stands for what tests do not say, such as the data of an event: its members are the same again, and it converts to nothing. */
const anything = new Proxy(function () {}, {
  get(_, key) {
    if (key === Symbol.toPrimitive) return (hint) => (hint === "number" ? 0 : "");
    if (key === Symbol.iterator) return function* () {};
    if (key === "then") return undefined;
    return key === "length" ? 0 : anything;
  },
  apply: () => anything,
  construct: () => anything,
});

/** An event whose data, as far as a test does not say them, are anything. */
const eventOf = (type, data) =>
  new Proxy({ type, ...data }, { get: (event, key) => (key in event || typeof key === "symbol" ? event[key] : anything) });

/** An actor that reports what it is told to report. */
const mock = {
  getInitialSnapshot: () => ({ status: "active", output: undefined, error: undefined, context: anything }),
  getPersistedSnapshot: (snapshot) => snapshot,
  transition: (snapshot, { type, data = anything }) => {
    if (type === "done") return { ...snapshot, status: "done", output: data };
    if (type === "error") return { ...snapshot, status: "error", error: data };
    if (type === "xstate.stop") return { ...snapshot, status: "stopped" };
    return type === "snapshot" ? { ...snapshot, context: data } : snapshot;
  },
};

/** A value as tests have it: lists, objects, `null` and `undefined` have names. */
function plain(value) {
  if (typeof value === "object" && value !== null) return nameOf(value);
  if (value === null || value === undefined) return String(value);
  return value === "null" || value === "undefined" ? `'${value}'` : value;
}

/** The name of a value, also inside of lists and objects. Different values have different names. */
function nameOf(value) {
  if (Array.isArray(value)) return `[${value.map(nameOf).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([key, inner]) => `${key}:${nameOf(inner)}`).join(",")}}`;
  }
  const isOther = typeof value === "string" && /^(undefined|null|true|false|[{['].*|[+-]?\d+)$/s.test(value);
  return isOther ? `'${value}'` : String(value);
}

/** The machine that a module exports, or that a JSON file describes. */
export function machineOf(source, name) {
  if (name !== undefined) return source[name];
  const sorted = (object) => Object.keys(object).sort().map((key) => object[key]);
  const exported = [source, source.default, ...sorted(source), ...sorted(source.default ?? {})];
  const isMachine = (value) => typeof value?.provide === "function";
  const found = exported.find(isMachine);
  if (found !== undefined) return found;
  // A function may make it.
  const makers = exported.filter((value) => typeof value === "function" && /machine/i.test(value.name));
  for (const make of makers) {
    const made = make(anything);
    if (isMachine(made)) return made;
  }
  const config = source.default ?? source;
  if (config.states === undefined) throw new Error("the module exports no machine");
  return createMachine(config, implementationsOf(config["x-specwright"] ?? {}));
}

/** The guards and actions that a JSON configuration defines under `x-specwright`. */
function implementationsOf({ guards = {}, actions = {} }) {
  const read = (code) => (typeof code === "string" ? new Function("context", `return (${code});`) : () => code);
  const put = (object, [key, ...rest], value) => ({ ...object, [key]: rest.length > 0 ? put(object[key], rest, value) : value });
  const each = (all, make) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, make(value)]));
  return {
    guards: each(guards, (code) => ({ context }) => read(code)(context)),
    actions: each(actions, (assigned) =>
      assign(({ context }) =>
        Object.entries(assigned).reduce((next, [key, code]) => put(next, key.split("."), read(code)(context)), context),
      ),
    ),
  };
}

/** Actions without those that are plain functions: what they do outside of the chart is not part of a test. */
const withoutEffects = (actions) => (Array.isArray(actions) ? actions.filter((action) => !isEffect(action)) : isEffect(actions) ? [] : actions);
const isEffect = (action) => typeof action === "function" && !("resolve" in action);

/**
 * The configuration with a mock for every actor whose logic is written in place, and with guards that a test controls by
 * their places, such as `form.SUBMIT` or `form.SUBMIT.2`. Collects the names of all other actors.
 */
function withMocks(config, actors, control, machine = config.id ?? "(machine)", path = []) {
  const controlled = (transitions, ...label) => {
    const place = [...path, ...label].join(".");
    const one = (transition, index) => {
      const guard = control(index === 0 ? place : `${place}.${index + 1}`);
      if (typeof transition !== "object" || transition === null) return transition;
      const mapped = transition.guard === undefined || guard === undefined ? { ...transition } : { ...transition, guard };
      if (mapped.actions !== undefined) mapped.actions = withoutEffects(mapped.actions);
      return mapped;
    };
    return Array.isArray(transitions) ? transitions.map(one) : one(transitions, 0);
  };
  const each = (events, ...label) =>
    Object.fromEntries(Object.entries(events).map(([event, transitions]) => [event, controlled(transitions, ...label, event)]));
  const invoked = (invoke, index) => {
    if (typeof invoke.src === "string") actors.add(invoke.src);
    // XState numbers the actors of a state that have no id.
    const id = invoke.id ?? `${index}.${config.id ?? [machine, ...path].join(".")}`;
    // A mock has no input.
    const mapped = { ...invoke, src: typeof invoke.src === "string" ? invoke.src : mock, input: undefined };
    for (const [key, label] of [["onDone", "done"], ["onError", "error"], ["onSnapshot", "snapshot"]]) {
      if (invoke[key] !== undefined) mapped[key] = controlled(invoke[key], label, id);
    }
    return mapped;
  };
  const mapped = { ...config };
  if (config.entry !== undefined) mapped.entry = withoutEffects(config.entry);
  if (config.initial?.actions !== undefined) mapped.initial = { ...config.initial, actions: withoutEffects(config.initial.actions) };
  if (config.exit !== undefined) mapped.exit = withoutEffects(config.exit);
  if (config.on !== undefined) mapped.on = each(config.on);
  if (config.after !== undefined) mapped.after = each(config.after, "after");
  if (config.always !== undefined) mapped.always = controlled(config.always, "always");
  if (config.onDone !== undefined) mapped.onDone = controlled(config.onDone, "done");
  if (Array.isArray(config.invoke)) mapped.invoke = config.invoke.map(invoked);
  else if (config.invoke !== undefined) mapped.invoke = invoked(config.invoke, 0);
  if (config.states !== undefined) {
    mapped.states = Object.fromEntries(
      Object.entries(config.states).map(([key, state]) => [key, withMocks(state, actors, control, machine, [...path, key])]),
    );
  }
  return mapped;
}

/** A name with the characters of names only. */
const legible = (name) => name.replace(/[^A-Za-z0-9_$#.-]/gu, "_");

/** Such names for several things, each with an underscore for every one before it that has the same. */
function distinct(names) {
  const taken = [];
  for (const name of names.map(legible)) {
    let own = name;
    while (taken.includes(own)) own += "_";
    taken.push(own);
  }
  return taken;
}

/** The events of a machine by the names that tests have for them. */
function namedEvents(machine) {
  const events = new Map();
  const add = (shown, event) => {
    let name = legible(shown);
    while (events.has(name)) name += "_";
    events.set(name, event);
  };
  const nodes = [];
  const collect = (node) => {
    nodes.push(node);
    Object.values(node.states).forEach(collect);
  };
  collect(machine.root);
  const own = nodes.flatMap((node) => Object.keys(node.config.on ?? {}));
  new Set(own.filter((type) => !type.endsWith("*") && !type.startsWith("xstate."))).forEach((type) => add(type, { type }));
  for (const node of nodes) {
    for (const time of Object.keys(node.config.after ?? {})) {
      add(["after", time, ...node.path].join("."), { type: `xstate.after.${time}.${node.id}` });
    }
    for (const { id } of node.invoke) {
      for (const report of ["done", "error", "snapshot"]) add(`${report}.${id}`, { id, report });
    }
  }
  return events;
}

/** The regions of a machine by the names that tests have for them, each with its leaves and their names. */
function namedRegions(machine) {
  const below = (node) => (node.type === "compound" ? Object.values(node.states).filter(isState).flatMap(below) : [node]);
  const isState = (node) => node.type !== "history";
  const regions = [];
  const collect = (node) => {
    if (node.type === "compound" && (node.parent === undefined || node.parent.type === "parallel")) regions.push(node);
    Object.values(node.states).forEach(collect);
  };
  collect(machine.root);
  const names = distinct(regions.map((region) => ["state", ...region.path].join(".")));
  const leaves = (region) => {
    const all = below(region);
    return { region, all, names: distinct([...all.map((leaf) => leaf.path.slice(region.path.length).join(".")), "inactive"]) };
  };
  return new Map(regions.map((region, index) => [names[index], leaves(region)]));
}

/** The paths in a context by the names that tests have for them. */
function namedVariables(context) {
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const paths = (object) =>
    Object.entries(object).flatMap(([key, value]) => [[key], ...(isObject(value) ? paths(value).map((path) => [key, ...path]) : [])]);
  const all = isObject(context) ? paths(context) : [];
  return new Map(all.map((path) => [legible(`context.${path.join(".")}`), path]));
}

/** The names of delays in a state and its descendants. */
const delaysOf = (node) => [
  ...Object.keys(node.config.after ?? {}).filter((delay) => Number.isNaN(Number(delay))),
  ...Object.values(node.states).flatMap(delaysOf),
];

/** Whether a delay is a number of milliseconds that tests know: a whole one that a timer can measure. */
const isWhole = (delay) => Number.isInteger(Number(delay)) && Number(delay) >= 0 && Number(delay) < 2 ** 31;

/** The events of delays that are written as numbers, but as others. */
const broken = (node) => [
  ...Object.keys(node.config.after ?? {}).filter((delay) => !Number.isNaN(Number(delay)) && !isWhole(delay)).map((delay) => `xstate.after.${delay}.${node.id}`),
  ...Object.values(node.states).flatMap(broken),
];

/** Whether a delay depends on more than its definition, or is no whole number. */
function isComputedDelay(delay) {
  if (typeof delay !== "function") return !isWhole(delay);
  let isTouched = false;
  const touch = () => {
    isTouched = true;
    return undefined;
  };
  const inner = new Proxy({}, { get: touch, has: touch, ownKeys: () => (touch(), []) });
  try {
    const first = delay({ context: inner, event: inner });
    return isTouched || typeof first !== "number" || !isWhole(first) || first !== delay({ context: inner, event: inner });
  } catch {
    return true;
  }
}

export class Chart {
  #given = {};
  #events;
  #regions;
  #variables;

  /** Starts an actor. The test controls `guards`, which do not hold until it says so, and looks at `seen`. */
  constructor(source, { guards = [], seen = [], given = {}, input = anything, name } = {}) {
    this.seen = seen;
    const original = machineOf(source, name);
    this.#given = { ...given };
    const controlled = (guard) => () => this.#given[guard] ?? false;
    const actors = new Set(Object.keys(original.implementations.actors));
    const control = (place) => (guards.includes(legible(place)) ? controlled(legible(place)) : undefined);
    const config = withMocks(original.config, actors, control);
    const delays = delaysOf(original.root);
    const names = Object.keys(original.implementations.guards);
    const named = (guard) => names.find((name) => legible(name) === guard) ?? guard;
    this.machine = createMachine(config, original.implementations).provide({
      guards: Object.fromEntries(guards.map((guard) => [named(guard), controlled(guard)])),
      actions: Object.fromEntries(
        Object.entries(original.implementations.actions).filter(([, action]) => isEffect(action)).map(([name]) => [name, () => {}]),
      ),
      actors: Object.fromEntries([...actors].map((actor) => [actor, mock])),
      // XState takes delays that are not defined for none at all.
      delays: Object.fromEntries(
        [...delays].filter((delay) => !(delay in original.implementations.delays)).map((delay) => [delay, ({ context }) => (void context?.any, 1)]),
      ),
    });
    // Actors that are spawned may be defined elsewhere.
    const all = this.machine.implementations;
    all.actors = new Proxy(all.actors, { get: (known, name) => known[name] ?? mock });
    this.#events = namedEvents(this.machine);
    this.clock = new StepClock();
    let microsteps = 0;
    this.actor = createActor(this.machine, {
      clock: this.clock,
      logger: () => {},
      input,
      inspect: ({ type }) => {
        if (type === "@xstate.event") microsteps = 0;
        if (type === "@xstate.microstep" && ++microsteps > MAX_MICROSTEPS) throw new Error("this step does not end");
      },
    });
    // The one that was not there before; one with the id of another takes its place.
    const known = new WeakSet();
    this.clock.label = () => {
      const scheduled = Object.values(this.actor.system.getSnapshot()._scheduledEvents).find((other) => !known.has(other));
      if (scheduled !== undefined) known.add(scheduled);
      return scheduled?.target === this.actor ? scheduled.event.type : undefined;
    };
    this.actor.subscribe({ error: (error) => (this.error = error) });
    this.#regions = namedRegions(this.machine);
    this.actor.start();
    this.#variables = namedVariables(this.snapshot.context);
  }

  get snapshot() {
    return this.actor.getSnapshot();
  }

  /** Says which guards hold from now on. */
  given(guards) {
    this.#given = { ...this.#given, ...guards };
  }

  /**
   * Lets an event happen. `after.TIME.STATE` and `delayed.TIME.EVENT` let time pass until a delayed event; `done.ID`,
   * `error.ID` and `snapshot.ID` let an invoked actor report; every other event comes from outside. Nothing happens on `none`.
   */
  send(event, data) {
    const { type = event, id, report } = this.#events.get(event) ?? {};
    if (type.startsWith("xstate.after.")) return this.#elapse(type);
    const delayed = /^delayed\.(\d+|any)\.(.*)$/s.exec(type);
    if (delayed !== null && this.#events.get(event) === undefined) {
      const raised = this.clock.waiting.find((other) => legible(other) === delayed[2].replace(/_+$/, "") || legible(other) === delayed[2]);
      return this.#elapse(raised ?? type, delayed[1] === "any");
    }
    if (id === undefined) return event === "none" && !this.#events.has(event) ? undefined : this.actor.send(eventOf(type, data));
    const child = this.snapshot.children[id];
    if (child === undefined) throw new Error(`no actor ${id} is invoked`);
    child.send({ type: report, data });
  }

  /** Lets time pass until a delayed event. Only a delay that is computed may end before one that is shorter. */
  #elapse(type, isFree = false) {
    const computed = Object.entries(this.machine.implementations.delays).filter(([, delay]) => isComputedDelay(delay));
    const others = broken(this.machine.root);
    const isComputed = (event) => others.includes(event) || computed.some(([name]) => event.startsWith(`xstate.after.${name}.`));
    if (isFree || isComputed(type)) this.clock.end(type);
    else this.clock.advance(type, isComputed);
  }

  /**
   * What a test sees by a name: `context.NAME` is a variable; `state` is the active leaf of the machine, and `state.PATH`
   * that of a region of a parallel state, by the path from there. A parallel state is a leaf of the region around it.
   */
  see(name) {
    if (name.startsWith("context.")) {
      const inner = (object, key) => (Object.hasOwn(Object(object), key) ? object[key] : undefined);
      const path = this.#variables.get(name) ?? name.split(".").slice(1);
      return plain(path.reduce(inner, this.snapshot.context));
    }
    const found = this.#regions.get(name);
    if (found === undefined) return undefined;
    const at = found.all.findIndex((leaf) => this.snapshot._nodes.includes(leaf));
    return found.names.at(at);
  }

  /** Everything that the test looks at, by name. */
  view() {
    return Object.fromEntries(this.seen.map((name) => [name, this.see(name)]));
  }

  /** The paths of all active states. */
  active() {
    return this.snapshot._nodes.filter((node) => node.path.length > 0).map((node) => node.path.join("."));
  }
}
