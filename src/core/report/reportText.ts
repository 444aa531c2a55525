// The report in words: a summary, a list and the detail of one item as Markdown.

import type { Mechanisms } from '../agent/mechanisms.ts';
import { count, countOf } from '../count.ts';
import { datedText } from '../dialog/day.ts';
import type { Item } from '../dialog/dialog.ts';
import { stability } from '../prompt/prompt.ts';
import type { Decision, State } from './decisions.ts';
import type { CallReport, StackReport } from './report.ts';
import { layerWords, stabilityWords, stateWords } from './reportNames.ts';

/** The context's layers, calls and costs, as Markdown. */
export function summaryText(stack: StackReport, calls: readonly CallReport[], mechanisms: Mechanisms): string {
  const { budget } = stack;
  const share = (tokens: number) => `${((tokens / budget.window) * 100).toFixed(1)} %`;
  const rows = stack.layers
    .filter(({ tokens }) => tokens > 0)
    .map(
      ({ layer, tokens }) =>
        `| ${layerWords[layer]} | ${stabilityWords[stability[layer]]} | ${count(tokens)} | ${share(tokens)} |`,
    );
  return [
    `**${lengthOf(stack)} of ${count(budget.window)} tokens** (${share(stack.total)}). Limit ${count(budget.high)}, trim target ${count(budget.low)}, ${count(budget.reserve)} reserved for the reply.`,
    '',
    '| layer | | tokens | of the window |',
    '|---|---|---:|---:|',
    ...rows,
    '',
    ...shareLines(stack),
    ...toolLines(stack),
    ...workspaceLines(stack, mechanisms),
    ...stateLine(stack.decisions),
    ...calls.map(callLine),
    ...mechanismLines(mechanisms),
  ].join('\n');
}

function lengthOf({ total, exact, margin }: StackReport): string {
  if (exact || margin === 0) return count(total);
  return margin === undefined ? `About ${count(total)}` : `${count(total)} ± ${count(margin)}`;
}

/** Tokens of each kind, for each layer that has several kinds. */
function shareLines({ shares = [] }: StackReport): readonly string[] {
  const lines = [...Map.groupBy(shares, ({ layer }) => layer)].flatMap(([layer, all]) =>
    all.length === 1
      ? []
      : [`- ${layerWords[layer]}: ${all.map(({ kind, tokens }) => `${kind} ${count(tokens)}`).join(', ')}`],
  );
  return lines.length === 0 ? [] : [...lines, ''];
}

/** The schemas of tools, the largest first. */
function toolLines({ tools }: StackReport): readonly string[] {
  if (tools.length === 0) return [];
  const schemas = tools.toSorted((a, b) => b.tokens - a.tokens);
  return [`Tool schemas: ${schemas.map(({ name, tokens }) => `${literal(name)} ${count(tokens)}`).join(', ')}.`, ''];
}

function workspaceLines({ workspace }: StackReport, { workspaceCache }: Mechanisms): readonly string[] {
  if (workspace.length === 0) return [];
  const files = workspace.map(({ name, raw, injected }) => {
    const cut = raw > injected ? ` of ${count(raw)}` : '';
    return `${literal(name)} ${count(injected)}${cut}`;
  });
  const stale = workspaceCache?.stale === true ? ' A file has changed; `/context refresh` takes the change in.' : '';
  return [`Workspace files: ${files.join(', ')}.${stale}`, ''];
}

function stateLine(decisions: readonly Decision[]): readonly string[] {
  const sums = new Map<State, number>();
  for (const { state, from, to } of decisions) sums.set(state, (sums.get(state) ?? 0) + to - from);
  const words = [...sums].map(([state, items]) => `${items} ${stateWords[state]}`);
  return words.length === 0 ? [] : [`Items: ${words.join(', ')}. \`/context list\` shows them.`, ''];
}

function callLine({ node, promptTokens, prefill, breakAt, firstTokenMilliseconds }: CallReport): string {
  const { reused, shifted, decoded } = prefill;
  const broke = breakAt === null ? '' : `; ${breakAt.words}`;
  const kept = `${count(reused)} reused, ${count(shifted)} shifted, ${count(decoded)} decoded`;
  return `- ${node}: ${count(promptTokens)} tokens, ${kept}, first token after ${seconds(firstTokenMilliseconds)}${broke}`;
}

function mechanismLines({
  promptCache,
  tokenCounter,
  workspaceCache,
  trims,
  folds: compactions,
  foldMilliseconds,
  switches,
}: Mechanisms): readonly string[] {
  const off = (on: boolean) => (on ? '' : ' (off)');
  const ratio = promptCache.prompt === 0 ? 0 : (promptCache.reused + promptCache.shifted) / promptCache.prompt;
  return [
    '',
    `Prompt cache${off(switches.promptCache)}: ${(ratio * 100).toFixed(0)} % of ${count(promptCache.prompt)} prompt tokens were reused; ${count(promptCache.decoded)} decoded, ${count(promptCache.idle)} while idle, ${countOf(promptCache.breaks, 'cache break')} in ${countOf(promptCache.calls, 'call')}.`,
    `Trims: ${trims.trims}; pruned items ${trims.stubbed}, shortened results ${trims.capped}; ${count(trims.freed)} tokens freed.`,
    `Compactions${off(switches.compaction !== 'off')}: ${compactionWords(compactions, foldMilliseconds)}.`,
    ...(tokenCounter === null
      ? []
      : [
          `Token counter${off(switches.tokenCounter)}: ${countOf(tokenCounter.hits, 'hit')}, ${countOf(tokenCounter.misses, 'miss', 'misses')}, ${count(tokenCounter.asked)} asked, ${count(tokenCounter.estimated)} estimated, ${countOf(tokenCounter.failures, 'failure')}, circuit breaker ${tokenCounter.breaker}.`,
        ]),
    ...(workspaceCache === null
      ? []
      : [
          `Workspace cache${off(switches.workspaceCache)}: ${countOf(workspaceCache.hits, 'hit')}, ${countOf(workspaceCache.misses, 'miss', 'misses')}, ${countOf(workspaceCache.invalidations, 'invalidation')}.`,
        ]),
  ];
}

function compactionWords(compactions: Mechanisms['folds'], took: Mechanisms['foldMilliseconds']): string {
  const ended = Object.entries(compactions).filter(([, attempts]) => attempts > 0);
  if (ended.length === 0) return 'none yet';
  const all = Object.values(took).reduce((sum, milliseconds) => sum + milliseconds, 0);
  return `${ended.map(([outcome, attempts]) => `${attempts} ${outcome}`).join(', ')}; ${seconds(all)} in all`;
}

/** Every item or run with its number, which `/context detail` takes. */
export function listText(stack: StackReport): string {
  const { decisions } = stack;
  const rows = decisions.map(({ from, to, label, state, pinned, before, after, by }) => {
    const number = to - from === 1 ? String(from) : `${from}–${to - 1}`;
    const tokens = before === after ? count(after) : `${count(before)} → ${count(after)}`;
    return `| ${number} | ${literal(label)} | ${stateWords[state]}${pinned ? ', pinned' : ''} | ${tokens} | ${by} |`;
  });
  if (rows.length === 0) return 'The context is empty.';
  return ['| # | item | state | tokens | by |', '|---|---|---|---:|---|', ...rows, '', ...toolLines(stack)]
    .join('\n')
    .trimEnd();
}

/** A single item: its text in the prompt, and its whole text. */
export function detailText(decision: Decision, item: Item, sent: string): string {
  const { label, state, pinned, layer, before, after, by, why } = decision;
  const raw = wholeText(item, sent);
  const reason = why === '' ? '' : ` because ${why}`;
  return [
    `**${literal(label).trim()}**`,
    '',
    `${stateWords[state]}${pinned ? ', pinned' : ''} in ${layerWords[layer]} by ${by}${reason}: ${count(before)} tokens before, ${count(after)} now.`,
    '',
    'As sent:',
    fenced(sent),
    ...(raw.trim() === sent.trim() ? [] : ['Original:', fenced(raw)]),
  ].join('\n');
}

/** All of an item, as it was sent where nothing was taken away: the day in front of a message is no change of it. */
export function wholeText(item: Item, sent: string): string {
  return item.origin === 'user' && sent === datedText(item) ? sent : rawText(item);
}

/** All there is of an item, as text. */
export function rawText(item: Item): string {
  switch (item.origin) {
    case 'user':
    case 'assistant':
    case 'note':
      return item.text;
    case 'call':
      return [item.text, ...item.calls.map((call) => `${call.name} ${JSON.stringify(call.arguments)}`)]
        .filter(Boolean)
        .join('\n');
    case 'knowledge':
      return [item.before, item.after].filter(Boolean).join('\n');
    case 'attachment':
    case 'result':
      return item.body === '' ? item.head : `${item.head}\n${item.body}`;
    default:
      return item satisfies never;
  }
}

/** A fence longer than any in the text, so that the text cannot end it. */
export function fenced(text: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Nothing in it acts as Markdown, in a table neither. */
export function literal(text: string): string {
  return text.replace(/[|\\`<*_[\]~&]/g, '\\$&');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
