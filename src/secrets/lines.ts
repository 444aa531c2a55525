// Which lines of a file hold a secret, and of which kind, and the file's lines without them. Fast: it reads every passage that goes into a prompt.
import { secretMark } from '../core/prompt/leftOut.ts';
import { assignedSecret } from './assigned.ts';
import { besideSecret } from './beside.ts';
import { commandSecret } from './commands.ts';
import { isPlaceholder } from './placeholder.ts';
import { saidSecret } from './plainly.ts';
import { randomToken } from './random.ts';
import { holdsSecrets, isAboutSecrets } from './secretNames.ts';
import { shapedSecret } from './shapes.ts';

/** No rule finds anything in a line without one of these. */
const worth =
  /pass|pwd|pw|secret|token|cred|key|auth|log ?in|sign ?in|bearer|:\/\/|identified by|\bsig=|cookie|\$(?:apr1|2|argon|[156]|y)|kennwort|admin|root|user|contrase|psk|hook|bot\d|mnemonic|phrase|seed|clave|mot de passe|senha|парол|密|口令|パス|비밀|has[lł]o|wachtwoord|l[öo]senord|heslo|[şs]ifre|otp|2fa|:\d{2,5}:|mysqli|connect|smtp|(?<![\w+/=-])(?=[A-Za-z+/_=-]{0,60}\d)[\w+/=-]{16}/i;

/** A longer line is looked at in pieces, which overlap: no piece takes long. */
const piece = 2000;
const overlap = 200;

/** In words; null for none. `path`: what the line is of; '' where that is not known. */
export function secretInLine(line: string, path = ''): string | null {
  if (line.length > piece) {
    for (let at = 0; at < line.length; at += piece - overlap) {
      const found = secretInLine(line.slice(at, at + piece), path);
      if (found !== null) return found;
    }
    return null;
  }
  if (!worth.test(line)) return null;
  const found = shapedSecret(line) ?? assignedSecret(line) ?? commandSecret(line) ?? saidSecret(line);
  if (found !== null) return found;
  if (besideSecret(line, isAboutSecrets(path))) return 'a token';
  return randomToken(line) && !isHexAlone(line) ? 'a long random token' : null;
}

/** Checksums stand in code and data without a word that says so. */
function isHexAlone(line: string): boolean {
  return (line.match(/[A-Za-z0-9+/_=-]{32,}/g) ?? []).every((one) => /^(?:0x)?[0-9a-f-]+$/i.test(one));
}

const opens = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
const closes = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;
/** Begins a block that looks like a secret and is none: a certificate, a public key, a signature. */
const opensPublic =
  /-----BEGIN (?:TRUSTED )?(?:CERTIFICATE|PUBLIC KEY|[A-Z]{1,10} PUBLIC KEY|PGP PUBLIC KEY BLOCK|PGP SIGNATURE|X509 CRL|DH PARAMETERS|CERTIFICATE REQUEST)/;
const closesPublic = /-----END /;
const body = /(?:^|[\s"'`+|>]|\\n)[A-Za-z0-9+/]{20}[A-Za-z0-9+/=]*/;
/** A line between the two ends of a key, in whatever quotes. */
const isBody = (line: string) =>
  line.length < 500 &&
  /^[\s"'`+|>*#,;()b-]{0,80}(?:[A-Za-z0-9+/=]{2,}|[\w-]{1,40}: .{0,200})?(?:\\[rn]|[\s"'`+,;().\\]){0,80}$/.test(line);
/** The name of something secret that begins a group of values. */
const opensGroup =
  /["']?([\w.-]{0,60}(?:pass(?:word|wd)?|pwd|secret|token|_key|apikey|credentials?)[\w-]{0,20})["']?\s?[:=]\s?\{\s*$/i;
/** Says that the words behind it are those from which keys are made again. */
const opensPhrase = /\b(?:mnemonic|(?:recovery|seed|backup)[ _-]?(?:phrase|words?))\b/i;
const stopWord =
  /^(?:the|and|for|you|are|not|but|was|has|had|his|her|its|our|who|why|how|did|per|via|yet|nor|this|that|with|from|into|your|must|have|keep|here)$/;

/** At least six short words without those that every sentence has, as the lists of recovery phrases (BIP 39) have none of these. */
function isPhrase(line: string): boolean {
  const words = line.match(/[A-Za-z]+/g) ?? [];
  return words.length >= 6 && words.every((word) => /^[a-z]{3,8}$/.test(word) && !stopWord.test(word));
}

/** The name of something secret that the line behind it gives the value of. */
const namesNext =
  /(?:\b(?:name|key)["']?\s?[:=]\s?["']?|<key>)([\w.-]{0,60}(?:pass(?:word|wd)?|pwd|secret|token|api_?key|credentials?)[\w-]{0,20})["']?(?:<\/key>)?,?\s*$/i;
const givesValue = /^\s*-?\s*(?:["']?value["']?\s?[:=]\s?|<string>)["']?([^"'<\s]{4,300})/i;

/** The lines that hold a secret, by their place from 0, with its kind in words. */
export function secretLines(lines: readonly string[], path: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const whole = holdsSecrets(path);
  const columns = /\.[ct]sv$/i.test(path) ? secretColumns(lines[0] ?? '') : [];
  let within: 'key' | 'public' | null = null;
  const above = new LinesAbove();
  for (const [at, line] of lines.entries()) {
    if (line.includes('-----')) {
      if (opensPublic.test(line) || (within === 'public' && closesPublic.test(line))) {
        within = closesPublic.test(line) ? null : 'public';
        continue;
      }
      if (opens.test(line) && opensKey(lines, at)) within = 'key';
      if (within === 'key') {
        found.set(at, 'a private key');
        if (closes.test(line)) within = null;
        continue;
      }
    }
    if (within === 'public') {
      if (isBody(line)) continue;
      within = null;
    }
    if (within === 'key') {
      if (isBody(line)) {
        if (line.trim() !== '') found.set(at, 'a private key');
        continue;
      }
      within = null;
    }
    const behind = above.of(line);
    const kind =
      secretInLine(line, path) ??
      behind ??
      secretBehind(lines[at - 1], line) ??
      (inColumn(line, at, columns) ? 'a password' : null);
    if (kind !== null) found.set(at, kind);
    else if (whole && says(line)) found.set(at, 'a line of a file of secrets');
  }
  return found;
}

/** Tells of a line that it holds a secret by what the lines above it began: a group of values, or a recovery phrase. */
class LinesAbove {
  private name: string | null = null;
  private left = 0;
  private isPhrase = false;

  of(line: string): string | null {
    if (line.length > piece) return null;
    const [, name] = opensGroup.exec(line) ?? [];
    this.left = name !== undefined ? mostInGroup : /^\s*\}/.test(line) ? 0 : this.left - 1;
    this.name = name ?? (this.left > 0 ? this.name : null);
    const opens = opensPhrase.test(line);
    const words = opens ? line.replace(opensPhrase, '').replace(/^[^:=]*[:=]/, '') : line;
    const phrase = (opens || this.isPhrase) && isPhrase(words);
    this.isPhrase = opens || (this.isPhrase && (phrase || line.trim() === ''));
    if (phrase) return 'a recovery phrase';
    return this.name === null || name !== undefined ? null : valueGiven(this.name, line);
  }
}
const mostInGroup = 7;

/** A key begins where its own letters follow, in the line or behind it: the words alone are no key. */
function opensKey(lines: readonly string[], at: number): boolean {
  const [, rest = ''] = (lines[at] ?? '').split(opens);
  if (body.test(rest)) return true;
  const next = lines.slice(at + 1, at + 6).filter((line) => line.trim() !== '');
  const first = next.find((line) => !/^[\w-]{1,40}: /.test(line.trim())) ?? '';
  return body.test(first) && isBody(first);
}

function secretBehind(before: string | undefined, line: string): string | null {
  const [, name] = namesNext.exec(before ?? '') ?? [];
  return name === undefined ? null : valueGiven(name, line);
}

function valueGiven(name: string, line: string): string | null {
  const [, value] = givesValue.exec(line) ?? [];
  return value === undefined ? null : assignedSecret(`${name}="${value}"`);
}

function secretColumns(header: string): readonly number[] {
  return header
    .split(/[,;\t]/)
    .flatMap((name, at) => (/pass|pwd|secret|token|api.?key|\bpin\b/i.test(name) ? [at] : []));
}

function inColumn(line: string, at: number, columns: readonly number[]): boolean {
  if (at === 0 || columns.length === 0) return false;
  const cells = line.split(/[,;\t]/);
  return columns.some((column) => {
    const cell = (cells[column] ?? '').replace(/^\s*"|"\s*$/g, '').trim();
    return cell.length >= 4 && !isPlaceholder(cell);
  });
}

/** Not blank, no bracket alone, no comment. */
function says(line: string): boolean {
  return /[A-Za-z0-9]{2}/.test(line) && !/^\s*(?:#|\/\/|;|--\s|<!--)/.test(line);
}

/** A text with a mark in the place of each line that holds a secret; `kinds` is empty where none does. */
export interface WithoutSecrets {
  readonly lines: readonly string[];
  readonly kinds: readonly string[];
}

/** Returns as many lines as before, each mark as far in as its line. `before`: the lines above them in their file, which may say what they are. */
export function withoutSecrets(lines: readonly string[], path: string, before: readonly string[] = []): WithoutSecrets {
  const found = secretLines([...before, ...lines], path);
  const kinds = lines.map((_, at) => found.get(before.length + at));
  const shown = lines.map((line, at) => {
    const kind = kinds[at];
    return kind === undefined ? line : `${/^\s*/.exec(line)?.[0] ?? ''}${secretMark(kind)}`;
  });
  return { lines: shown, kinds: [...new Set(kinds.filter((kind) => kind !== undefined))] };
}

/** Returns the lines alone, of a text whose path is not known: the search that every result of a tool passes on its way into the dialog. */
export function concealLines(lines: readonly string[]): readonly string[] {
  return withoutSecrets(lines, '').lines;
}

/** The same of a diff, whose lines are of several files; of each stretch what was and what is are looked at by themselves. */
export function diffWithoutSecrets(lines: readonly string[]): WithoutSecrets {
  const { lines: apart, kinds: found } = withoutSecrets(lines, '');
  const shown = [...apart];
  const kinds = new Set(found);
  let path = '';
  for (let at = 0; at < lines.length; at++) {
    path = /^(?:\+\+\+ b|--- a)\/(.*)$/.exec(lines[at] ?? '')?.[1] ?? path;
    if (lines[at]?.startsWith('@@') !== true) continue;
    const from = at + 1;
    while (/^[+ \\-]/.test(lines[at + 1] ?? '')) at++;
    const stretch = Array.from({ length: at + 1 - from }, (_, i) => from + i);
    for (const other of ['+', '-']) {
      const side = stretch.filter((i) => lines[i]?.startsWith(other) === false);
      const hidden = withoutSecrets(
        side.map((i) => lines[i]?.slice(1) ?? ''),
        path,
      );
      for (const kind of hidden.kinds) kinds.add(kind);
      for (const [n, i] of side.entries())
        if (hidden.lines[n] !== lines[i]?.slice(1)) shown[i] = `${lines[i]?.[0]}${hidden.lines[n]}`;
    }
  }
  return { lines: shown, kinds: [...kinds] };
}

/** The same of a text, with the ends of its lines as they are. */
export function textWithoutSecrets(text: string, path: string): string {
  const { lines, kinds } = withoutSecrets(text.split(lineEnd), path);
  if (kinds.length === 0) return text;
  const ends = text.match(new RegExp(lineEnd, 'g')) ?? [];
  return lines.map((line, at) => line + (ends[at] ?? '')).join('');
}

const lineEnd = /\r\n|\n|\r/;
