// A tool with an effect, as tests want one: each of its calls is a deed of its own.
import type { ActingTool, Deed, Signal, ToolResult, TurnWords } from '../../../src/core/dialog/tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface Acting extends Pick<ActingTool, 'schema' | 'effect'> {
  readonly run: (
    args: Arguments,
    signal: Signal,
    around: { readonly message: string; readonly onText: (text: string) => void },
  ) => Promise<ToolResult>;
  /** More of the deed, by the arguments of its call. */
  readonly deed?: (args: Arguments, turn: TurnWords) => Partial<Deed>;
}

export function acting({ schema, effect, run, deed }: Acting): ActingTool {
  return {
    ...{ schema, effect },
    deeds: {
      together: effect === 'write',
      plan: async (calls, { message }, turn) =>
        calls.map(
          ({ id, arguments: args }): Deed => ({
            ...{ calls: [id], effect, shown: '', asks: '', doubt: '', allowed: false, lasting: [] },
            run: async (signal, onText) => new Map([[id, await run(args, signal, { message, onText })]]),
            ...deed?.(args, turn),
          }),
        ),
    },
  };
}

/** Nothing is a secret. */
export const showAll = (lines: readonly string[]) => lines;
