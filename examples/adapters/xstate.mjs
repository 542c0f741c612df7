// The adapter for machines of XState: `specwright run` drives a live actor.
//
//     specwright generate checkout.ts --out suite.json
//     specwright run suite.json -- node xstate.mjs checkout.ts [EXPORT]
//
// Copy this file and `statechart.mjs` into a project that has the package `xstate`, version 5. Node 22 reads TypeScript;
// older ones need `node --import tsx`. To test something else than the machine itself, replace `Chart`.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";
import { Chart } from "./statechart.mjs";

const [file, name] = process.argv.slice(2);
const path = resolve(file ?? "machine.js");
const source = path.endsWith(".json") ? { default: JSON.parse(readFileSync(path, "utf8")) } : await import(pathToFileURL(path));

const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

let chart;
let guards = [];
let seen = [];

// The guard that an input is about; those of the start have a prefix of their own.
const guardOf = (input) => /^(?:start\.)?guard\.(.*)$/s.exec(input)?.[1];

// The guards that inputs name.
const holding = (inputs) =>
  Object.fromEntries(Object.entries(inputs).map(([input, holds]) => [guardOf(input), holds]).filter(([guard]) => guard !== undefined));

function answer(message) {
  switch (message.op) {
    case "hello":
      guards = [...new Set(message.inputs.map((input) => guardOf(input.name)).filter((guard) => guard !== undefined))];
      seen = message.outputs.map((output) => output.name);
      return { protocol: "specwright/run/1", reset: true };
    case "reset":
      chart = new Chart(source, { guards, seen, given: holding(message.inputs), name });
      return { outputs: chart.view() };
    case "step":
      chart.given(holding(message.inputs));
      if (message.inputs.event !== undefined) chart.send(message.inputs.event);
      return { outputs: chart.view() };
    default:
      process.exit(0);
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  try {
    say(answer(JSON.parse(line)));
  } catch (error) {
    say({ error: String(error.message ?? error) });
  }
});
