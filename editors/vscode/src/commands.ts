// The commands, without the editor: what they do is given by the parts of the editor that they use.

import { document, summary, trace, type Result } from "./results.ts";

/** The parts of the editor that commands use. */
export interface Editor {
  /** The address of the document in front, if it is a specification. */
  activeDocument(): string | undefined;
  /** Asks the server. */
  execute(command: string, argument: object): Promise<Result>;
  /** Runs work that takes a while, where people see it. */
  progress<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** Shows a text that is in no file. */
  showText(name: string, text: string): Promise<void>;
  /** Shows a page. */
  showPage(title: string, html: string): void;
  /** Says something. */
  inform(message: string): void;
  /** Says what went wrong. */
  complain(message: string): void;
}

export const COMMANDS = {
  check: { server: "specwright.server.check", title: "Checking properties" },
  generate: { server: "specwright.server.generate", title: "Generating tests" },
  audit: { server: "specwright.server.audit", title: "Auditing properties" },
} as const;

export type Name = keyof typeof COMMANDS;

/** The command of the palette that a command of the server belongs to. */
export function nameOf(server: string): Name | undefined {
  return (Object.keys(COMMANDS) as Name[]).find((name) => COMMANDS[name].server === server);
}

/** Runs a command on the document in front, or on what a lens says. */
export async function run(editor: Editor, name: Name, argument?: { uri: string; properties?: string[] }): Promise<void> {
  const uri = argument?.uri ?? editor.activeDocument();
  if (uri === undefined) {
    editor.complain("Open a specification first.");
    return;
  }
  const { server, title } = COMMANDS[name];
  try {
    const result = await editor.progress(title, () => editor.execute(server, { ...argument, uri }));
    await show(editor, result);
  } catch (error) {
    editor.complain(error instanceof Error ? error.message : String(error));
  }
}

/** Shows a result: a trace if there is one, and the text. */
async function show(editor: Editor, result: Result): Promise<void> {
  editor.inform(summary(result));
  const failed = trace(result);
  if (failed?.page) {
    editor.showPage(failed.property, failed.page);
  }
  const isAllGood = result.kind === "check" && result.verdicts.every((verdict) => verdict.verdict === "holds");
  if (!isAllGood && !(failed?.page && result.kind === "check" && result.verdicts.length === 1)) {
    await editor.showText(result.kind === "generate" ? "tests.suite" : `${result.kind}.txt`, document(result));
  }
}
