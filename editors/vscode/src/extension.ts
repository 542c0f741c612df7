// The extension: starts the server, and gives commands the parts of the editor.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { COMMANDS, nameOf, run, type Editor, type Name } from "./commands.ts";
import type { Result } from "./results.ts";

const LANGUAGES = ["smv", "scr", "asmetal"];
const SCHEME = "specwright";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = { onDidChange: changed.event, provideTextDocumentContent: (uri: vscode.Uri) => texts.get(uri.path) ?? "" };
  context.subscriptions.push(changed, vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider));
  const editor: Editor = {
    activeDocument: () => {
      const active = vscode.window.activeTextEditor?.document;
      return active && (LANGUAGES.includes(active.languageId) || active.fileName.endsWith(".scxml")) ? active.uri.toString() : undefined;
    },
    execute: async (command, argument) => {
      if (!client) {
        throw new Error("The language server is not running.");
      }
      return client.sendRequest<Result>("workspace/executeCommand", { command, arguments: [argument] });
    },
    progress: async (title, work) =>
      vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `Specwright: ${title}` }, work),
    showText: async (name, text) => {
      const uri = vscode.Uri.parse(`${SCHEME}:/${name}`);
      texts.set(uri.path, text);
      changed.fire(uri);
      const opened = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(opened, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
    },
    showPage: (title, html) => {
      const options = { enableScripts: true, localResourceRoots: [] };
      const panel = vscode.window.createWebviewPanel("specwright.trace", title, vscode.ViewColumn.Beside, options);
      panel.webview.html = html;
    },
    inform: (message) => void vscode.window.showInformationMessage(message),
    complain: (message) => void vscode.window.showErrorMessage(`Specwright: ${message}`),
  };
  for (const name of Object.keys(COMMANDS) as Name[]) {
    const command = (argument?: { uri: string; properties?: string[] }) => run(editor, name, argument);
    context.subscriptions.push(vscode.commands.registerCommand(`specwright.${name}`, command));
  }
  context.subscriptions.push(
    vscode.commands.registerCommand("specwright.restart", async () => {
      await client?.stop();
      await start(editor);
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("specwright.path")) {
        await client?.stop();
        await start(editor);
      }
    }),
  );
  await start(editor);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(editor: Editor): Promise<void> {
  const settings = vscode.workspace.getConfiguration("specwright");
  const command = settings.get<string>("path", "specwright");
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [...LANGUAGES.map((language) => ({ language })), { pattern: "**/*.scxml" }],
    initializationOptions: {
      dialect: settings.get("dialect"),
      jobSeconds: settings.get("jobSeconds"),
      questionSeconds: settings.get("questionSeconds"),
    },
    synchronize: { configurationSection: "specwright" },
    middleware: {
      // Lenses run commands of the server; here their results are shown.
      executeCommand: (name, parameters, next) => {
        const own = nameOf(name);
        return own ? run(editor, own, parameters[0]) : next(name, parameters);
      },
    },
  };
  client = new LanguageClient("specwright", "Specwright", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    editor.complain(`\`${command} lsp\` does not start: ${reason}. Set "specwright.path" to the program.`);
  }
}
