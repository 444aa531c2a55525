// The openings in front of a question's core, and the clauses, things and orders that they begin.
import { of } from './moreWordings.ts';

/** Openings in front of a clause: `Can you tell me` ... `where {x} is defined`. */
export const telling = of`Tell me | Can you tell me | Could you tell me | Please tell me | Do you know | I want to know | I need to know |
  I wonder | Say | Show me | Can you say | hey, tell me`;
/** Openings in front of a thing: `Show me` ... `the definition of {x}`. */
export const showing = of`Show me | Show | Find | Find me | Give me | Can you find | Can you show me | Could you show me | Please show me
  | I need | I am looking for | Look for | Please find | I want to see | Point me to | Take me to | Get me | Where
  is`;

export const clauses = (cores: readonly string[]) =>
  telling.flatMap((opening) => cores.map((core) => `${opening} ${core}`));
export const things = (cores: readonly string[], openings = showing) =>
  openings.flatMap((opening) => cores.map((core) => `${opening} ${core}`));
/** With a verb in front: `Read`, `Please read`, `Can you read`. */
export const orders = (cores: readonly string[]) =>
  cores.flatMap((core) => [
    core,
    `Please ${lower(core)}`,
    `Can you ${lower(core)}`,
    `Could you ${lower(core)}`,
    `I want you to ${lower(core)}`,
  ]);

export const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
