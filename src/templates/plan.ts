// How a chat is handed to a template, as it was found out at load.

import type { CallSyntax } from '../core/calls/syntax.ts';
import type { ThinkingMode } from '../core/dialog/dialog.ts';
import type { TemplateValues } from '../core/model/thinking.ts';

/** Headers by the role of the message in front of them. */
export type Headers = Readonly<Record<'user' | 'tool', string>>;

export interface SwitchedPlan {
  readonly values: TemplateValues;
  readonly headers: Headers;
  /** Stands behind the prompt; '' is nothing. */
  readonly closes: string;
}

/** How a chat is handed to a template, where templates differ. Found by `probeTemplate`. */
export interface Plan {
  /** `merged` puts the system text in front of the first user message, for templates without a system role. */
  readonly system: 'own' | 'merged';
  /** The value of the tools when there are none: left out, or an empty list. */
  readonly noTools: 'absent' | 'empty';
  /** Contents as texts, or each as a list of one part, for templates that read nothing else. */
  readonly contents: 'text' | 'parts';
  /** Who prints tool schemas: the template, or we in the system text, where it has no place or a moving one for them. */
  readonly schemas: 'template' | 'text';
  /** Calls as OpenAI's `tool_calls`, all or only the first of a message, or written out as the message's content. */
  readonly calls: 'all' | 'first' | 'text';
  /** Arguments of structured calls as an object, or as a string of JSON. */
  readonly arguments: 'object' | 'string';
  /** The role of tool results. */
  readonly results: 'tool' | 'user';
  /** Roles whose contents the template writes as JSON strings. */
  readonly escaped: ReadonlySet<string>;
  readonly syntax: CallSyntax | null;
  /** The texts behind a message's content up to where the model speaks, by the message's role; ids as `idMark`. */
  readonly headers: Headers;
  /** The template's switch for thinking, with the headers that each position has; null where it has none. */
  readonly thinking: Readonly<Record<ThinkingMode, SwitchedPlan>> | null;
  /** The end of a structured call behind its first argument's name; its id as `idMark`. */
  readonly callEnd: string;
}

export const plainPlan: Plan = {
  system: 'own',
  noTools: 'absent',
  contents: 'text',
  schemas: 'template',
  calls: 'text',
  arguments: 'object',
  results: 'tool',
  escaped: new Set(),
  syntax: null,
  headers: { user: '', tool: '' },
  callEnd: '',
  thinking: null,
};
