// The audit of the line that a model writes into a summary: it names nothing that the conversation does not hold.
import { namesOf, plainNumbers } from '../words.ts';
import type { CitedSource } from './source.ts';

/** More complaints than these do not help the next try. */
const mostComplaints = 6;

/** Lists the problems in words that a second try can follow; empty when there are none. */
export function auditLine(line: string, sources: readonly CitedSource[]): readonly string[] {
  const { files, identifiers } = namesOf(line);
  const said = plainNumbers(sources.map(({ text }) => text).join('\n'));
  const invented = [...new Set([...files, ...identifiers])].filter((name) => !stands(name.replace(/\(\)$/, ''), said));
  return invented.map((name) => `"${name}" stands nowhere in the conversation`).slice(0, mostComplaints);
}

/** Whether a name stands in the text, where it may be a part of a path or a place; a plural or `name-based` is no other name. */
function stands(name: string, said: string): boolean {
  const plain = plainNumbers(name);
  const forms = [plain, plain.replace(/(?<=\p{L}{2})s$/u, ''), ...(/\d/.test(plain) ? [] : plain.split('-', 1))];
  return forms.some((form) => {
    const letter = String.raw`[\p{Script=Latin}\p{N}_]`;
    const before = /^\d/.test(form) ? String.raw`(?<!\d)` : /^[\p{L}_]/u.test(form) ? `(?<!${letter})` : '';
    const after = /\d$/.test(form) ? String.raw`(?!\d)` : /[\p{L}_]$/u.test(form) ? `(?!${letter})` : '';
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    return new RegExp(before + escaped + after, 'u').test(said);
  });
}
