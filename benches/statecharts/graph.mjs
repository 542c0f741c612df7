// Compares the tests of Specwright with the paths of `xstate/graph`, on growing machines of parallel rings and on the
// machines of testdata/statecharts.
//
//     node benches/statecharts/graph.mjs [--scratch FOLDER] [--limit 60]
//
// A ring has three states and two events, forward and back. The graph's test model gives its shortest paths, in a child
// process with a limit of time; Specwright covers all transitions with `--strategy extend`. Times are those of the whole
// process.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { install, options, root, scratch, specwright } from "./packages.mjs";

const { limit, scratch: wanted, criterion } = options({ limit: 60, scratch: undefined, criterion: "basic-rule" });
const folder = scratch(wanted);
install(folder, "xstate@5", "esbuild");
mkdirSync(join(folder, "graph"), { recursive: true });

function rings(n, size = 3) {
  const states = {};
  for (let ring = 0; ring < n; ring++) {
    const inner = {};
    for (let at = 0; at < size; at++) {
      inner[`s${at}`] = { on: { [`NEXT${ring}`]: `s${(at + 1) % size}`, [`BACK${ring}`]: `s${(at + size - 1) % size}` } };
    }
    states[`ring${ring}`] = { initial: "s0", states: inner };
  }
  return { id: "rings", type: "parallel", states };
}

// The module that counts the paths of one machine.
writeFileSync(
  join(folder, "graph", "paths.mjs"),
  `import { createMachine } from "xstate";
import { createTestModel } from "xstate/graph";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const file = process.argv[2];
const source = file.endsWith(".json") ? {} : await import(pathToFileURL(file));
const exported = [source, ...Object.values(source)];
const found = exported.find((value) => typeof value?.provide === "function");
// A function may make the machine.
const make = exported.find((value) => typeof value === "function");
const machine = found ?? make?.() ?? createMachine(JSON.parse(readFileSync(file, "utf8")));
const paths = createTestModel(machine).getShortestPaths();
const events = paths.reduce((sum, path) => sum + path.steps.filter((step) => step.event.type !== "xstate.init").length, 0);
console.log(JSON.stringify({ paths: paths.length, events }));
`,
);

/** Runs a program; what it printed, how long it took, and why it failed if it did. */
function timed(program, args) {
  const start = performance.now();
  const { stdout, stderr, signal, status } = spawnSync(program, args, { cwd: folder, encoding: "utf8", timeout: limit * 1000, maxBuffer: 1 << 28 });
  const seconds = (performance.now() - start) / 1000;
  if (signal !== null) return { failed: `more than ${limit} s` };
  const reason = stderr.split("\n").find((line) => /error\[/.test(line)) ?? /Error: (.*)/.exec(stderr)?.[1] ?? `exit code ${status}`;
  return { stdout, seconds, failed: status !== 0 && stdout.trim() === "" ? reason : undefined };
}

/** A file that Node can load as it is. */
function loadable(file) {
  const name = basename(file, extname(file));
  if (extname(file) === ".json") return file;
  const source = readFileSync(file, "utf8");
  const target = join(folder, "graph", name + (extname(file) === ".cjs" ? ".cjs" : ".mjs"));
  if (/^\.c?js$/.test(extname(file))) copyFileSync(file, target);
  else spawnSync(join(folder, "node_modules/.bin/esbuild"), [file, `--outfile=${target}`]);
  return target;
}

function row(name, file) {
  const graph = timed("node", [join(folder, "graph", "paths.mjs"), loadable(file)]);
  const suite = join(folder, "graph", "suite.json");
  const own = timed(specwright, ["generate", file, "-c", criterion, "--strategy", "extend", "--out", suite]);
  const theirs = graph.failed ?? Object.values(JSON.parse(graph.stdout)).join(" | ") + ` | ${graph.seconds.toFixed(2)} s`;
  let ours = own.failed;
  if (ours === undefined && existsSync(suite)) {
    const { tests } = JSON.parse(readFileSync(suite, "utf8"));
    const events = tests.reduce((sum, test) => sum + test.trace.states.length - 1, 0);
    ours = `${tests.length} | ${events} | ${own.seconds.toFixed(2)} s`;
  }
  console.log(`| ${name} | ${graph.failed === undefined ? theirs : `${theirs} | | `} | ${own.failed === undefined ? ours : `${ours} | |`} |`);
}

console.log("| machine | paths | events | time | tests | events | time |\n|---|---|---|---|---|---|---|");
for (let n = 1; n <= 8; n++) {
  const file = join(folder, "graph", `rings${n}.json`);
  writeFileSync(file, JSON.stringify(rings(n), null, 2));
  row(`${n} rings`, file);
}
const machines = join(root, "testdata/statecharts");
for (const name of readdirSync(machines).sort()) {
  if (/\.(json|c?js|ts)$/.test(name)) row(`\`${name}\``, join(machines, name));
}
