// Writes to the terminal: texts of files, models and names act on it in no way, and a fault names flags where the editor has settings.
import type { Writable } from 'node:stream';
import type { Fault } from '../../src/core/faults/fault.ts';
import { wordFault } from '../../src/core/faults/faults.ts';

// A reader of the output may have had enough, as `head` has: that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

/** All lines of the command line go through this, so that no control character in them reaches the terminal. */
export function say(text: string, stream: Pick<Writable, 'write'> = process.stdout): void {
  stream.write(`${shownCharacters(text)}\n`);
}

/** A piece of a text that goes on. */
export function sayPiece(text: string, stream: Pick<Writable, 'write'> = process.stdout): void {
  stream.write(shownCharacters(text));
}

/** Control characters and what turns the direction of a text, spelled as JSON spells them, so that JSON stays the same value. */
function shownCharacters(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(
      /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

export function sayFault(fault: Fault): void {
  const { message, advice } = wordFault(fault);
  const words = `${message} ${advice}`
    .replaceAll('tidemark.model.path', '--model')
    .replaceAll('tidemark.model.contextSize', '--context-size');
  say(words, process.stderr);
}
