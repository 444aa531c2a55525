// `/work`, typed in the chat: what to put on the work board or to change there, or words about what was not understood.
import type { WorkItem } from '../../core/memory/memory.ts';

/** What a number names: `3` is an item, `D3` a decision. */
export interface Target {
  readonly shelf: 'work' | 'decision';
  readonly number: number;
}

export type WorkCommand =
  | { readonly kind: 'list' }
  | { readonly kind: 'help' }
  | { readonly kind: 'add' | 'decide'; readonly text: string }
  | { readonly kind: 'state'; readonly state: WorkItem['state']; readonly target: Target }
  /** A step of the model's plan, by its number in the list. */
  | { readonly kind: 'take'; readonly step: number }
  | { readonly kind: 'edit'; readonly target: Target; readonly text: string }
  | { readonly kind: 'remove'; readonly target: Target }
  | { readonly kind: 'unknown'; readonly words: string };

export const workHelp = [
  '- `/work` the work board of this workspace, with numbers',
  '- `/work add TEXT` put something on it',
  '- `/work doing N`, `done N`, `open N` say how it stands',
  '- `/work edit N TEXT` change it, `remove N` take it off the board',
  '- `/work take P1` put a step of the plan on it',
  '- `/work decide TEXT because REASON` keep a decision, with or without a reason',
  '- `/work edit D1 TEXT`, `remove D1` the same for a decision',
].join('\n');

/** Null for text that is no such command. */
export function parseWorkCommand(line: string): WorkCommand | null {
  const [name, rest = ''] = /^\/work(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  if (name === undefined) return null;
  const [, what = '', argument = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  switch (what) {
    case '':
    case 'list':
      return { kind: 'list' };
    case 'help':
      return { kind: 'help' };
    case 'add':
    case 'decide':
      if (argument !== '') return { kind: what, text: argument };
      return unknown(`\`/work ${what}\` needs a text.`);
    case 'take': {
      const [, step] = /^p?(\d+)$/i.exec(argument) ?? [];
      return step === undefined ? needsNumber(what) : { kind: what, step: Number(step) };
    }
    case 'edit': {
      const [, number = '', text = ''] = /^(\S+)\s+([\s\S]+)$/.exec(argument) ?? [];
      const target = targetOf(number);
      return target === null ? needsNumber('edit', ' and its new text') : { kind: 'edit', target, text };
    }
    case 'open':
    case 'doing':
    case 'done':
    case 'remove': {
      const target = targetOf(argument);
      if (target === null) return needsNumber(what);
      return what === 'remove' ? { kind: 'remove', target } : { kind: 'state', state: what, target };
    }
    default:
      return unknown(`There is no such \`/work\` command.\n\n${workHelp}`);
  }
}

function targetOf(word: string): Target | null {
  const [, letter = '', number] = /^#?(d?)(\d+)$/i.exec(word) ?? [];
  return number === undefined ? null : { shelf: letter === '' ? 'work' : 'decision', number: Number(number) };
}

function needsNumber(what: string, more = ''): WorkCommand {
  return unknown(`\`/work ${what}\` needs one number${more}; \`/work\` shows them.`);
}

function unknown(words: string): WorkCommand {
  return { kind: 'unknown', words };
}
