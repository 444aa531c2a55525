// An answer with each kind of text that the view draws.
export const gallery = `Here is what changes:

1. The reader takes \`h\` and \`min\`, see src/duration.ts:14.
2. Nothing else.

| unit | seconds |
|---|--:|
| h | 3,600 |

In **src/duration.ts**:

\`\`\`ts
/** Reads a duration. */
export async function parseDuration(text: string): Promise<number> {
  const found = /(\\d+)h/.exec(text) ?? null; // hours
  return found === null ? 0 : Number(found[1]) * 3600;
}
\`\`\`

\`\`\`py
@cached
class Tide(Base):
    def high(self, at=None) -> float:
        return max(self.levels) if at else 1.5
\`\`\`

> A quote, and **strong** words.`;
