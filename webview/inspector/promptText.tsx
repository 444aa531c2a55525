// The exact prompt: the text that the model gets, piece by piece in the colours of the layers. Hover or arrow keys tell a piece's tokens.
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Layer } from '../../src/core/prompt/prompt.ts';
import type { StackReport } from '../../src/core/report/report.ts';
import type { PromptPiece } from '../../src/protocol/questions.ts';
import { number } from '../shared/format.ts';
import { fill, t } from '../shared/l10n.ts';
import { layerNames } from '../shared/layerNames.ts';
import { useAnswer } from './useAnswer.ts';

type Which = 'next' | 'sent';

function leadWords(of: Which, tokens: string, pieces: number): string {
  return of === 'next'
    ? t('Exact prompt for your next message: {0} tokens, {1} parts, special tokens included', tokens, pieces)
    : t('Exact prompt of the latest call: {0} tokens, {1} parts, special tokens included', tokens, pieces);
}

export function PromptText({ stack }: { stack: StackReport | null }) {
  const [of, choose] = useState<Which>('next');
  return (
    <section class="prompt-text">
      <div class="legend">
        <Choice which="next" of={of} choose={choose} words={t('Next message')} />
        <Choice which="sent" of={of} choose={choose} words={t('Latest call')} />
      </div>
      <Chosen key={of} of={of} stack={stack} />
    </section>
  );
}

function Choice({ which, of, choose, words }: { which: Which; of: Which; choose: (of: Which) => void; words: string }) {
  return (
    <button type="button" class="chip" aria-pressed={which === of} onClick={() => choose(which)}>
      {words}
    </button>
  );
}

function Chosen({ of, stack }: { of: Which; stack: StackReport | null }) {
  const { value, problem } = useAnswer('prompt', { of }, stack);
  if (problem !== '') return <p class="hint">{problem}</p>;
  if (value === null) return <p class="hint">{t('Reading the prompt…')}</p>;
  return <Pieces of={of} pieces={value.pieces} total={value.total} stack={stack} />;
}

/** The template prints the schemas within words of its own, and the tokens of both are one run. */
const pieceNames = { ...layerNames, tools: t('Tools, with the text that the chat template adds') };

interface PiecesProps {
  readonly of: Which;
  readonly pieces: readonly PromptPiece[];
  readonly total: number;
  readonly stack: StackReport | null;
}

function Pieces({ of, pieces, total, stack }: PiecesProps) {
  const [current, choose] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.min(current, pieces.length - 1);
  // Pieces without text are skipped, since there is nowhere to scroll to.
  const steps = useMemo(() => pieces.flatMap(({ text }, i) => (text === '' ? [] : i)), [pieces]);
  const go = (to: number) => {
    choose(to);
    list.current?.querySelector(`#piece-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <>
      <p class="hint">{leadWords(of, number(total), pieces.length)}</p>
      <Legend pieces={pieces} go={go} />
      <div class="piece-words" role="status">
        {pieces[at] !== undefined && <PieceWords pieces={pieces} at={at} stack={stack} />}
      </div>
      <div
        ref={list}
        class="pieces"
        role="listbox"
        aria-label={t('The exact prompt')}
        aria-activedescendant={`piece-${at}`}
        tabIndex={0}
        onKeyDown={(event) => {
          const to = stepOf(event.key, at, steps);
          if (to === null) return;
          event.preventDefault();
          go(to);
        }}
      >
        {pieces.map((piece, i) => (
          <Piece key={`${i + 1}`} piece={piece} at={i} current={i === at} choose={choose} />
        ))}
      </div>
    </>
  );
}

/** `steps`: the pieces that can be gone to. */
function stepOf(key: string, at: number, steps: readonly number[]): number | null {
  const on = steps.find((step) => step > at) ?? at;
  const back = steps.findLast((step) => step < at) ?? at;
  const ends = { Home: steps[0], End: steps.at(-1) };
  const to = { ArrowDown: on, ArrowRight: on, ArrowUp: back, ArrowLeft: back, ...ends }[key];
  return to ?? null;
}

interface PieceProps {
  readonly piece: PromptPiece;
  readonly at: number;
  readonly current: boolean;
  readonly choose: (at: number) => void;
}

function Piece({ piece: { layer, text, tokens }, at, current, choose }: PieceProps) {
  if (text === '') return null;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the current piece.
    <span
      id={`piece-${at}`}
      class={`piece layer-${layer} ${current ? 'current' : ''}`}
      role="option"
      aria-selected={current}
      title={t('{0}: {1} tokens', pieceNames[layer], number(tokens))}
      onMouseMove={({ movementX, movementY }) => {
        // A text that scrolls below a pointer that rests has not been pointed at.
        if (movementX !== 0 || movementY !== 0) choose(at);
      }}
    >
      {text}
    </span>
  );
}

function PieceWords({ pieces, at, stack }: Pick<PiecesProps, 'pieces' | 'stack'> & { at: number }) {
  const start = pieces.slice(0, at).reduce((sum, { tokens }) => sum + tokens, 0);
  const { layer, item, role, tokens } = pieces[at] as PromptPiece;
  const place = item === null ? undefined : stack?.decisions.find((decision) => decision.item === item)?.from;
  const names = [pieceNames[layer], role ?? '', place === undefined ? '' : t('item {0}', place)];
  return (
    <>
      <span class={`swatch layer-${layer}`} />{' '}
      {fill(
        tokens === 1 ? t('{0}: {1} token (position {2})') : t('{0}: {1} tokens (position {2})'),
        names.filter(Boolean).join(', '),
        <b>{number(tokens)}</b>,
        number(start),
      )}
    </>
  );
}

/** The layers that are there with their tokens, each a way to its first piece. */
function Legend({ pieces, go }: { pieces: readonly PromptPiece[]; go: (to: number) => void }) {
  const rows = useMemo(() => {
    const sums = new Map<Layer, { readonly first: number; readonly tokens: number }>();
    pieces.forEach(({ layer, tokens }, i) => {
      const { first, tokens: before } = sums.get(layer) ?? { first: i, tokens: 0 };
      sums.set(layer, { first, tokens: before + tokens });
    });
    return [...sums].filter(([, { tokens }]) => tokens > 0);
  }, [pieces]);
  return (
    <div class="legend">
      {rows.map(([layer, { first, tokens }]) => (
        <button
          key={layer}
          type="button"
          class="chip"
          title={t('{0}: go to its first part', pieceNames[layer])}
          onClick={() => go(first)}
        >
          <span class={`swatch layer-${layer}`} /> {layerNames[layer]} {number(tokens)}
        </button>
      ))}
    </div>
  );
}
