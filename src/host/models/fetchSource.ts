// Fetches what the user asked for: asks before, says what and from where, and lets the server tell how large it is.
import * as vscode from 'vscode';
import { FaultError, reasonOf } from '../../core/faults/faults.ts';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import type { OtherModel, Quantisation } from '../../models/catalogue.ts';
import type { DownloadPorts } from '../../models/progress.ts';
import { askSizes, filesFor } from '../../models/repository.ts';
import { listedSource, type RemoteFile, readSource, type Source } from '../../models/source.ts';
import { openSetting } from '../handlers/receive.ts';
import { confirms, showError, showWarning } from '../system/toast.ts';
import type { Downloads } from './downloads.ts';
import { asksAgain, type Offer, offerWords } from './modelWords.ts';

export interface FetchParts {
  readonly settings: () => { readonly folder: string; readonly offline: boolean; readonly huggingFace: string };
  readonly downloads: Downloads;
  readonly ports: DownloadPorts;
  /** Uses a file that lies here already. */
  readonly use: (path: string, purpose: Purpose) => Promise<void>;
}

type Known = {
  readonly name: string;
  readonly licence: string | null;
  readonly bytes: Offer['bytes'];
  readonly sha256: string | null;
};

/** Fetches a model of the catalogue. */
export async function fetchListed(
  parts: FetchParts,
  { name, licence, repository }: Pick<OtherModel, 'name' | 'licence' | 'repository'>,
  quantisation: Quantisation,
  purpose: Purpose,
): Promise<void> {
  const { offline, huggingFace } = parts.settings();
  if (offline) return sayOffline(purpose);
  const { sha256 = null } = quantisation;
  const bytes = { count: quantisation.bytes, about: sha256 === null };
  const known = { name: `${name} (${quantisation.name})`, licence, bytes, sha256 };
  await fetchSource(parts, listedSource(repository, quantisation, huggingFace), known, purpose);
}

/** Any other one. */
export async function fetchTyped(parts: FetchParts, title: string, purpose: Purpose): Promise<void> {
  const { huggingFace } = parts.settings();
  const typed = await askAddress(title, huggingFace);
  if (typed === undefined) return;
  const source = readSource(typed, huggingFace);
  if (source.kind !== 'file' && parts.settings().offline) return sayOffline(purpose);
  await fetchSource(parts, source, null, purpose);
}

function askAddress(title: string, endpoint: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'hf:owner/repository:Q4_K_M or hf:owner/repository/file.gguf (hf: stands for huggingface.co), an address that ends in .gguf, or a path',
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

async function fetchSource(parts: FetchParts, source: Source, known: Known | null, purpose: Purpose): Promise<void> {
  if (source.kind === 'file') return parts.use(source.path, purpose);
  const { folder } = parts.settings();
  const at = new URL(source.kind === 'remote' ? (source.files[0]?.url ?? '') : source.repository.endpoint);
  const name = known?.name ?? nameOf(source);
  const free = await parts.ports.free(folder).catch(() => null);
  const place = { name, host: at.host, encrypted: at.protocol === 'https:', folder, free };
  const bytes = known?.bytes ?? 'unasked';
  const offer: Offer = { ...place, licence: known?.licence ?? null, bytes };
  if (!(await agreesTo(offer))) return;
  const files = await askUntilAnswered(parts, source, at.host, purpose);
  if (files === null) return;
  const sizes = files.map((file) => file.bytes);
  const told = sizes.reduce<number | null>((sum, size) => (sum === null || size === null ? null : sum + size), 0);
  const exact = told === null ? 'untold' : { count: told, about: false };
  if (asksAgain(bytes, told) && !(await agreesTo({ ...offer, bytes: exact }))) return;
  await parts.downloads.start({ name, files: withHash(files, known?.sha256 ?? null), folder, purpose });
}

/** A hash is that of one file; ours goes before what the server says. */
function withHash(files: readonly RemoteFile[], sha256: string | null): readonly RemoteFile[] {
  return sha256 === null || files.length !== 1 ? files : files.map((file) => ({ ...file, sha256 }));
}

/** Returns the files as the server describes them; null when the user gave up waiting. */
function askServer(parts: FetchParts, source: Source, host: string): Thenable<readonly RemoteFile[] | null> {
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

/** The same again as often as the user wants it, where the server cannot be asked. */
async function askUntilAnswered(
  parts: FetchParts,
  source: Source,
  host: string,
  purpose: Purpose,
): Promise<readonly RemoteFile[] | null> {
  for (;;) {
    try {
      return await askServer(parts, source, host);
    } catch (error) {
      const [again, file] = [vscode.l10n.t('Try Again'), vscode.l10n.t('Choose a GGUF File')];
      const chosen = await showError(`Tidemark: ${reasonOf(error)}`, again, file);
      if (chosen === file) await chooseFile(purpose);
      if (chosen !== again) return null;
    }
  }
}

async function agreesTo(offer: Offer): Promise<boolean> {
  const { message, detail } = offerWords(offer);
  const yes = vscode.l10n.t('Download');
  return confirms(message, detail, yes);
}

function nameOf(source: Exclude<Source, { kind: 'file' }>): string {
  if (source.kind === 'quantisation') return `${source.repository.name} (${source.quantisation})`;
  return source.files[0]?.name ?? '';
}

export async function sayOffline(purpose: Purpose): Promise<void> {
  const { message } = new FaultError({ kind: 'download', problem: { is: 'offline' } });
  const [setting, file] = [vscode.l10n.t('Show the setting'), vscode.l10n.t('Choose a GGUF File')];
  const chosen = await showWarning(`Tidemark: ${message}`, setting, file);
  if (chosen === setting) await openSetting('network.offline');
  if (chosen === file) await chooseFile(purpose);
}

async function chooseFile(purpose: Purpose): Promise<void> {
  await vscode.commands.executeCommand(`tidemark.${purpose === 'chat' ? 'chooseModel' : 'findByMeaning'}`);
}
