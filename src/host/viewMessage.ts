// Checks what a webview sends before anything trusts it.
import { isRecord } from '../core/record.ts';
import type { ViewToHost } from '../protocol/view.ts';

/** A message as a webview sent it, or null when it is none. */
export function parseViewMessage(value: unknown): ViewToHost | null {
  if (!isRecord(value)) return null;
  const { type, text, item, path, line, fold, proposal, keep } = value;
  switch (type) {
    case 'ready':
    case 'stop':
    case 'refreshWorkspace':
    case 'newSession':
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
    case 'open':
      return typeof path === 'string' && Number.isInteger(line) ? { type, path, line: Number(line) } : null;
    default:
      return null;
  }
}
