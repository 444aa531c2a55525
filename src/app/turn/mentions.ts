// Mentions: what a message names with an @, and the texts that go beside the message for it.
import { countOf } from '../../core/count.ts';
import type { MayShow, Signal } from '../../core/dialog/tool.ts';
import type { TokenCounter } from '../../core/prompt/counter.ts';
import { attachedTexts } from '../../core/prompt/found.ts';
import { leftOut } from '../../core/prompt/leftOut.ts';
import type { UserMessage } from '../../core/turn/turnPorts.ts';
import type { MentionView } from '../../protocol/view.ts';
import { diffWithoutSecrets, withoutSecrets } from '../../secrets/lines.ts';
import { changingKinds, type Mention, type MentionText, namedKinds } from '../ports/mention.ts';
import type { Mentions } from '../ports/project.ts';

/** A text beside the message, and what the composer shows of it. */
export interface Attached {
  readonly attachment: UserMessage['attachments'][number];
  readonly shown: MentionView;
}

/** The largest share of the high-water mark that one attachment takes. */
const attachmentShare = 0.3;

const mention = new RegExp(
  String.raw`(?<![\w@./\\-])@(?:(${namedKinds.join('|')}):("[^"\n]+"(?::\d+(?:-\d+)?)?|[^\s"。，、；：！？]+)|(${changingKinds.join('|')})(?![\w:-]))`,
  'g',
);

/** The mentions of a text in their order, each once. */
export function mentionsIn(text: string): readonly Mention[] {
  const found = [...text.matchAll(mention)].map(([whole, kind, rest = '', alone]) =>
    alone === undefined ? nameOf(kind as Mention['kind'], rest) : { kind: alone, word: whole, name: '', lines: null },
  ) as readonly Mention[];
  return found.filter(({ word, name, kind }, i) => {
    const empty = name === '' && namedKinds.some((one) => one === kind);
    return !empty && found.findIndex((other) => other.word === word) === i;
  });
}

/** The words around the mentions: what these name goes beside the message already. */
export function withoutMentions(text: string): string {
  return text.replace(mention, ' ');
}

/** The words of a message: mentions that stand alone in its last lines are what it points at, and no part of a sentence. */
export function spoken(text: string): string {
  const lines = text.trimEnd().split('\n');
  const isPointer = (line: string) => line.trim() !== '' && withoutMentions(line).trim() === '';
  const end = lines.findLastIndex((line) => !isPointer(line));
  return end < 0
    ? text.trim()
    : lines
        .slice(0, end + 1)
        .join('\n')
        .trim();
}

/** Punctuation behind a mention belongs to the sentence. */
function nameOf(kind: Mention['kind'], rest: string): Mention {
  const given = rest.startsWith('"') ? rest : rest.replace(/(?<!^\.*)[.,;:!?)\]}'`）】」』》”’]+$/, '');
  const [, path = given, first, last] = (kind === 'file' && /^(.+?):(\d+)(?:-(\d+))?$/.exec(given)) || [];
  const lines = first === undefined ? null : { first: Number(first), last: Number(last ?? first) };
  return { kind, word: `@${kind}:${given}`, name: path.replaceAll('"', ''), lines };
}

/** A mention as it is written into a message. */
export function mentionWord({ kind, name }: Pick<Mention, 'kind' | 'name'>): string {
  const plain = /^[^\s"。，、；：！？]*[^\s".,;:!?)\]}'`。，、；：！？）】」』》”’]$/.test(name);
  return `@${kind}:${plain ? name : `"${name}"`}`;
}

/** Resolves mentions, and asks with `show` whether their secrets are shown; without `show` the secrets are left out. */
interface Attaching extends Pick<Mentions, 'resolve'> {
  readonly show?: (word: string) => MayShow;
}

/** Finds what a message mentions. What cannot be had is said beside the message, to the user and to the model. */
export async function attach(
  text: string,
  { resolve, show }: Attaching,
  counter: TokenCounter,
  high: number,
  signal: Signal,
): Promise<readonly Attached[]> {
  const most = Math.floor(high * attachmentShare);
  return Promise.all(
    mentionsIn(text).map(async (one) => {
      const found = await resolve(one, signal);
      if (!found.ok) return refused(one, found.head, counter);
      const { shown, hidden } = await openOrHidden(one, found, show?.(one.word));
      const attached = await fitted(one, shown, most, counter);
      return hidden === ''
        ? attached
        : { ...attached, shown: { ...attached.shown, title: `${attached.shown.title || shown.head}: ${hidden}` } };
    }),
  );
}

/** A text as it may be shown, and in words what of it is left out. */
async function openOrHidden({ kind, name, word }: Mention, text: MentionText, mayShow?: MayShow) {
  const lines = text.body.split('\n');
  const { path, before } = text.of ?? { path: kind === 'file' ? name : '', before: [] };
  const { lines: left, kinds } = kind === 'changes' ? diffWithoutSecrets(lines) : withoutSecrets(lines, path, before);
  if (kinds.length === 0) return { shown: text, hidden: '' };
  const about = kind === 'file' ? name : word;
  if ((await mayShow?.({ about, because: `${about} holds ${kinds.join(', ')}`, lines })) === true)
    return { shown: text, hidden: '' };
  const gone = left.filter((line, at) => line !== lines[at]).length;
  return {
    shown: { ...text, body: left.join('\n') },
    hidden: `${countOf(gone, 'line', 'lines')} with secrets left out`,
  };
}

/** Whether what stands beside a message says that it could not be had. */
export function isRefused({ word }: Mention, { head }: { readonly head: string }): boolean {
  return head.startsWith(refusal(word));
}

const refusal = (word: string) => `${word} is not attached:`;

async function refused({ word }: Mention, problem: string, counter: TokenCounter): Promise<Attached> {
  const attachment = { head: `${refusal(word)} ${problem}`, body: '' };
  const { tokens, exact } = await count(attachment, counter);
  return { attachment, shown: { word, title: '', tokens, exact, problem, cut: false } };
}

/** Fewer characters tell nothing. */
const leastKept = 80;

/** With head and tail of its body where the whole is too large. */
async function fitted({ word }: Mention, { head, body, span }: MentionText, most: number, counter: TokenCounter) {
  let kept = { text: body, words: '' };
  let { tokens, exact } = await count({ head, body }, counter);
  for (let share = (0.95 * most) / tokens; tokens > most && kept.text !== ''; share *= 0.85) {
    const most = Math.floor(body.length * share);
    kept = most < leastKept ? nothingKept : endsOf(body, most, span);
    ({ tokens, exact } = await count({ head, body: kept.text }, counter));
  }
  const title = kept.words === '' ? head : `${head}: ${kept.words}`;
  const problem = kept === nothingKept ? 'Nothing of it fits into the window.' : '';
  const shown = { word, title, tokens, exact, problem, cut: kept.text !== body };
  return { attachment: { head, body: kept.text }, shown };
}

const nothingKept = { text: '', words: '' };

/** The beginning and the end of a text, at whole lines where it has some, between them what is missing, and what stays in words. */
function endsOf(text: string, most: number, span: MentionText['span']) {
  const start = text.slice(0, Math.ceil((most * 2) / 3));
  const end = text.slice(text.length - Math.floor(most / 3));
  const head = start.includes('\n') ? start.slice(0, start.lastIndexOf('\n')) : start.toWellFormed();
  const lines = (part: string) => part.split('\n').length;
  const { first, last, behind } = span ?? { first: 1, last: lines(text), behind: null };
  const whole = end.includes('\n') ? end.slice(end.indexOf('\n') + 1) : end.toWellFormed();
  // Not beyond the place where lines are left out already.
  const tail = behind === null ? whole : whole.split('\n').slice(-behind).join('\n');
  const [from, to] = [first + lines(head), last - lines(tail)];
  const isLines = lines(text) > lines(head) + lines(tail);
  const what = isLines ? `lines ${from} to ${to}` : `${text.length - most} of ${text.length} characters`;
  const note = leftOut(what);
  const words = isLines
    ? `the first ${lines(head)} and the last ${lines(tail)} of ${last - first + 1} lines`
    : 'its beginning and its end';
  return { text: `${head}\n${note}\n${tail}`, words };
}

async function count(attachment: Attached['attachment'], counter: TokenCounter) {
  const { tokens, exact } = await counter.count(attachedTexts(attachment));
  return { tokens: tokens.reduce((a, b) => a + b, 0), exact };
}
