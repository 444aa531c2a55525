// Words for a fault on the command line: where the editor has a setting, here is a flag.
import type { Fault } from '../core/faults/fault.ts';
import { wordFault } from '../core/faults/faults.ts';

export function sayFault(fault: Fault): string {
  const { message, advice } = wordFault(fault);
  return `${message} ${advice}`
    .replaceAll('tidemark.model.path', '--model')
    .replaceAll('tidemark.model.contextSize', '--context-size');
}
