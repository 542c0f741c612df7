// Compares Specwright with the package `xstate` on random machines, step by step.
//
//     node benches/statecharts/compare.mjs [--count 5000] [--seed 1] [--steps 40] [--scratch FOLDER] [--jobs 2] [--limit 120]
//
// Every machine gets a random walk from `specwright simulate`. An actor of XState takes the same events, and after each of
// them all regions and all variables of the context must have the values of the walk. Machines that Specwright refuses
// are counted by their diagnostics, and those that take more seconds of processor time than the limit by the signal.

import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install, options, pool, root, scratch, specwright } from "./packages.mjs";
import { randomMachine } from "./random.mjs";

const defaults = { count: 5000, seed: 1, steps: 40, jobs: 2, limit: 120, scratch: undefined };
const { count, seed, steps, jobs, limit, scratch: wanted } = options(defaults);
const folder = scratch(wanted);
install(folder, "xstate@5");
copyFileSync(join(root, "examples/adapters/statechart.mjs"), join(folder, "statechart.mjs"));
const { Chart } = await import(pathToFileURL(join(folder, "statechart.mjs")));
mkdirSync(join(folder, "random"), { recursive: true });

const walk = (file, number) =>
  new Promise((done) => {
    const args = ["simulate", file, "--steps", String(steps), "--seed", String(number), "--format", "json"];
    const limited = ["-c", `ulimit -t ${limit}; exec "$0" "$@"`, specwright, ...args];
    execFile("sh", limited, { maxBuffer: 1 << 26 }, (error, stdout, stderr) => done({ error, stdout, stderr }));
  });

const numbers = Array.from({ length: count }, (_, index) => seed + index);
const counts = { compared: 0, steps: 0, refused: {}, differences: [] };
await pool(numbers, jobs, async (number) => {
  const file = join(folder, "random", `m${number}.js`);
  writeFileSync(file, randomMachine(number));
  const { error, stdout, stderr } = await walk(file, number);
  const code = /\[?(SC\d+)\]?/.exec(stderr)?.[1];
  if (stdout === "" || error?.signal) {
    const reason = error?.signal ?? code ?? `exit code ${error?.code ?? 0}`;
    (counts.refused[reason] ??= []).push(number);
    return;
  }
  const { states } = JSON.parse(stdout);
  const seen = Object.keys(states[0]).filter((name) => /^(state|context)(\.|$)/.test(name));
  // Guards at the start have names of their own.
  const inputs = Object.keys(states[0]).map((name) => /^(start\.)?guard\.(.*)$/s.exec(name)).filter((found) => found !== null);
  const guards = [...new Set(inputs.map(([, , guard]) => guard))];
  const given = (state, start) =>
    Object.fromEntries(inputs.filter((input) => input[1] === start).map(([name, , guard]) => [guard, state[name]]));
  let at = 0;
  const fail = (what) => counts.differences.push(`m${number}, step ${at}, after ${states[at - 1]?.event ?? "the start"}: ${what}`);
  try {
    const chart = new Chart(await import(pathToFileURL(file)), { guards, seen, given: given(states[0], "start.") });
    for (; at < states.length; at++) {
      if (at > 0) {
        chart.given(given(states[at - 1]));
        chart.send(states[at - 1].event);
      }
      counts.steps++;
      const view = chart.view();
      const wrong = seen.find((name) => view[name] !== states[at][name]);
      if (wrong !== undefined) return fail(`${wrong} is ${view[wrong]} in XState and ${states[at][wrong]} in Specwright`);
    }
    counts.compared++;
  } catch (error) {
    fail(error.message);
  }
});

const refused = Object.entries(counts.refused);
const n = refused.reduce((sum, [, list]) => sum + list.length, 0);
console.log(`${count} machines: ${counts.compared} agree in ${counts.steps} steps, ${counts.differences.length} differ, ${n} refused`);
for (const [reason, list] of refused) console.log(`refused, ${reason}: ${list.length}, such as m${list.slice(0, 5).join(", m")}`);
for (const difference of counts.differences.slice(0, 40)) console.log(difference);
process.exitCode = counts.differences.length > 0 ? 2 : 0;
