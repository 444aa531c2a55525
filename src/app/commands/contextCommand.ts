// `/context` and its kin, typed in the chat: what to show or do, or words about what was not understood.

export type ContextCommand =
  | { readonly kind: 'summary' | 'list' }
  | { readonly kind: 'help' | 'refresh' | 'metrics' }
  | { readonly kind: 'detail' | 'pin' | 'unpin' | 'evict' | 'restore'; readonly item: number }
  | { readonly kind: 'whatif'; readonly window: number }
  | { readonly kind: 'export'; readonly format: 'json' | 'markdown' }
  | { readonly kind: 'unknown'; readonly words: string };

export const contextHelp = [
  '- `/context` what the prompt contains and what it cost',
  '- `/context list` every item with its number',
  '- `/context detail N` one item, as sent and original',
  '- `/context pin N`, `unpin N` keep an item in the prompt as long as it fits',
  '- `/context remove N` leave an item out, `restore N` restore it with the next message',
  '- `/context whatif N` the prompt as it would be in a window of N tokens',
  '- `/context refresh` read changed workspace files again',
  '- `/context export json`, `export markdown` the whole report with the exact prompt',
  '- `/context metrics` the counts in Prometheus text format',
].join('\n');

/** Null for text that is no such command. */
export function parseContextCommand(text: string): ContextCommand | null {
  const [name, what = '', ...rest] = text.trim().split(/\s+/);
  if (name !== '/context') return null;
  const argument = rest[0] ?? '';
  switch (what) {
    case '':
      return { kind: 'summary' };
    case 'list':
    case 'refresh':
    case 'help':
    case 'metrics':
      return { kind: what };
    case 'detail':
    case 'pin':
    case 'unpin':
    case 'evict':
    case 'remove':
    case 'restore': {
      const number = /^#?(\d+)$/.exec(argument)?.[1];
      if (number !== undefined) return { kind: what === 'remove' ? 'evict' : what, item: Number(number) };
      return {
        kind: 'unknown',
        words: `\`/context ${what}\` needs the number of an item; \`/context list\` shows them.`,
      };
    }
    case 'whatif': {
      const [, number, thousands] = /^(\d{1,7})(k?)$/i.exec(argument.replaceAll(',', '')) ?? [];
      if (number === undefined)
        return { kind: 'unknown', words: '`/context whatif` needs a window in tokens, for instance `4096` or `16k`.' };
      return { kind: 'whatif', window: Number(number) * (thousands === '' ? 1 : 1024) };
    }
    case 'export':
      if (argument === '' || argument === 'json' || argument === 'markdown') {
        return { kind: 'export', format: argument === 'json' ? 'json' : 'markdown' };
      }
      return { kind: 'unknown', words: 'A report can be exported as `json` or `markdown`.' };
    default:
      return { kind: 'unknown', words: `There is no \`/context ${what}\`.\n\n${contextHelp}` };
  }
}
