// The downloads of this window: each with a notification that shows how far it is; stopping one keeps what has arrived.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../core/emitter.ts';
import { reasonOf } from '../../core/faults/faults.ts';
import type { Purpose } from '../../core/machine/ggufHeader.ts';
import { checkedWords } from '../../models/check.ts';
import type { Got } from '../../models/download.ts';
import { fetchFiles } from '../../models/fetchFiles.ts';
import { deleteUnfinished } from '../../models/folder.ts';
import type { DownloadPorts, DownloadProgress } from '../../models/progress.ts';
import type { RemoteFile } from '../../models/source.ts';
import { useOf } from '../../models/use.ts';
import type { DownloadView } from '../../protocol/view.ts';
import { showError, showInformation } from '../system/toast.ts';
import { progressWords } from './modelWords.ts';

export interface Wanted {
  readonly name: string;
  readonly files: readonly RemoteFile[];
  readonly folder: string;
  readonly purpose: Purpose;
}

/** Handles a model that is here. */
export interface Arrived {
  /** Whether a model to chat with is set. */
  readonly hasModel: () => boolean;
  /** Logs what became of a download. */
  readonly log: (words: string) => void;
  /** Words about what it would take; rejects with a fault for what cannot be loaded. */
  readonly look: (path: string) => Promise<string>;
  /** Rejects with a fault for what is for something else. */
  readonly use: (path: string, purpose: Purpose) => Promise<void>;
}

/** How often the notification changes, and over how long the pace is taken. Milliseconds. */
const often = 250;
const span = 5000;

export class Downloads {
  private readonly ports: DownloadPorts;
  private readonly arrived: Arrived;
  private readonly running = new Map<string, AbortController>();
  /** How far the latest one is; null when none runs. */
  readonly progress = new Emitter<DownloadView | null>();

  constructor(ports: DownloadPorts, arrived: Arrived) {
    this.ports = ports;
    this.arrived = arrived;
  }

  /** Whether this window fetches the file, or the model that it is a part of. */
  has(path: string): boolean {
    return this.running.has(path);
  }

  /** Pauses a download; the bytes that have arrived are kept. */
  pause(path: string): void {
    this.running.get(path)?.abort();
  }

  pauseAll(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  /** The window goes; what has arrived is kept. */
  dispose(): void {
    this.pauseAll();
    this.progress.dispose();
  }

  /** Ends when it is here, paused, or failed; all of it said. */
  async start(wanted: Wanted): Promise<void> {
    const paths = wanted.files.map(({ name }) => join(wanted.folder, name));
    if (paths.some((path) => this.running.has(path))) return;
    const controller = new AbortController();
    for (const path of paths) this.running.set(path, controller);
    const log = (words: string) => this.arrived.log(`download: ${wanted.name}: ${words}`);
    try {
      log(`begun, to ${wanted.folder}`);
      const got = await this.show(wanted, controller);
      log(`here (${got.map(({ checked }) => checked).join(', ')})`);
      void this.sayArrived(wanted, got).catch(sayFailed);
    } catch (error) {
      log(controller.signal.aborted ? 'paused' : `failed: ${reasonOf(error)}`);
      void (controller.signal.aborted ? this.sayPaused(wanted) : this.sayFailed(wanted, error)).catch(sayFailed);
    } finally {
      for (const path of paths) this.running.delete(path);
      if (this.running.size === 0) this.progress.emit(null);
    }
  }

  private async show({ name, files, folder }: Wanted, controller: AbortController): Promise<readonly Got[]> {
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Downloading {0}', name),
      cancellable: true,
    };
    return vscode.window.withProgress(options, (notification, token) => {
      token.onCancellationRequested(() => controller.abort());
      let share = 0;
      const report = paced((message, increment) => {
        share += increment / 100;
        notification.report({ message, increment });
        this.progress.emit({ name, words: message, share });
      });
      return fetchFiles(files, folder, this.ports, report, controller.signal);
    });
  }

  private async sayArrived({ name, purpose }: Wanted, got: readonly Got[]): Promise<void> {
    const [first] = got;
    if (first === undefined) return;
    const unverified = got.find(({ checked }) => checked !== 'sha256') ?? first;
    const checked = checkedWords(unverified.checked);
    if (purpose === 'embedding') return this.beginMeaning(name, first.path, checked);
    // Any address may lead to one.
    if (useOf(first.path) === 'embedding') return this.offerMeaning(name, first.path, checked);
    const memory = await this.arrived.look(first.path);
    // The first one was asked for to chat with: nothing more is asked.
    if (!this.arrived.hasModel()) return this.arrived.use(first.path, 'chat');
    const use = vscode.l10n.t('Use This Model');
    const words = vscode.l10n.t('{0} downloaded ({1}). {2}', name, checked, memory);
    if ((await showInformation(words, use)) === use) await this.arrived.use(first.path, 'chat');
  }

  /** Sets the model without a question, because it was asked for to find with. */
  private async beginMeaning(name: string, path: string, checked: string): Promise<void> {
    await this.arrived.use(path, 'embedding');
    await showInformation(
      vscode.l10n.t(
        '{0} downloaded ({1}). It indexes the folder while nothing else runs; then passages are also found by meaning.',
        name,
        checked,
      ),
    );
  }

  private async offerMeaning(name: string, path: string, checked: string): Promise<void> {
    const use = vscode.l10n.t('Find by meaning');
    const words = vscode.l10n.t(
      "{0} downloaded ({1}). It is an embedding model: it finds passages by meaning and can't answer.",
      name,
      checked,
    );
    if ((await showInformation(words, use)) === use) await this.arrived.use(path, 'embedding');
  }

  private async sayPaused(wanted: Wanted): Promise<void> {
    const [resume, remove] = [vscode.l10n.t('Resume'), vscode.l10n.t('Delete the partial download')];
    const words = vscode.l10n.t(
      '{0} is paused. The partial download is kept and can be resumed in "Tidemark: Get or Choose a Model".',
      wanted.name,
    );
    const chosen = await showInformation(words, resume, remove);
    if (chosen === resume) await this.start(wanted);
    if (chosen === remove)
      for (const { name } of wanted.files) await deleteUnfinished({ path: join(wanted.folder, name) });
  }

  private async sayFailed(wanted: Wanted, error: unknown): Promise<void> {
    const again = vscode.l10n.t('Try again');
    const chosen = await showError(`Tidemark: ${reasonOf(error)}`, again);
    if (chosen === again) await this.start(wanted);
  }
}

function sayFailed(error: unknown): void {
  void showError(`Tidemark: ${reasonOf(error)}`);
}

/** A notification cannot change with every packet. */
function paced(report: (message: string, increment: number) => void): (progress: DownloadProgress) => void {
  let marks: readonly { readonly at: number; readonly bytes: number }[] = [];
  let shown = { at: 0, share: 0, state: '' };
  return (progress) => {
    const { state, bytes, total } = progress;
    const at = performance.now();
    if (state === shown.state && at - shown.at < often && bytes !== total) return;
    marks = state === 'receiving' ? [...marks.filter((mark) => at - mark.at < span), { at, bytes }] : [];
    const [first] = marks;
    const rate = first === undefined || at === first.at ? 0 : ((bytes - first.bytes) * 1000) / (at - first.at);
    const share = total === null || state === 'checking' ? shown.share : (100 * bytes) / total;
    report(progressWords(progress, rate), Math.max(0, share - shown.share));
    shown = { at, share: Math.max(share, shown.share), state };
  };
}
