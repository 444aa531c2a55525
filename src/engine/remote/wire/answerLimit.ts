// Limits an answer's size: so many characters for the tokens that were asked for, and only so much text that says nothing. Pieces are not
// counted: one server sends a character at a time, another one all at once.
import type { Http } from './http.ts';
import type { Silence } from './silence.ts';

/** Characters for each token asked for, and for any answer: tokens of code and prose have four on average, and runs of blanks up to 128. */
const perToken = 32;
const fewest = 4096;
/** Events without a word above the tokens asked for: a server may send one for each token that it keeps to itself. */
const slack = 64;

export class AnswerLimit {
  private readonly http: Pick<Http, 'fault'>;
  private readonly silence: Pick<Silence, 'heard'>;
  private readonly tokens: number;
  private characters = 0;
  private empty = 0;

  /** `tokens`: asked for. `silence` hears of each sign of life. */
  constructor(http: Pick<Http, 'fault'>, tokens: number, silence: Pick<Silence, 'heard'>) {
    this.http = http;
    this.tokens = tokens;
    this.silence = silence;
  }

  /** So many characters came with an event, before anybody sees them. `works`: it shows in another way that the server does. Throws a FaultError. */
  took(characters: number, works = characters > 0): void {
    this.characters += characters;
    if (this.characters > Math.max(fewest, perToken * this.tokens))
      throw this.http.fault({ is: 'endless', tokens: this.tokens });
    if (works) this.silence.heard();
    else this.empty += 1;
    if (this.empty > this.tokens + slack)
      throw this.http.fault({ is: 'notUnderstood', reason: 'its events say nothing' });
  }
}
