import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../src/commands.ts";

const read = (path: string) => JSON.parse(readFileSync(resolve(__dirname, "..", path), "utf8"));
const manifest = read("package.json");

test("every grammar and configuration is there, and its patterns are regular expressions", () => {
  for (const { configuration } of manifest.contributes.languages) {
    assert.ok(read(configuration).comments.lineComment);
  }
  for (const { path, scopeName } of manifest.contributes.grammars) {
    const grammar = read(path);
    assert.equal(grammar.scopeName, scopeName);
    for (const pattern of grammar.patterns) {
      for (const text of [pattern.match, pattern.begin, pattern.end].filter(Boolean)) {
        assert.doesNotThrow(() => new RegExp(text.replace(/^\(\?i\)/, ""), "i"), `${path}: ${text}`);
      }
    }
  }
});

test("every command is declared", () => {
  const declared = manifest.contributes.commands.map(({ command }: { command: string }) => command);
  for (const name of Object.keys(COMMANDS)) {
    assert.ok(declared.includes(`specwright.${name}`), name);
  }
});
