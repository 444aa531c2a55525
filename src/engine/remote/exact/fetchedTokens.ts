// A server's vocabulary for templates and tokenising, which ask for the ids of texts at once: a job runs with the texts that are known,
// those that it missed are fetched together, and it runs again.
import type { Vocabulary } from '../../../templates/vocabulary.ts';
import type { ExactServer, LearnedVocabulary } from './exactServer.ts';
import { endTexts, kindIn, looksLikeMark } from './learnVocabulary.ts';

/** Texts, and characters of them, that are kept; the oldest go between two jobs. */
const most = 16_384;
const mostCharacters = 16_000_000;
/** Rounds until a job has all that it asks for: what is fetched may lead to other texts, but not for ever. */
const mostRounds = 8;

export class FetchedTokens {
  readonly vocabulary: Vocabulary;
  private readonly server: ExactServer;
  private readonly lineBreak: readonly number[] | null;
  private readonly texts: LearnedVocabulary['texts'];
  /** Ids that act, of strings that no text has by chance: the beginning of a text may be a comma. */
  private readonly marks: ReadonlySet<number>;
  private readonly known = new Map<string, readonly number[]>();
  private characters = 0;
  private readonly missing = new Set<string>();

  constructor(server: ExactServer, learned: LearnedVocabulary) {
    this.server = server;
    this.lineBreak = learned.lineBreak;
    this.texts = learned.texts;
    this.marks = new Set([...learned.control].filter((id) => looksLikeMark(learned.texts[id] ?? '')));
    const { facts } = server;
    this.vocabulary = {
      tokenise: (text, further) => this.idsOf(text, further),
      detokenise: (ids, before = []) => this.textOf(ids, before),
      ids: () => learned.texts.keys(),
      kind: (id) => kindIn(learned, id),
      isEnd: (id) => {
        const text = learned.texts[id] ?? '';
        return (
          text !== '' &&
          (text === facts.eos || (endTexts.has(text) && (learned.control.has(id) || learned.userDefined.has(id))))
        );
      },
      pieces: null,
      chatTemplate: facts.chatTemplate,
    };
  }

  /**
   * Runs the job until all texts that it asks for are known, and resolves to its result. Rejects with a FaultError, or with the signal's
   * reason.
   */
  async whole<T>(job: () => T, signal?: AbortSignal): Promise<T> {
    for (let round = 0; round < mostRounds; round++) {
      // Another job may have asked meanwhile.
      this.missing.clear();
      const made = job();
      if (this.missing.size === 0) return made;
      const wanted = [...this.missing];
      this.forgetOldest();
      const ids = await this.server.tokenise(wanted, false, signal);
      for (const [at, text] of wanted.entries()) this.keep(text, this.harmless(text, ids[at] ?? []));
    }
    throw new Error('the texts of a prompt lead to others without an end');
  }

  /** Checks ids again: the proof showed that no special string within a text acts, but the server may have been replaced since. */
  private harmless(text: string, ids: readonly number[]): readonly number[] {
    const acts = (id: number) => this.marks.has(id) && text.includes(this.texts[id] ?? '');
    if (ids.some(acts)) throw this.server.otherTokens('a special string within a text would act');
    return ids;
  }

  private idsOf(text: string, further: boolean): readonly number[] {
    const { lineBreak } = this;
    const goesOn = further && lineBreak !== null;
    const ids = this.look(goesOn ? `\n${text}` : text);
    return goesOn ? ids.slice(lineBreak.length) : ids;
  }

  private look(text: string): readonly number[] {
    const ids = this.known.get(text);
    if (ids === undefined) this.missing.add(text);
    else this.keep(text, ids);
    return ids ?? [];
  }

  /** Moves the text to the end: the oldest are forgotten first. */
  private keep(text: string, ids: readonly number[]): void {
    if (!this.known.delete(text)) this.characters += text.length;
    this.known.set(text, ids);
  }

  private forgetOldest(): void {
    for (const text of this.known.keys()) {
      if (this.known.size <= most && this.characters <= mostCharacters) return;
      this.known.delete(text);
      this.characters -= text.length;
    }
  }

  private textOf(ids: readonly number[], before: readonly number[]): string {
    const { pieces } = this.server;
    const text =
      pieces === null
        ? ids.map((id) => this.texts[id] ?? '\uFFFD').join('')
        : Buffer.concat(ids.map((id) => pieces[id] ?? new Uint8Array())).toString('utf8');
    return this.lineBreak !== null && before.length === 0 && text.startsWith(' ') ? text.slice(1) : text;
  }
}
