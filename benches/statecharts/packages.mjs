// The npm packages that comparisons need, in a folder outside of the repository.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The folder for packages and scratch files: that of `--scratch`, or one in the user's cache. */
export function scratch(option) {
  const folder = resolve(option ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "specwright-statecharts"));
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, "package.json"))) {
    writeFileSync(join(folder, "package.json"), '{ "name": "scratch", "private": true, "type": "module" }\n');
  }
  return folder;
}

/** Installs packages that are missing. */
export function install(folder, ...packages) {
  const missing = packages.filter((name) => !existsSync(join(folder, "node_modules", name.replace(/(.)@.*$/, "$1"))));
  if (missing.length > 0) execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", ...missing], { cwd: folder, stdio: "inherit" });
}

/** The program to compare with: that of the variable SPECWRIGHT, or the release build. */
export const specwright = process.env.SPECWRIGHT ?? join(root, "target/release/specwright");

/** The options of the command line: `--name value`. */
export function options(defaults) {
  const given = { ...defaults };
  const words = process.argv.slice(2);
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index].replace(/^--/, "");
    if (!(name in defaults)) throw new Error(`there is no option ${words[index]}`);
    given[name] = typeof defaults[name] === "number" ? Number(words[index + 1]) : words[index + 1];
  }
  return given;
}

/** Runs tasks with several processes at a time. */
export async function pool(items, n, run) {
  const waiting = [...items.entries()];
  const results = new Array(items.length);
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await run(next[1]);
  };
  await Promise.all(Array.from({ length: n }, worker));
  return results;
}
