// `/remember` and `/memory`, typed in the chat: what to keep, show or change, or words about what was not understood.

export type MemoryCommand =
  | { readonly kind: 'remember'; readonly everywhere: boolean; readonly text: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'log' }
  | { readonly kind: 'help' }
  | { readonly kind: 'edit'; readonly number: number; readonly text: string }
  | { readonly kind: 'forget'; readonly number: number }
  | { readonly kind: 'unknown'; readonly words: string };

export const memoryHelp = [
  '- `/remember TEXT` keep a fact or a preference for this workspace',
  '- `/remember --everywhere TEXT` keep it for all workspaces',
  '- `/remember --anyway TEXT` keep it though it tells something about a person',
  '- `/memory` what is remembered, with numbers',
  '- `/memory edit N TEXT` change an entry',
  '- `/memory forget N` forget an entry, in the log as well',
  '- `/memory log` the latest changes to the memory and the work board',
].join('\n');

/** Null for text that is no such command. */
export function parseMemoryCommand(line: string): MemoryCommand | null {
  const [, name, rest = ''] = /^(\/remember|\/memory)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  if (name === undefined) return null;
  return name === '/remember' ? remember(rest) : memory(rest);
}

function remember(rest: string): MemoryCommand {
  const [, flag, text = ''] = /^--(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (flag === undefined) return { kind: 'remember', everywhere: false, text: rest };
  // A user who was asked about a text says so in front of it; the check of the text reads that word.
  if (flag === 'anyway') return { kind: 'remember', everywhere: false, text: rest };
  if (flag === 'everywhere') return { kind: 'remember', everywhere: true, text };
  return { kind: 'unknown', words: 'After `/remember` comes the text, or `--everywhere` and the text.' };
}

function memory(rest: string): MemoryCommand {
  const [, what = '', argument = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  switch (what) {
    case '':
      return { kind: 'list' };
    case 'list':
    case 'log':
    case 'help':
      return { kind: what };
    case 'edit': {
      const [, number, text = ''] = /^#?(\d+)\s+([\s\S]+)$/.exec(argument) ?? [];
      if (number !== undefined) return { kind: 'edit', number: Number(number), text };
      return { kind: 'unknown', words: '`/memory edit` needs the number of an entry and its new text.' };
    }
    case 'forget': {
      const number = /^#?(\d+)$/.exec(argument)?.[1];
      if (number !== undefined) return { kind: 'forget', number: Number(number) };
      return { kind: 'unknown', words: '`/memory forget` needs the number of one entry; `/memory` shows them.' };
    }
    default:
      return { kind: 'unknown', words: `There is no such \`/memory\` command.\n\n${memoryHelp}` };
  }
}
