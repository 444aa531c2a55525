// Answers as models of many families write them, and which part of them may be seen: nothing that stands between marks of thoughts, and no mark.

import type { ThoughtMarks } from '../../src/core/answer/thoughts.ts';
import { readGeneration } from '../../src/core/calls/read.ts';
import type { ThinkingMode } from '../../src/core/dialog/dialog.ts';
import { openedMark } from '../../src/core/model/thoughts.ts';
import type { ProbedTemplate } from '../../src/templates/probeTemplate.ts';

/** Texts as they came from models, most with the opening mark left to the template. */
export const rows: readonly string[] = [
  'I will look.\n</think>\n\nThe answer is 7.',
  'The constant `maxRetries` is 7.\n</think>\n\nThe answer is 7.',
  'I would write\n```ts\nconst a = 1;\n```\nso.\n</think>\n\nHere:\n```ts\nconst a = 2;\n```',
  'The constant maxRetries is',
  '<|channel>thought\nI look at it.<channel|>The answer is 7.',
  'thought\nI look at it.The answer is 7.',
  'I look.<|END_THINKING|><|START_TEXT|>The answer is 7.<|END_TEXT|>',
  'I look.<|close|>think<|sep|>The answer is 7.',
  '<|think|>I look.<|end|><|begin|>assistant<|content|>The answer is 7.',
  'First I look.\n[BEGIN FINAL RESPONSE]\nThe answer is 7.\n<|end|>',
  '<think>\nI look at `x`.\n</think>\nThe answer is 7.',
  '[THINK]I look at `x`.[/THINK]The answer is 7.',
  '<seed:think>I look</seed:think>The answer is 7.',
  '<think:opensource>I look</think:opensource>The answer is 7.',
  '<mm:think>I look</mm:think>The answer is 7.',
  'The answer is 7.',
];

/** Written down here, so that the reader is not judged by its own list. */
const marks =
  '<think> </think> [THINK] [/THINK] <seed:think> </seed:think> <|channel> <channel|> <|channel|> <|message|> <|START_THINKING|> <|END_THINKING|> <|START_TEXT|> <|END_TEXT|> <|START_RESPONSE|> <|END_RESPONSE|> <|open|> <|close|> <|sep|> <|think|> <|begin|> <|content|> <think:opensource> </think:opensource> <mm:think> </mm:think> [BEGIN&FINAL&RESPONSE] <|inner_prefix|> <|inner_suffix|> ◁think▷ ◁/think▷'
    .split(' ')
    .map((mark) => mark.replaceAll('&', ' '));

export function hasMark(answer: string): boolean {
  return marks.some((mark) => answer.includes(mark));
}

/** The text that the template ends a prompt with. */
export function tailOf({ template }: ProbedTemplate, thinking?: ThinkingMode): string {
  const segment = (text: string) => [{ layer: 'turn', item: text, part: 'text', text } as const];
  const messages = [
    { role: 'system', segments: segment('s') },
    { role: 'user', segments: segment('u') },
  ] as const;
  const last = template.render({ messages, tools: [], ...(thinking && { thinking }) }, true).at(-1);
  return last !== undefined && 'glue' in last ? last.glue : '';
}

export function answerOf({ toolCalls, thinking }: ProbedTemplate, raw: string, tail: string, ended = true): string {
  const opened = openedMark(tail, { toolCalls: 'auto' }, thinking.marks);
  const syntax = toolCalls.format === 'none' ? null : toolCalls.syntax;
  return readGeneration(syntax, opened + raw, ended, [], thinking.marks).text;
}

const thoughts = [
  'I look.',
  'The `</think>` of `x`, and `[/THINK]`.',
  'I write\n```ts src/sum.ts\nconst a = 1;\n```\nso.',
  'One.\n\nTwo < three > "four".',
];
const answer = 'The answer is 7:\n```ts src/sum.ts\nconst a = 2;\n```';

/** The part of thoughts in the template's own marks that comes through, piece by piece too; null where nothing does. */
export function seenOfThoughts(probed: ProbedTemplate, source: string): string | null {
  const tail = tailOf(probed, probed.thinking.switch === null ? undefined : 'on');
  const { open, close, answer: around = ['', ''] } = marksOf(probed, source, tail);
  const opened = tail.trimEnd().endsWith(open.trimEnd());
  for (const thought of thoughts) {
    const raw = `${opened ? '' : open}\n${thought}\n${close}${around[0]}\n\n${answer}${around[1]}`;
    if (answerOf(probed, raw, tail).trim() !== answer)
      return `read as ${JSON.stringify(answerOf(probed, raw, tail).slice(0, 60))}`;
    for (let n = 1; n < raw.length; n += 3) {
      const sofar = answerOf(probed, raw.slice(0, n), tail, false).trim();
      if (!answer.startsWith(sofar)) return `shows ${JSON.stringify(sofar.slice(0, 60))} meanwhile`;
    }
  }
  return null;
}

/** The pairs of families, by a text of their templates; the common ones otherwise. */
function marksOf({ toolCalls, thinking }: ProbedTemplate, source: string, tail: string): ThoughtMarks {
  if (toolCalls.format === 'harmony')
    return {
      open: '<|channel|>analysis<|message|>',
      close: '<|end|>',
      answer: ['<|start|>assistant<|channel|>final<|message|>', ''],
    };
  const known: readonly ThoughtMarks[] = [
    { open: '<|channel>thought', close: '<channel|>' },
    { open: '<|START_THINKING|>', close: '<|END_THINKING|>', answer: ['<|START_TEXT|>', '<|END_TEXT|>'] },
    {
      open: '<|open|>think<|sep|>',
      close: '<|close|>think<|sep|>',
      answer: ['<|open|>response<|sep|>', '<|close|>response<|sep|>'],
    },
    { open: '<mm:think>', close: '</mm:think>' },
    { open: '<think:opensource>', close: '</think:opensource>' },
    { open: '<|think|>', close: '<|end|><|begin|>assistant<|content|>' },
    { open: '<seed:think>', close: '</seed:think>' },
    { open: '[THINK]', close: '[/THINK]' },
    { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
    { open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' },
  ];
  const inSource = ({ open }: ThoughtMarks) =>
    open === '<|think|>' ? source.includes('<|begin|>') : source.includes(open.split('thought')[0] ?? open);
  const found = known.find(({ open }) => tail.trimEnd().endsWith(open)) ?? known.find(inSource);
  return found ?? thinking.marks[0] ?? { open: '<think>', close: '</think>' };
}
