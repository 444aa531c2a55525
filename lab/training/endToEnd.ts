// The questions people wrote, asked as a user would: the whole command line, with the model's own calls and results.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;
const folders = { sample: join(root, 'test', 'fixtures', 'sample'), repository: copyOfRepository() };

/** Without the questions: their texts would be found there. */
function copyOfRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tidemark-questions-'));
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.trim().split('\n'))
    if (!file.startsWith('lab/training/questions/') && existsSync(join(root, file)))
      cpSync(join(root, file), join(copy, file));
  process.on('exit', () => rmSync(copy, { recursive: true }));
  return copy;
}

interface Question {
  readonly in: keyof typeof folders;
  readonly ask: string;
  readonly file: string;
  /** How the line begins that a right answer names. */
  readonly line: string;
  /** Asked about a file, the answer names this with its line instead of `path:line`. */
  readonly names?: string;
}

export interface Score {
  right: number;
  asked: number;
  readonly wrong: { readonly ask: string; readonly answer: string }[];
}

/** Asks all questions of a file one by one, each in a session of its own. Throws where a question names no line. */
export function askAll(name: 'before' | 'between' | 'after', model: string): Score {
  const file = join(root, 'lab', 'training', 'questions', `${name}.json`);
  const questions = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Question[]) : [];
  const score: Score = { right: 0, asked: 0, wrong: [] };
  for (const question of questions) {
    const answer = ask(question, model);
    score.asked += 1;
    if (isRight(question, answer)) score.right += 1;
    else score.wrong.push({ ask: question.ask, answer });
  }
  return score;
}

function ask(question: Question, model: string): string {
  const args = [
    'lab/cli/ask.ts',
    '--json',
    '--model',
    model,
    '--context-size',
    '4096',
    '--workspace',
    folders[question.in],
    '--',
    question.ask,
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
  return status === 0 ? (JSON.parse(stdout) as { answer: string }).answer : stderr;
}

function isRight({ in: where, file, line, names }: Question, answer: string): boolean {
  const lines = readFileSync(join(folders[where], file), 'utf8').split('\n');
  const at = lines.findIndex((text) => text.startsWith(line)) + 1;
  if (at === 0) throw new Error(`no line of ${file} begins with ${JSON.stringify(line)}`);
  if (names !== undefined) return answer.includes(file) && answer.includes(`${names} (line ${at})`);
  return new RegExp(`(?<![\\w/.-])${file.replace(/[.]/g, '\\$&')}:${at}(?!\\d)`).test(answer);
}
