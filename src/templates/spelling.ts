// How token ids spell text: whole, or piece by piece while they are generated, never a part of a character.
import type { TokenKind, Vocabulary } from './vocabulary.ts';

export interface Spelling {
  text(ids: readonly number[]): string;
  stream(): TextStream;
}

export interface TextStream {
  push(id: number): string;
  /** Returns the text that was kept back until the end; an incomplete character comes out as U+FFFD. */
  end(): string;
}

type Spelled = Pick<Vocabulary, 'detokenise' | 'kind' | 'pieces'>;

/**
 * Byte-pair vocabularies are spelled from the file's own token list: for some of them (Llama 3) llama.cpp "cleans up"
 * spaces when it detokenizes, so that `a ? b : c` would come out as `a? b : c`.
 */
export function createSpelling(vocabulary: Spelled): Spelling {
  const { pieces } = vocabulary;
  const stream =
    pieces !== null
      ? () => byBytes((id) => tokenBytes(pieces[id] ?? '', vocabulary.kind(id)))
      : () => byDetokenizing(vocabulary);
  const text = (ids: readonly number[]) => {
    const { push, end } = stream();
    return ids.map(push).join('') + end();
  };
  return { text, stream };
}

function byBytes(bytes: (id: number) => Uint8Array): TextStream {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { push: (id) => decoder.decode(bytes(id), { stream: true }), end: () => decoder.decode() };
}

/** Special tokens stand in the file as they are, all others in GPT-2's stand-ins for bytes. */
export function tokenBytes(token: string, { control, userDefined, unknown, unused }: TokenKind): Uint8Array {
  if (unused) return new Uint8Array();
  if (control || userDefined || unknown) return Buffer.from(token);
  const bytes = Array.from(token, (char) => byteOf.get(char));
  return bytes.includes(undefined) ? Buffer.from(token) : Uint8Array.from(bytes as number[]);
}

/** GPT-2 writes visible Latin-1 as itself and moves the other bytes above 255. */
const byteOf: ReadonlyMap<string, number> = (() => {
  let next = 256;
  const visible = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  return new Map(Array.from({ length: 256 }, (_, byte) => [String.fromCodePoint(visible(byte) ? byte : next++), byte]));
})();

/** Ids that spell no characters for so long are let go, so that a model gone mad does not make every step slower. */
const longestWaiting = 256;
/** Ids before the waiting ones that the detokenizer may look at, for spaces. */
const lookBehind = 8;

function byDetokenizing({ detokenise }: Spelled): TextStream {
  let waiting: number[] = [];
  let before: number[] = [];
  /** Characters of the waiting ids that are out already. */
  let given = 0;
  return {
    push: (id) => {
      waiting.push(id);
      const text = detokenise(waiting, before);
      // However many bytes a split character has so far, the decoder writes one U+FFFD for them.
      const split = text.endsWith('\uFFFD') && waiting.length < longestWaiting;
      const piece = text.slice(given, split ? -1 : undefined);
      given += piece.length;
      if (!split) {
        before = [...before, ...waiting].slice(-lookBehind);
        waiting = [];
        given = 0;
      }
      return piece;
    },
    end: () => detokenise(waiting, before).slice(given),
  };
}
