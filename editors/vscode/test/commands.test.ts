import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, run, type Editor } from "../src/commands.ts";
import type { Result, Verdict } from "../src/results.ts";

/** An editor that notes what is done with it. */
function mocked(answer: Result | Error, active: string | undefined = "file:///a.smv") {
  const done: string[] = [];
  const editor: Editor = {
    activeDocument: () => active,
    execute: async (command, argument) => {
      done.push(`execute ${command} ${JSON.stringify(argument)}`);
      if (answer instanceof Error) {
        throw answer;
      }
      return answer;
    },
    progress: async (title, work) => {
      done.push(`progress ${title}`);
      return work();
    },
    showText: async (name, text) => void done.push(`text ${name}: ${text}`),
    showPage: (title, html) => void done.push(`page ${title}: ${html}`),
    inform: (message) => void done.push(`inform ${message}`),
    complain: (message) => void done.push(`complain ${message}`),
  };
  return { editor, done };
}

const holds: Verdict = { property: "safe", number: "1", verdict: "holds", message: "`safe` holds", text: null, page: null };
const fails: Verdict = { property: "live", number: "2", verdict: "fails", message: "`live` fails", text: "Trace", page: "<html>" };

test("a check that holds shows nothing but a line", async () => {
  const { editor, done } = mocked({ kind: "check", verdicts: [holds], notes: [] });
  await run(editor, "check");
  assert.deepEqual(done, [
    "progress Checking properties",
    'execute specwright.server.check {"uri":"file:///a.smv"}',
    "inform 1 holds",
  ]);
});

test("a counterexample is shown as a page", async () => {
  const { editor, done } = mocked({ kind: "check", verdicts: [fails], notes: [] });
  await run(editor, "check", { uri: "file:///b.smv", properties: ["2"] });
  assert.ok(done.includes('execute specwright.server.check {"uri":"file:///b.smv","properties":["2"]}'));
  assert.deepEqual(done.slice(2), ["inform 1 fails", "page live: <html>"]);
});

test("several verdicts are shown as a text as well", async () => {
  const { editor, done } = mocked({ kind: "check", verdicts: [holds, fails], notes: ["slow"] });
  await run(editor, "check");
  assert.equal(done.at(-1), "text check.txt: -- `safe` holds\n\n-- `live` fails\nTrace\n-- slow\n");
});

test("tests and survivors are shown as texts", async () => {
  const tests = mocked({ kind: "generate", message: "1 test", text: "test a\n", complete: true, notes: [] });
  await run(tests.editor, "generate");
  assert.equal(tests.done.at(-1), "text tests.suite: test a\n");
  const audit = mocked({ kind: "audit", message: "3 of 4 killed", survivors: [{ operator: "ORO", message: "x" }], notes: [] });
  await run(audit.editor, "audit");
  assert.equal(audit.done.at(-1), "text audit.txt: -- 3 of 4 killed\nORO: x\n");
});

test("what goes wrong is said", async () => {
  const failing = mocked(new Error("the model has errors"));
  await run(failing.editor, "audit");
  assert.equal(failing.done.at(-1), "complain the model has errors");
  const { editor, done } = mocked({ kind: "check", verdicts: [], notes: [] });
  editor.activeDocument = () => undefined;
  await run(editor, "check");
  assert.deepEqual(done, ["complain Open a specification first."]);
});

test("commands of the server have commands of the palette", () => {
  assert.equal(nameOf("specwright.server.audit"), "audit");
  assert.equal(nameOf("other"), undefined);
});
