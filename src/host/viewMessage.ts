// Checks what a webview sends before anything trusts it.
import { isRecord } from '../core/record.ts';
import { type Asked, questionNames } from '../protocol/questions.ts';
import type { ViewToHost } from '../protocol/view.ts';

/** A message as a webview sent it, or null when it is none. */
export function parseViewMessage(value: unknown): ViewToHost | null {
  if (!isRecord(value)) return null;
  const { type, id, text, item, path, line, fold, proposal, keep, name, on, shown, key, code, language } = value;
  switch (type) {
    case 'ready':
    case 'stop':
    case 'regenerate':
    case 'refreshWorkspace':
    case 'newSession':
    case 'importSession':
    case 'restartModel':
    case 'chooseModel':
      return { type };
    case 'send':
    case 'written':
      return typeof text === 'string' ? { type, text } : null;
    case 'edit':
      return typeof text === 'string' && typeof item === 'string' ? { type, item, text } : null;
    case 'remember':
      return typeof item === 'string' ? { type, item } : null;
    case 'answerProposal':
      return typeof fold === 'string' && typeof proposal === 'string' && typeof keep === 'boolean'
        ? { type, fold, proposal, keep }
        : null;
    case 'switchTool':
      return typeof name === 'string' && typeof on === 'boolean' ? { type, name, on } : null;
    case 'listSessions':
      return typeof shown === 'boolean' ? { type, shown } : null;
    case 'openSetting':
      return typeof key === 'string' ? { type, key } : null;
    case 'unqueue':
      return Number.isInteger(id) ? { type, id: Number(id) } : null;
    case 'ask':
      return parseQuestion(value);
    case 'open':
      return typeof path === 'string' && Number.isInteger(line) ? { type, path, line: Number(line) } : null;
    case 'copyCode':
    case 'insertCode':
    case 'applyCode':
    case 'createFile':
      return typeof code === 'string' && typeof language === 'string' && (path === null || typeof path === 'string')
        ? { type, code, language, path }
        : null;
    default:
      return null;
  }
}

function parseQuestion({ id, question, params }: Readonly<Record<string, unknown>>): Asked | null {
  const name = questionNames.find((known) => known === question);
  if (name === undefined || !Number.isInteger(id) || !isRecord(params)) return null;
  const [key, type] = wanted[name];
  if (key !== null && typeof params[key] !== type) return null;
  if (name === 'changeSession' && !isChange(params)) return null;
  return { type: 'ask', id: Number(id), question: name, params: params as Asked['params'] };
}

const changes: readonly unknown[] = ['open', 'rename', 'delete', 'exportMarkdown', 'exportJson'];

function isChange({ what, title }: Readonly<Record<string, unknown>>): boolean {
  return changes.includes(what) && typeof title === 'string';
}

/** The first parameter of each question, and its type. */
const wanted = {
  command: ['line', 'string'],
  item: ['at', 'number'],
  prompt: [null, ''],
  folds: [null, ''],
  saveReport: [null, ''],
  openReport: [null, ''],
  complete: ['typed', 'string'],
  sessions: ['words', 'string'],
  changeSession: ['id', 'string'],
  examples: [null, ''],
} as const satisfies Readonly<Record<Asked['question'], readonly [string | null, string]>>;
