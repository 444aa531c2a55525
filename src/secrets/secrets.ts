// Whether a note may be kept: a secret is refused, personal data is asked about. Secrets are told by secretlint's rules, then by what those do not know.
import { lintSource } from '@secretlint/core';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { assignedSecret } from './assigned.ts';
import { asTyped } from './asTyped.ts';
import { besideSecret } from './beside.ts';
import { commandSecret } from './commands.ts';
import { personalIn } from './personal.ts';
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

/** The reason against keeping a text, in words, as "an AWS access key". `asks`: the user may keep it all the same. */
export interface NoteProblem {
  readonly words: string;
  readonly asks: boolean;
}

/** Returns the reason against keeping a text, never the secret itself; null where it may be kept. Rejects only when a rule breaks. */
export async function noteProblem(text: string): Promise<NoteProblem | null> {
  const secret = await secretIn(text);
  if (secret !== null) return { words: secret, asks: false };
  const personal = personalIn(text);
  return personal === null ? null : { words: personal, asks: true };
}

/** In words; null for none. */
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
  const shape = shapedSecret(text) ?? assignedSecret(text) ?? commandSecret(text) ?? plainSecret(text);
  if (shape !== null) return shape;
  if (text.split('\n').some((line) => besideSecret(line))) return 'a token';
  return randomToken(text) ? 'a long random token' : null;
}
