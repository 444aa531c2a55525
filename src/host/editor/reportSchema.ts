// Reads a saved report, and checks all of it that is shown: the file may be anybody's.

import { t } from '@vscode/l10n';
import { layers } from '../../core/prompt/prompt.ts';
import { states } from '../../core/report/decisions.ts';
import { shareKinds } from '../../core/report/shares.ts';
import type { ReportFile } from '../../protocol/questions.ts';
import { problemIn } from '../../settings/schemaProblem.ts';

const text = { type: 'string' };
const yesNo = { type: 'boolean' };
const tokens = { type: 'integer', minimum: 0 };
const time = { type: 'number', minimum: 0 };

function whole(properties: Readonly<Record<string, object>>, mayBe: Readonly<Record<string, object>> = {}): object {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...mayBe } };
}

function list(properties: Readonly<Record<string, object>>, mayBe: Readonly<Record<string, object>> = {}): object {
  return { type: 'array', items: whole(properties, mayBe) };
}

const decision = {
  from: tokens,
  to: tokens,
  label: text,
  layer: { enum: layers },
  state: { enum: states },
  pinned: yesNo,
  before: tokens,
  after: tokens,
  by: text,
  why: text,
};

const call = {
  node: text,
  promptTokens: tokens,
  prefill: whole({ reused: tokens, shifted: tokens, decoded: tokens, milliseconds: time }),
  breakAt: { anyOf: [{ type: 'null' }, whole({ words: text, again: tokens })] },
  generatedTokens: tokens,
  firstTokenMilliseconds: time,
};

const schema = whole(
  {
    budget: whole({ window: { type: 'integer', minimum: 1 }, reserve: tokens, high: tokens, low: tokens }),
    total: tokens,
    exact: yesNo,
    layers: list({ layer: { enum: layers }, tokens }),
    tools: list({ name: text, tokens }),
    workspace: list({ name: text, raw: tokens, injected: tokens }),
    state: list({ name: text, tokens }),
    decisions: list(decision),
    calls: list(call, { model: text, thoughtTokens: tokens }),
    prompt: text,
  },
  { margin: tokens, shares: list({ layer: { enum: layers }, kind: { enum: shareKinds }, tokens }) },
);

/** Throws an Error whose words say what is wrong with the file. */
export function readReport(json: string, name: string): ReportFile {
  const value = parsed(json);
  const problem = problemIn(schema, value);
  if (problem !== null) throw new Error(t('{0} is not a Tidemark report: {1}.', name, problem));
  const { calls, prompt, ...stack } = value as ReportFile['stack'] & Pick<ReportFile, 'calls' | 'prompt'>;
  return { name, stack, calls, prompt };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new Error(t('Not a Tidemark report. Choose a report saved by Tidemark.'));
  }
}
