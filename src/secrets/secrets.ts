// Says whether a text holds a secret, and of which kind: by secretlint's rules, then by what those do not know.
import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { assignedSecret } from './assigned.ts';
import { asTyped } from './asTyped.ts';
import { plainSecret } from './plainly.ts';
import { randomToken } from './random.ts';
import { ruleWords } from './ruleWords.ts';
import { shapedSecret } from './shapes.ts';

/** All rules but the one that lets a comment in the text switch the others off. */
const config = {
  rules: rules
    .filter(({ meta }) => meta.id !== '@secretlint/secretlint-rule-filter-comments')
    .map((rule) => ({ id: rule.meta.id, rule })),
};

/** In words, as "an AWS access key"; null for none. Never says the secret itself. Rejects only when a rule breaks. */
export async function secretIn(text: string): Promise<string | null> {
  const { messages } = await lintSource({
    source: { filePath: 'text.txt', ext: '.txt', content: text, contentType: 'text' },
    options: { config, noPhysicFilePath: true },
  });
  const [found] = messages;
  if (found !== undefined) return ruleWords(found.ruleId);
  return shapeIn(text) ?? shapeIn(asTyped(text));
}

function shapeIn(text: string): string | null {
  const shape = shapedSecret(text) ?? assignedSecret(text) ?? plainSecret(text);
  return shape ?? (randomToken(text) ? 'a long random token' : null);
}
