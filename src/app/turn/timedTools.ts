// Tools that say how long they ran, for the views. The core has no clock.
import type { Tool } from '../../core/dialog/tool.ts';

export function timedTools(tools: readonly Tool[], now: () => Date): readonly Tool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (args, signal, mayShow) => {
      const began = now().getTime();
      const result = await tool.run(args, signal, mayShow);
      return { ...result, milliseconds: Math.max(0, now().getTime() - began) };
    },
  }));
}
