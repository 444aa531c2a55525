// Gets a model: the catalogue ranked for this machine, or any address; asks before anything is fetched, and says what and from where.
import * as vscode from 'vscode';
import { FaultError, reasonOf } from '../core/faults.ts';
import { readCatalogue } from '../models/catalogue.ts';
import type { DownloadPorts } from '../models/download.ts';
import { type Machine, type Ranked, rank, type Wish } from '../models/rank.ts';
import { askSizes, filesFor } from '../models/repository.ts';
import { type RemoteFile, readSource, type Source } from '../models/source.ts';
import type { Downloads } from './downloads.ts';
import { asksAgain, groupWords, type Offer, offerWords, rowWords } from './modelWords.ts';
import { openSetting } from './receive.ts';
import { agrees, showWarning } from './toast.ts';

export interface GetModelParts {
  readonly settings: () => { readonly folder: string; readonly offline: boolean; readonly huggingFace: string };
  readonly wish: () => Wish;
  readonly machine: () => Promise<Machine>;
  readonly downloads: Downloads;
  readonly ports: DownloadPorts;
  readonly use: (path: string) => Promise<void>;
}

interface Row extends vscode.QuickPickItem {
  /** Null for what is typed. */
  readonly chosen: Ranked | null;
}

type Known = {
  readonly name: string;
  readonly licence: string | null;
  readonly bytes: Offer['bytes'];
  readonly sha256: string | null;
};

export async function getModel(parts: GetModelParts): Promise<void> {
  const { offline, huggingFace } = parts.settings();
  if (offline) return sayOffline();
  const row = await vscode.window.showQuickPick(rowsFor(parts), {
    title: vscode.l10n.t('Tidemark: Get a Model'),
    placeHolder: vscode.l10n.t('Nothing is fetched before you agree; sizes and licences are unverified'),
    matchOnDescription: true,
  });
  if (row === undefined) return;
  if (row.chosen !== null) {
    const { model, quantisation } = row.chosen;
    const bytes = { count: quantisation.bytes, about: true };
    const sha256 = quantisation.sha256 === 'unverified' ? null : quantisation.sha256;
    const known = { name: `${model.name} (${quantisation.name})`, licence: model.licence, bytes, sha256 };
    return fetchSource(parts, readSource(quantisation.uri, huggingFace), known);
  }
  const typed = await askAddress(huggingFace);
  if (typed !== undefined) await fetchSource(parts, readSource(typed, huggingFace), null);
}

/** Goes on with a download that was not finished, without asking what was agreed to before. */
export async function resumeModel(parts: GetModelParts, name: string, url: string): Promise<void> {
  const { offline, huggingFace, folder } = parts.settings();
  if (offline) return sayOffline();
  const source = readSource(url, huggingFace);
  if (source.kind === 'remote') await parts.downloads.start({ name, files: source.files, folder });
}

async function rowsFor({ machine, wish }: GetModelParts): Promise<readonly Row[]> {
  const ranked = rank(readCatalogue().models, await machine(), wish());
  const rows = ranked.flatMap((one, i): readonly Row[] => {
    const row = { ...rowWords(one), chosen: one };
    return one.verdict === ranked[i - 1]?.verdict ? [row] : [separator(groupWords[one.verdict]), row];
  });
  const other = `$(link) ${vscode.l10n.t('Another one: hf:, address or path…')}`;
  return [...rows, separator(''), { label: other, chosen: null, alwaysShow: true }];
}

function separator(label: string): Row {
  return { label, chosen: null, kind: vscode.QuickPickItemKind.Separator };
}

function askAddress(endpoint: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Tidemark: Get a Model'),
    prompt: vscode.l10n.t(
      'hf:owner/repository:Q4_K_M, hf:owner/repository/file.gguf, an address that ends in .gguf, or a path',
    ),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (typed.trim() === '') return null;
      try {
        readSource(typed, endpoint);
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
  });
}

async function fetchSource(parts: GetModelParts, source: Source, known: Known | null): Promise<void> {
  if (source.kind === 'file') return parts.use(source.path);
  const { folder } = parts.settings();
  const at = new URL(source.kind === 'remote' ? (source.files[0]?.url ?? '') : source.repository.endpoint);
  const name = known?.name ?? nameOf(source);
  const free = await parts.ports.free(folder).catch(() => null);
  const place = { name, host: at.host, encrypted: at.protocol === 'https:', folder, free };
  const bytes = known?.bytes ?? 'unasked';
  const offer: Offer = { ...place, licence: known?.licence ?? null, bytes };
  if (!(await agreesTo(offer))) return;
  const files = await askServer(parts, source, at.host);
  if (files === null) return;
  const sizes = files.map((file) => file.bytes);
  const told = sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0);
  const exact = told === null ? 'untold' : { count: told, about: false };
  if (asksAgain(bytes, told) && !(await agreesTo({ ...offer, bytes: exact }))) return;
  await parts.downloads.start({ name, files: withHash(files, known?.sha256 ?? null), folder });
}

/** A hash is that of one file; ours goes before what the server says. */
function withHash(files: readonly RemoteFile[], sha256: string | null): readonly RemoteFile[] {
  return sha256 === null || files.length !== 1 ? files : files.map((file) => ({ ...file, sha256 }));
}

/** Null when the user gave up waiting. */
function askServer(parts: GetModelParts, source: Source, host: string): Thenable<readonly RemoteFile[] | null> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Asking {0}…', host),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (_, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    const { wire } = parts.ports;
    try {
      if (source.kind === 'quantisation')
        return await filesFor(source.repository, source.quantisation, wire, controller.signal);
      return source.kind === 'remote' ? await askSizes(source.files, wire, controller.signal) : null;
    } catch (error) {
      if (controller.signal.aborted) return null;
      throw error;
    }
  });
}

async function agreesTo(offer: Offer): Promise<boolean> {
  const { message, detail } = offerWords(offer);
  const yes = vscode.l10n.t('Download');
  return agrees(message, detail, yes);
}

function nameOf(source: Exclude<Source, { kind: 'file' }>): string {
  if (source.kind === 'quantisation') return `${source.repository.name} (${source.quantisation})`;
  return source.files[0]?.name ?? '';
}

async function sayOffline(): Promise<void> {
  const { message } = new FaultError({ kind: 'download', problem: { is: 'offline' } });
  const [setting, file] = [vscode.l10n.t('Show the setting'), vscode.l10n.t('Choose model file')];
  const chosen = await showWarning(`Tidemark: ${message}`, setting, file);
  if (chosen === setting) await openSetting('network.offline');
  if (chosen === file) await vscode.commands.executeCommand('tidemark.chooseModel');
}
