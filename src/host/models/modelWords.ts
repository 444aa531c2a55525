// Words about models that may be fetched, are being fetched, or lie here.
import { t } from '@vscode/l10n';
import { bytesInWords } from '../../core/count.ts';
import type { MemoryPlan } from '../../core/machine/memoryPlan.ts';
import type { CatalogueModel, EmbeddingModel, OtherModel, Quantisation } from '../../models/catalogue.ts';
import type { DownloadProgress } from '../../models/progress.ts';
import type { RankedModel } from '../../models/rank.ts';

/** The download that the user is asked to agree to. */
export interface Offer {
  readonly name: string;
  /** The host that the request goes to first. */
  readonly host: string;
  readonly encrypted: boolean;
  /** `about`: as the catalogue has it; `unasked` and `untold`: the server was not asked yet, or does not say. */
  readonly bytes: { readonly count: number; readonly about: boolean } | 'unasked' | 'untold';
  /** The licence; null where it is not known. */
  readonly licence: string | null;
  readonly folder: string;
  /** Bytes; null where it cannot be told. */
  readonly free: number | null;
}

export function offerWords({ name, host, encrypted, bytes, licence, folder, free }: Offer): {
  readonly message: string;
  readonly detail: string;
} {
  const lines = [
    sizeWords(bytes),
    licence === null ? t("License: unknown. Check the model's page before you use it.") : t('License: {0}', licence),
    free === null ? t('To: {0}.', folder) : t('To: {0} ({1} free).', folder, bytesInWords(free)),
    t("We haven't verified this model. Its size and, where available, its SHA-256 are checked after the download."),
    t('The download from {0} may be redirected to another server.', host),
    ...(encrypted ? [] : [t('The connection is not encrypted.')]),
    t('Tidemark uses the network only for this. None of your code is sent.'),
  ];
  return { message: t('Download {0} from {1}?', name, host), detail: lines.join('\n') };
}

/** Whether the server's size is so far from what was agreed to that the user is asked again. */
export function asksAgain(agreed: Offer['bytes'], told: number | null): boolean {
  if (typeof agreed === 'string') return true;
  return told !== null && told > 1.1 * agreed.count;
}

function sizeWords(bytes: Offer['bytes']): string {
  if (bytes === 'unasked') return t('Size: unknown. The server is asked first, and you confirm again.');
  if (bytes === 'untold') return t('Size: unknown. It may be many gigabytes.');
  const count = bytesInWords(bytes.count);
  return bytes.about ? t('Size: about {0}', count) : t('Size: {0}', count);
}

/** `rate`: bytes a second; 0 while unknown. */
export function progressWords({ state, bytes, total, why }: DownloadProgress, rate: number): string {
  const done = total === null ? bytesInWords(bytes) : t('{0} of {1}', bytesInWords(bytes), bytesInWords(total));
  if (state === 'checking') return t('checking its SHA-256: {0}', done);
  if (state === 'waiting') return t('{0} · trying again. {1}', done, why);
  if (state === 'elsewhere') return t('{0} · another window downloads it', done);
  if (rate <= 0) return done;
  const pace = `${bytesInWords(rate)}/s`;
  return total === null
    ? t('{0} · {1}', done, pace)
    : t('{0} · {1} · {2} left', done, pace, timeWords((total - bytes) / rate));
}

type Group = 'fits' | 'slow' | 'tight' | 'no';

export const groupWords: Readonly<Record<Group, string>> = {
  fits: t('fits'),
  slow: t('slow here'),
  tight: t('leaves little memory'),
  no: t('too large for now'),
};

export const groupOf = ({ verdict, slow }: RankedModel): Group => (verdict === 'fits' && slow ? 'slow' : verdict);

/** Figures in one line; words below them only where they help to decide. */
export function rowWords(ranked: RankedModel): Row {
  const { model, verdict } = ranked;
  const memory = verdict === 'fits' ? '' : memoryWords(ranked);
  const detail = [memory, splitWords(ranked), model.note].filter(Boolean).join(' ');
  return { ...figures(ranked), label: labelOf(ranked), detail };
}

function memoryWords({ needed, free }: RankedModel): string {
  return t('Needs about {0} of {1} free memory.', bytesInWords(needed), bytesInWords(free));
}

/** llama.cpp's library puts whole layers on the GPU; its server can leave there all but the experts. */
function splitWords({ split, mixed, verdict }: RankedModel): string {
  if (!split || !mixed || verdict === 'no') return '';
  return t(
    'Too large for the GPU: some layers run on the processor. llama-server with --n-cpu-moe splits it better (docs/servers.md).',
  );
}

/** A row of which it is not known yet how it does on this machine. */
export function listedWords(model: CatalogueModel, quantisation: Quantisation): Row {
  return {
    label: labelOf({ model, quantisation }),
    description: [bytesInWords(quantisation.bytes), triedWords(model), model.licence].join(' · '),
    detail: model.note,
  };
}

/** The row to begin with. */
export function recommendedWords(ranked: RankedModel): Row {
  const { model, quantisation, slow } = ranked;
  const why = slow
    ? t('The fastest on this computer of the models mentioned for local use, but still slow.')
    : t('Of the models fast enough for this computer, the one most often mentioned for local use.');
  const bits = /^(?:UD-)?I?Q(\d)/.exec(quantisation.name)?.[1];
  const weights = bits === undefined ? quantisation.name : t('{0}: {1} bits per weight.', quantisation.name, bits);
  return {
    ...figures(ranked),
    label: `$(star-full) ${labelOf(ranked)}`,
    detail: [why, memoryWords(ranked), weights, model.note].filter(Boolean).join(' '),
  };
}

function labelOf({ model: { name }, quantisation }: Pick<RankedModel, 'model' | 'quantisation'>): string {
  return `${name} · ${quantisation.name}`;
}

function figures({ model, quantisation, firstWord, tokensPerSecond: rate }: RankedModel) {
  const pace = t('~{0} tokens/s', rate < 10 ? rate.toFixed(1) : String(Math.round(rate)));
  const waits = [t('first word ~{0}', timeWords(firstWord)), pace];
  return { description: [...waits, bytesInWords(quantisation.bytes), triedWords(model), model.licence].join(' · ') };
}

function triedWords({ ran }: Pick<OtherModel, 'ran'>): string {
  return ran ? t('tried by us') : t('not tried by us');
}

interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** The one click beside a chat model. */
export function meaningWords(model: EmbeddingModel): Row {
  const [quantisation] = model.quantisations;
  const bytes = bytesInWords(quantisation?.bytes ?? 0);
  return {
    label: `$(search) ${t('Get {0} ({1}) to find by meaning', model.name, bytes)}`,
    description: `${model.licence} · ${triedWords(model)}`,
    detail: t('A small embedding model next to the chat model. It finds passages that use other words.'),
  };
}

export function embeddingWords(model: EmbeddingModel, quantisation: Quantisation): Row {
  const { name, note } = model;
  return {
    label: `$(cloud-download) ${t('Get {0} ({1})', name, bytesInWords(quantisation.bytes))}`,
    description: `${model.licence} · ${triedWords(model)}`,
    detail: note,
  };
}

/** Says in a sentence whether a model that lies here fits into memory. */
export function planWords({ needed, repacked, wanted: { free } }: MemoryPlan): string {
  const kept = needed.ram - repacked;
  const no = kept > free.ram || needed.gpu > free.gpu;
  const verdict = no ? t('Too large for now') : needed.ram > free.ram ? t('Tight') : t('Fits');
  const figures = [verdict, bytesInWords(kept), bytesInWords(free.ram)] as const;
  return needed.gpu === 0
    ? t('{0}: needs about {1} of {2} free memory.', ...figures)
    : t(
        '{0}: needs about {1} of {2} free memory and {3} of {4} on the GPU.',
        ...figures,
        bytesInWords(needed.gpu),
        bytesInWords(free.gpu),
      );
}

function timeWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`;
}
