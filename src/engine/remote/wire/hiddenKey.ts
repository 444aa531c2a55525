// The key of a server, where a text of that server has it: as it is, as in a URL or in JSON, or within base64. Nobody is to read it there, and
// nothing of it is stored.

/** Signs. A shorter key is no secret, and could be a word of any text: it is hidden only behind the word that sends it. */
const shortest = 8;
const shown = '[key]';

export type HideKey = (text: string) => string;

export class HiddenKey {
  private readonly pattern: RegExp | null;
  /** The key's forms in lower case: a text that ends with the beginning of one waits for more. */
  private readonly forms: readonly string[];

  /** `key`: printable ASCII; '' where there is none. */
  constructor(key: string) {
    const within = key.length < shortest ? [] : base64Forms(key);
    const own = [...key].map(anyForm).join('[\\p{Cc}\\p{Cf}]*');
    const plain = key.length < shortest ? `(?<=\\b(?:bearer|basic)\\s+)${own}` : own;
    const patterns = [plain, ...within.map((form) => [...form].map(anyAlphabet).join(''))];
    this.pattern = key === '' ? null : new RegExp(patterns.join('|'), 'giu');
    this.forms = key.length < shortest ? [] : [key, encodeURIComponent(key), ...within].map((one) => one.toLowerCase());
  }

  readonly in: HideKey = (text) => (this.pattern === null ? text : text.replace(this.pattern, shown));

  /** JSON whose texts do not have it. Throws where it is none. */
  parse(text: string): unknown {
    if (this.pattern === null) return JSON.parse(text);
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? this.in(value) : value));
  }

  /** For a text that comes in pieces: what ends like its beginning waits for the next one. */
  stream(): { push: HideKey; end: () => string } {
    let pending = '';
    return {
      push: (piece) => {
        const text = this.in(pending + piece);
        const waits = this.begunAtEnd(text.toLowerCase());
        pending = text.slice(text.length - waits);
        return text.slice(0, text.length - waits);
      },
      end: () => {
        const rest = pending;
        pending = '';
        return rest;
      },
    };
  }

  /** Signs at the end that could be the beginning of a form. */
  private begunAtEnd(text: string): number {
    const lengths = this.forms.map((form) => {
      let length = Math.min(form.length - 1, text.length);
      while (length > 0 && !text.endsWith(form.slice(0, length))) length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}

/** The signs of base64 that follow from the key alone, at each of the three places within a group that it can begin at. */
function base64Forms(key: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const whole = Buffer.from(`${'\0'.repeat(shift)}${key}`).toString('base64');
    return whole.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * (shift + key.length)) / 6));
  });
}

/** A sign as it is, or as URLs and JSON write it: the arguments of a call are JSON within JSON. */
function anyForm(sign: string): string {
  const code = sign.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:${/["\\/]/.test(sign) ? '\\\\?' : ''}${escaped(sign)}|%${code}|\\\\u00${code})`;
}

function anyAlphabet(sign: string): string {
  return sign === '+' || sign === '-' ? '[+-]' : sign === '/' || sign === '_' ? '(?:\\\\?/|_)' : sign;
}

function escaped(sign: string): string {
  return /[A-Za-z0-9 ]/.test(sign) ? sign : `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
