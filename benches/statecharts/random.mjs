// Random XState machines, for comparisons step by step: JavaScript modules, the same ones for the same seed.
//
//     node benches/statecharts/random.mjs FOLDER COUNT [SEED]
//
// The machines have parallel states, history, guards on context, `always`, `raise`, delays, wildcards, `reenter`, final
// states, `stateIn`, and targets far away. Some have actors, delayed events with `cancel`, `enqueueActions`, events to
// themselves, guards and actions by name, initial actions, and a context with truth values, texts, objects and lists.
// Eventless transitions and done events lead to later siblings only, and raised events raise later events only, so that
// every macrostep ends. Wildcards match done events too, so a machine has wildcards or final states and actors.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const EXTERNAL = ["A", "B", "C", "D.one", "D.two"];
const DESCRIPTORS = ["A", "B", "C", "D.one", "D.*", "D"];
const INTERNAL = ["I0", "I1", "I2"];
const DELAYS = [10, 20, 25, 40];
const DELAYED = ["T0", "T1"];

/** Numbers from a seed (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (n) => Math.floor(next() * n);
  return { chance: (p) => next() < p, below, pick: (items) => items[below(items.length)] };
}

/** The source text of a random machine. */
export function randomMachine(seed) {
  const r = random(seed);
  const root = { key: "m", path: [], children: [], kind: "compound" };
  const nodes = [root];
  const wild = r.chance(0.3);
  grow(r, root, 0, nodes, wild ? 0 : 1);
  const variables = ["x", "y"].slice(0, 1 + r.below(2));
  const context = Object.fromEntries(variables.map((name) => [name, r.below(3)]));
  const has = (p) => r.chance(p);
  const features = {
    actors: !wild && has(0.3),
    delayed: has(0.3),
    enqueued: has(0.3),
    self: has(0.2),
    named: has(0.4),
    others: has(0.4),
    functions: has(0.3),
  };
  if (features.others) Object.assign(context, { flag: r.chance(0.5), mode: r.pick(MODES), pair: { a: 1, b: r.chance(0.5) }, items: code("[]") });
  const descriptors = [...DESCRIPTORS, ...(features.delayed ? DELAYED : []), ...(wild ? ["*"] : [])];
  const ctx = { r, nodes, variables, descriptors, features, guards: [], actions: [], n: 0 };
  if (features.named) {
    for (let index = 0; index < 2; index++) ctx.guards.push(guard({ ...ctx, guards: [] }, false));
    for (let index = 0; index < 2; index++) ctx.actions.push(assignment(ctx));
  }
  const body = print(stateText(ctx, root, { id: "m", context }), 0);
  const entries = (letter, items) => items.map(({ code }, index) => `${letter}${index}: ${code}`).join(", ");
  const maker = features.named
    ? `setup({ guards: { ${entries("g", ctx.guards)} }, actions: { ${entries("a", ctx.actions)} }, delays: { soon: 15 } }).`
    : "";
  const names = "and, assign, cancel, createMachine, enqueueActions, not, or, raise, sendTo, setup, stateIn";
  const helpers = "const MAX = 3;\nconst next = (n) => (n < MAX ? n + 1 : 0);\n\n";
  return `import { ${names} } from "xstate";\n\n${helpers}export const machine = ${maker}createMachine(${body});\n`;
}

const MODES = ["one", "two", "three"];

function grow(r, node, depth, nodes, finals) {
  const n = node.kind === "parallel" ? 2 : 2 + r.below(2);
  for (let index = 0; index < n; index++) {
    const key = r.chance(0.05) ? String(9 - index) : "abcdefg"[index] + (r.chance(0.1) ? "_1" : "");
    const child = { key, path: [...node.path, key], parent: node, children: [], index };
    const p = node.kind === "parallel" ? (depth < 3 ? 0.85 : 0) : [0.6, 0.25, 0, 0][depth];
    child.kind = r.chance(p) ? (node.kind !== "parallel" && r.chance(0.35) ? "parallel" : "compound") : "atomic";
    if (child.kind === "atomic" && node.kind === "compound" && index > 0 && r.chance(finals * (depth === 0 ? 0.04 : 0.2))) child.kind = "final";
    node.children.push(child);
    nodes.push(child);
    if (child.kind === "compound" || child.kind === "parallel") grow(r, child, depth + 1, nodes, finals);
  }
  if (depth === 0 && node.kind === "compound" && r.chance(0.3)) node.kind = node.children.some((c) => c.kind === "final") ? "compound" : "parallel";
  node.real = [...node.children];
  if (r.chance(depth === 0 ? 0.1 : 0.45)) {
    const history = { key: "hist", path: [...node.path, "hist"], parent: node, children: [], kind: "history", deep: r.chance(0.5) };
    if (r.chance(0.4) && node.kind === "compound") history.target = r.pick(node.real).key;
    node.children.push(history);
    nodes.push(history);
  }
}

function stateText(ctx, node, own = {}) {
  const { r } = ctx;
  const entries = Object.entries(own).map(([key, value]) => [key, value]);
  const add = (key, value) => entries.push([key, value]);
  if (node.kind === "history") {
    add("type", "history");
    if (node.deep || r.chance(0.3)) add("history", node.deep ? "deep" : "shallow");
    if (node.target !== undefined) add("target", node.target);
    return entries;
  }
  if (node.kind === "final") add("type", "final");
  if (node.kind === "parallel") add("type", "parallel");
  if (node.kind === "compound") {
    const initial = r.pick(node.real).key;
    add("initial", r.chance(0.1) ? [["target", initial], ["actions", actions(ctx, 3)]] : initial);
  }
  if (r.chance(0.25)) add("entry", actions(ctx, 3));
  if (r.chance(0.2)) add("exit", actions(ctx, 3));
  if (node.kind === "final") return entries;
  if (node.children.length > 0) add("states", node.children.map((child) => [child.key, stateText(ctx, child)]));
  const on = [];
  const names = new Set();
  const n = node.path.length === 0 ? r.below(3) : 1 + r.below(3);
  for (let index = 0; index < n; index++) {
    const name = r.pick(ctx.descriptors);
    if (names.has(name)) continue;
    names.add(name);
    // Wildcards match raised events too, so they raise none.
    on.push([name, transitions(ctx, node, name === "*" ? 3 : -1)]);
  }
  if (r.chance(0.35)) {
    const level = r.below(INTERNAL.length);
    on.push([INTERNAL[level], transitions(ctx, node, level)]);
  }
  if (on.length > 0) add("on", on);
  if (node.path.length > 0) {
    const later = (node.parent.real ?? []).slice(node.index + 1);
    if (node.parent.kind === "compound" && later.length > 0 && r.chance(0.12)) {
      add("always", [[["guard", guard(ctx, true)], ["target", r.pick(later).key], ...(r.chance(0.3) ? [["actions", actions(ctx, 3)]] : [])]]);
    } else if (r.chance(0.06)) {
      const name = r.pick(ctx.variables);
      add("always", [["guard", code(`({ context }) => context.${name} === 1`)], ["actions", code(`assign({ ${name}: 2 })`)]]);
    }
    if (node.kind !== "atomic" && node.parent.kind === "compound" && later.length > 0 && r.chance(0.7)) add("onDone", r.pick(later).key);
    if (r.chance(0.2)) {
      const delays = [...DELAYS.map(String), ...(ctx.features.named ? ["soon"] : [])];
      add("after", [[r.pick(delays), transitions(ctx, node, -1)]]);
    }
    if (ctx.features.actors && r.chance(0.25)) {
      const invoke = [["id", `actor${ctx.n++}`], ["src", "actor"]];
      if (r.chance(0.9)) invoke.push(["onDone", transitions(ctx, node, -1)]);
      if (r.chance(0.6)) invoke.push(["onError", transitions(ctx, node, -1)]);
      if (r.chance(0.3)) invoke.push(["onSnapshot", transitions(ctx, node, -1)]);
      add("invoke", invoke);
    }
  }
  return entries;
}

function transitions(ctx, node, level) {
  const { r } = ctx;
  if (r.chance(0.06)) return [];
  if (r.chance(0.2)) return { list: [transition(ctx, node, level, true), transition(ctx, node, level)] };
  return transition(ctx, node, level);
}

function transition(ctx, node, level, guarded = false) {
  const { r } = ctx;
  const entries = [];
  if (guarded || r.chance(0.3)) entries.push(["guard", guard(ctx)]);
  if (r.chance(0.82)) entries.push(["target", target(ctx, node)]);
  if (entries.some(([key]) => key === "target") && r.chance(0.2)) entries.push(["reenter", true]);
  if (entries.length === 0 || r.chance(0.4)) entries.push(["actions", actions(ctx, level)]);
  return entries;
}

function target(ctx, node) {
  const { r, nodes } = ctx;
  const choice = r.below(10);
  if (node.parent && choice < 5) {
    return r.pick(node.parent.real).key;
  }
  if (node.children.length > 0 && choice < 8) return "." + r.pick(node.children).key;
  // A history of a state around the source is refused, so there is none.
  const isAround = (other) => other.path.every((key, index) => node.path[index] === key);
  const far = r.pick(nodes.filter((other) => other.path.length > 0 && !(other.kind === "history" && isAround(other.parent))));
  // Sets of targets in the regions of one parallel state.
  const parallel = nodes.filter((other) => other.kind === "parallel" && other.path.length > 0 && other.real.every((c) => c.real?.length));
  if (parallel.length > 0 && r.chance(0.2)) {
    const chosen = r.pick(parallel);
    return { list: chosen.real.slice(0, 2).map((region) => `#m.${r.pick(region.real).path.join(".")}`) };
  }
  return "#m." + far.path.join(".");
}

/** A condition on the context. */
function atom({ r, variables, features }) {
  if (features.others && r.chance(0.4)) {
    const mode = r.pick(MODES);
    return r.pick([
      "context.flag",
      "!context.flag",
      `context.mode === "${mode}"`,
      `context.mode !== "${mode}"`,
      `context.pair.a > ${r.below(3)}`,
      "context.pair.b === true",
      `context.items.length < ${1 + r.below(3)}`,
      `context.items.includes(${r.below(3)})`,
    ]);
  }
  const name = r.pick(variables);
  if (features.functions && r.chance(0.2)) return `next(context.${name}) === ${r.below(4)}`;
  return `context.${name} ${r.pick(["===", "!==", "<", ">="])} ${r.below(4)}`;
}

function guard(ctx) {
  const { r, nodes, guards } = ctx;
  if (guards.length > 0 && r.chance(0.4)) {
    const named = JSON.stringify(`g${r.below(guards.length)}`);
    return code(r.chance(0.7) ? named : `${r.pick(["and", "or"])}([${named}, not(({ context }) => ${atom(ctx)})])`);
  }
  switch (r.below(7)) {
    case 0:
      return code(`({ context }) => ${atom(ctx)} && ${atom(ctx)}`);
    case 1:
      return code(`({ context }) => !(${atom(ctx)}) || ${atom(ctx)}`);
    case 2:
      return code(`not(({ context }) => ${atom(ctx)})`);
    case 3: {
      const inner = r.pick(nodes.filter((node) => node.path.length > 0 && node.kind !== "history"));
      const value = inner.path.reduceRight((below, key) => (below === undefined ? key : { [key]: below }), undefined);
      const state = `stateIn(${JSON.stringify(value)})`;
      return code(r.chance(0.5) ? state : `${r.pick(["and", "or"])}([${state}, ({ context }) => ${atom(ctx)}])`);
    }
    case 4:
      if (ctx.features.functions) return code(`({ context }) => { if (${atom(ctx)}) return ${atom(ctx)}; return ${atom(ctx)}; }`);
    // falls through
    default:
      return code(`({ context }) => ${atom(ctx)}`);
  }
}

function assignment({ r, variables, features }) {
  const name = r.pick(variables);
  const other = r.pick(variables);
  if (features.others && r.chance(0.4)) {
    const value = [
      "flag: ({ context }) => !context.flag",
      `flag: ({ context }) => context.${other} > 1`,
      `mode: "${r.pick(MODES)}"`,
      `mode: ({ context }) => (context.mode === "one" ? "two" : "one")`,
      "pair: ({ context }) => ({ ...context.pair, b: !context.pair.b })",
      `pair: { a: ${r.below(3)}, b: false }`,
      "items: []",
      `items: ({ context }) => (context.items.length < 2 ? [...context.items, ${r.below(3)}] : context.items)`,
      `items: ({ context }) => context.items.slice(1)`,
    ];
    return code(`assign({ ${r.pick(value)} })`);
  }
  const value = [
    `${r.below(4)}`,
    `({ context }) => Math.min(context.${other} + 1, 3)`,
    `({ context }) => (context.${name} > 0 ? context.${name} - 1 : 3)`,
    `({ context }) => (context.${other} + 1) % 4`,
    `({ context }) => context.${other}`,
    ...(features.functions
      ? [`({ context }) => next(context.${other})`, `({ context: { ${other} } }) => { const up = ${other} + 1; return up > MAX ? 0 : up; }`]
      : []),
  ];
  if (features.functions && r.chance(0.2)) return code(`assign(({ context }) => ({ ...context, ${name}: next(context.${other}) }))`);
  return code(`assign({ ${name}: ${r.pick(value)} })`);
}

function actions(ctx, level) {
  const { r, features } = ctx;
  const one = () => {
    // Only transitions raise, and only later events than their own.
    if (level < 2 && r.chance(0.4)) {
      const event = `{ type: "${INTERNAL[level + 1 + r.below(2 - level)]}" }`;
      return code(features.self && r.chance(0.3) ? `sendTo(({ self }) => self, ${event})` : `raise(${event})`);
    }
    if (features.delayed && r.chance(0.2)) {
      const event = r.below(DELAYED.length);
      if (r.chance(0.4)) return code(`cancel("id${event}")`);
      return code(`raise({ type: "${DELAYED[event]}" }, { delay: ${r.pick(DELAYS)}, id: "id${event}" })`);
    }
    if (features.enqueued && r.chance(0.2)) {
      const enqueue = () => {
        if (level < 2 && r.chance(0.3)) return `enqueue.raise({ type: "${INTERNAL[level + 1 + r.below(2 - level)]}" });`;
        return `enqueue(${assignment(ctx).code});`;
      };
      const condition = ctx.guards.length > 0 && r.chance(0.4) ? 'check("g0")' : atom(ctx);
      const rest = r.chance(0.5) ? ` else { ${enqueue()} }` : "";
      return code(`enqueueActions(({ context, enqueue, check }) => { if (${condition}) { ${enqueue()} }${rest} ${enqueue()} })`);
    }
    if (ctx.actions.length > 0 && r.chance(0.4)) return code(JSON.stringify(`a${r.below(ctx.actions.length)}`));
    return assignment(ctx);
  };
  return r.chance(0.75) ? one() : { list: [one(), one()] };
}

const code = (text) => ({ code: text });

/** Entries (an array of pairs), lists, code and literals as JavaScript. */
function print(value, indent) {
  const pad = "  ".repeat(indent + 1);
  const end = "  ".repeat(indent);
  if (Array.isArray(value)) {
    if (value.length === 1 && Array.isArray(value[0]) && Array.isArray(value[0][0])) return `[${print(value[0], indent)}]`;
    const name = (key) => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));
    const lines = value.map(([key, inner]) => `${pad}${name(key)}: ${print(inner, indent + 1)},\n`);
    return lines.length === 0 ? "{}" : `{\n${lines.join("")}${end}}`;
  }
  if (value !== null && typeof value === "object") {
    if (value.code !== undefined) return value.code;
    if (value.list !== undefined) return `[${value.list.map((inner) => print(inner, indent)).join(", ")}]`;
    return print(Object.entries(value), indent);
  }
  return JSON.stringify(value);
}

if (process.argv[1]?.endsWith("random.mjs")) {
  const [folder, count, seed] = process.argv.slice(2);
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < Number(count); index++) {
    const number = Number(seed ?? 1) + index;
    writeFileSync(join(folder, `m${String(number).padStart(5, "0")}.mjs`), randomMachine(number));
  }
}
