// The editor's language, as far as there is a translation: for the modules that know nothing of the editor, and for the views' pages.
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';

/** Gives the editor's bundle to `t` of @vscode/l10n. Before that, its words are English. */
export function learnLanguage(): void {
  config({ contents: vscode.l10n.bundle ?? {} });
}

/** Words that are not translated are English, whatever the editor speaks. */
export function language(): string {
  return vscode.l10n.bundle === undefined ? 'en' : vscode.env.language;
}

/** The bundle as JSON that can stand in a page: nothing in it ends the element or begins another. */
export function bundleForPage(): string {
  return JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll('<', '\\u003c');
}
