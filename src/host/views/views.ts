// The two webview views: HTML with a strict content security policy, a snapshot when they are ready, deltas after.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Disposable } from '../../core/emitter.ts';
import type { Answered, Asked } from '../../protocol/questions.ts';
import type { HostToView, ViewState, ViewToHost } from '../../protocol/view.ts';
import { bundleForPage, language } from '../system/language.ts';
import { parseViewMessage } from './viewMessage.ts';

export interface ViewSource {
  readonly snapshot: ViewState;
  subscribe(listener: (delta: HostToView) => void): Disposable;
}

/** Called with what the user asks for in a view. */
export type Receive = (message: Exclude<ViewToHost, { type: 'ready' | 'ask' }>) => void;

export interface ViewPorts {
  readonly receive: Receive;
  readonly answer: (asked: Asked) => Promise<Answered>;
  /** Called with a view that is shown; what it returns ends with the view. */
  readonly shown: (view: { description?: string }) => Disposable;
  readonly shownAgain: () => void;
  readonly hidden: () => void;
}

/** Tells a view that comes back whether the host is still the one that it knew. */
const life = randomBytes(8).toString('base64url');

export function registerView(
  name: 'chat' | 'context',
  extension: vscode.ExtensionContext,
  source: ViewSource,
  ports: ViewPorts,
): vscode.Disposable {
  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView: (view) => {
      const { sendSnapshot, dispose } = fillView(name, view.webview, extension, source, ports);
      // A hidden view loses messages: it is made whole when it comes back.
      view.onDidChangeVisibility(() => {
        if (!view.visible) return ports.hidden();
        sendSnapshot();
        ports.shownAgain();
      });
      const shown = ports.shown(view);
      view.onDidDispose(() => {
        shown.dispose();
        dispose();
      });
    },
  };
  return vscode.window.registerWebviewViewProvider(`tidemark.${name}`, provider, {
    webviewOptions: { retainContextWhenHidden: false },
  });
}

/** Puts a view into a webview, wherever that is. */
export function fillView(
  name: 'chat' | 'context',
  webview: vscode.Webview,
  extension: vscode.ExtensionContext,
  source: ViewSource,
  { receive, answer }: Pick<ViewPorts, 'receive' | 'answer'>,
) {
  const media = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [media] };
  let gone = false;
  // An answer may come when nobody is there any more.
  const post = (message: HostToView) => void (gone || webview.postMessage(message));
  const sendSnapshot = () => post({ type: 'snapshot', state: source.snapshot });
  const hearing = source.subscribe(post);
  webview.onDidReceiveMessage((sent: unknown) => {
    const message = parseViewMessage(sent);
    if (message?.type === 'ready') sendSnapshot();
    else if (message?.type === 'ask') void answer(message).then(post);
    else if (message !== null) receive(message);
  });
  const draw = () => {
    webview.html = page(name, webview, media);
  };
  const changed = vscode.Disposable.from(
    vscode.workspace.onDidGrantWorkspaceTrust(draw),
    vscode.workspace.onDidChangeWorkspaceFolders(draw),
  );
  draw();
  const dispose = () => {
    gone = true;
    hearing.dispose();
    changed.dispose();
  };
  return { sendSnapshot, dispose };
}

function page(name: string, webview: vscode.Webview, media: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, file)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource} 'unsafe-inline'`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  const folders = vscode.workspace.workspaceFolders?.length ?? 0;
  return `<!DOCTYPE html>
<html lang="${language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('codicon.css')}">
<link rel="stylesheet" href="${uri(`${name}-style.css`)}">
<title>Tidemark</title>
</head>
<body data-life="${life}" data-trusted="${vscode.workspace.isTrusted}" data-folder="${folders > 0}">
<div id="root"><p class="starting">${vscode.l10n.t('Starting…')}</p></div>
<script type="application/json" id="bundle">${bundleForPage()}</script>
<script nonce="${nonce}" src="${uri(`${name}.js`)}"></script>
</body>
</html>`;
}
