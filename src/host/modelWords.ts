// What is said about models that may be fetched, are being fetched, or lie here.
import { bytesInWords } from '../core/count.ts';
import type { MemoryPlan } from '../core/memoryPlan.ts';
import type { Progress } from '../models/download.ts';
import type { Ranked, Verdict } from '../models/rank.ts';

/** What the user is asked to agree to. */
export interface Offer {
  readonly name: string;
  /** Where the request goes first. */
  readonly host: string;
  readonly encrypted: boolean;
  /** `about`: as the catalogue has it; `unasked` and `untold`: the server was not asked yet, or does not say. */
  readonly bytes: { readonly count: number; readonly about: boolean } | 'unasked' | 'untold';
  /** Null where it is not known. */
  readonly licence: string | null;
  readonly folder: string;
  /** Bytes; null where it cannot be told. */
  readonly free: number | null;
}

export const groupWords: Readonly<Record<Verdict, string>> = {
  fits: 'fits',
  tight: 'tight',
  no: 'too large',
};

export function offerWords({ name, host, encrypted, bytes, licence, folder, free }: Offer): {
  readonly message: string;
  readonly detail: string;
} {
  const lines = [
    sizeWords(bytes),
    `Licence: ${licence ?? `not known here; look at the model's page before you use it`}.`,
    `To: ${folder}${free === null ? '' : ` (${bytesInWords(free)} free)`}.`,
    'Nobody has verified this file for Tidemark. Its size is compared, and its SHA-256 where the server tells it.',
    `${host} may lead on to the place where the file lies.${encrypted ? '' : ' The connection is not encrypted.'}`,
    'Tidemark uses the network for this and for nothing else. Nothing of your code is sent.',
  ];
  return { message: `Download ${name} from ${host}?`, detail: lines.join('\n') };
}

/** Whether the server's size is so far from what was agreed to that the user is asked again. */
export function asksAgain(agreed: Offer['bytes'], told: number | null): boolean {
  if (typeof agreed === 'string') return true;
  return told !== null && told > 1.1 * agreed.count;
}

function sizeWords(bytes: Offer['bytes']): string {
  if (bytes === 'unasked') return 'Size: not known yet; the server is asked first, and you are asked again.';
  if (bytes === 'untold') return 'Size: the server does not say; it may be many gigabytes.';
  return `Size: ${bytes.about ? 'about ' : ''}${bytesInWords(bytes.count)}.`;
}

/** `rate`: bytes a second; 0 while unknown. */
export function progressWords({ state, bytes, total, why }: Progress, rate: number): string {
  const done = total === null ? bytesInWords(bytes) : `${bytesInWords(bytes)} of ${bytesInWords(total)}`;
  if (state === 'checking') return `checking its SHA-256: ${done}`;
  if (state === 'waiting') return `${done} · trying again. ${why}`;
  if (state === 'elsewhere') return `${done} · another window downloads it`;
  const left = total === null || rate <= 0 ? '' : ` · ${timeWords((total - bytes) / rate)} left`;
  return `${done}${rate > 0 ? ` · ${bytesInWords(rate)}/s` : ''}${left}`;
}

export function rowWords({ model, quantisation, verdict, why }: Ranked): {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
} {
  const { name, licence, note } = model;
  const unverified = quantisation.sha256 === 'unverified' ? ' · unverified' : '';
  return {
    label: `${name} · ${quantisation.name}`,
    description: `${groupWords[verdict]} · ${bytesInWords(quantisation.bytes)} · ${licence}${unverified}`,
    detail: `${why[0]?.toUpperCase()}${why.slice(1)}.${note === '' ? '' : ` ${note}`}`,
  };
}

/** Of a file that lies here, as a sentence. */
export function planWords({ needed, repacked, wanted: { free } }: MemoryPlan): string {
  const kept = needed.ram - repacked;
  const no = kept > free.ram || needed.gpu > free.gpu;
  const verdict = no ? 'Too large for now' : needed.ram > free.ram ? 'Tight' : 'Fits';
  const gpu = needed.gpu === 0 ? '' : ` and ${bytesInWords(needed.gpu)} of ${bytesInWords(free.gpu)} on the GPU`;
  return `${verdict}: takes about ${bytesInWords(kept)} of ${bytesInWords(free.ram)} free${gpu}.`;
}

function timeWords(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`;
}
