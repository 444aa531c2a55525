// How fast a model is on this machine, and which settings would serve better.

/** Said of a figure that is too low. */
export const whileBusy = 'while other programs were busy';

export interface SpeedRow {
  readonly threads: number;
  /** Prompt tokens decoded per second. */
  readonly prefill: number;
  /** Tokens generated per second. */
  readonly generation: number;
}

export interface Speed {
  /** The device that the model runs on, in words. */
  readonly device: string;
  /** Threads it has now. */
  readonly threads: number;
  /** Whether their number is found while they work. */
  readonly found: boolean;
  /** Tokens of the context window. */
  readonly window: number;
  /** Other programs took cores meanwhile. */
  readonly busy: boolean;
  readonly rows: readonly SpeedRow[];
}

/** Differences below this are noise. */
const telling = 1.1;
/** Below so many tokens per second one reads faster than the model writes. */
const reading = 6;

export function speedText(speed: Speed): string {
  const rows = speed.rows.map(
    ({ threads, prefill, generation }) =>
      `| ${threads}${threads === speed.threads ? ' (now)' : ''} | ${prefill.toFixed(0)} | ${generation.toFixed(1)} |`,
  );
  return [
    `On ${speed.device}${speed.busy ? `, measured ${whileBusy}: the figures are too low` : ''}.`,
    '',
    '| threads | prompt tokens/s | generated tokens/s |',
    '|---|---|---|',
    ...rows,
    '',
    ...advice(speed).map((line) => `- ${line}`),
  ].join('\n');
}

/** Advice about the settings, drawn from the figures, the most useful first. */
export function advice({ rows, threads, found, window, device }: Speed): readonly string[] {
  const now = rows.find((row) => row.threads === threads) ?? rows[0];
  if (now === undefined) return [];
  const best = rows.reduce((a, b) => (worth(b) > worth(a) ? b : a));
  const better = worth(best) / worth(now) > telling ? best : now;
  const change = found
    ? foundWords(threads, better.threads)
    : better === now
      ? `\`tidemark.model.threads\` can stay: no other number is more than 10 % better.`
      : `Set \`tidemark.model.threads\` to ${better.threads}: ${better.prefill.toFixed(0)} instead of ${now.prefill.toFixed(0)} prompt tokens and ${better.generation.toFixed(1)} instead of ${now.generation.toFixed(1)} generated tokens per second.`;
  const full = window / better.prefill;
  const whole = `A full window of ${window.toLocaleString('en')} tokens takes ${inTime(full)} to read; a turn reads its new tokens only.`;
  const slow =
    better.generation < reading
      ? [`It writes more slowly than you read. Try a smaller model or a smaller quantization.`]
      : [];
  const shared = /, \d+ of \d+ layers: the rest does not fit/.test(device)
    ? ['A smaller `tidemark.model.contextSize` leaves room for more layers on the GPU.']
    : [];
  return [change, whole, ...slow, ...shared];
}

/** A turn reads and writes: both count alike, as factors. */
function worth({ prefill, generation }: SpeedRow): number {
  return Math.sqrt(prefill * generation);
}

function inTime(seconds: number): string {
  return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
}

function foundWords(now: number, best: number): string {
  const words = `Threads are chosen automatically while the model works (last: ${now}).`;
  return now === best ? words : `${words} With nothing else at work ${best} are faster.`;
}
