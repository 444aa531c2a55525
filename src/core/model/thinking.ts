// How a model's template has it think: the marks of its thoughts, and a switch, where the template has one.
import type { ThoughtMarks } from '../answer/thoughts.ts';

/** Values of a template's variables. */
export type TemplateValues = Readonly<Record<string, string | number | boolean>>;

export interface ThinkingSwitch {
  readonly on: TemplateValues;
  readonly off: TemplateValues;
  /** Ends at once, behind the prompt, the thoughts of a template that opens them and has no variable for it. */
  readonly closes?: string;
  /** Switched off it thinks a little, because its template knows only more and less. */
  readonly onlyLess: boolean;
}

export interface ThinkingSupport {
  /** Marks that the template reveals besides the common ones. */
  readonly marks: readonly ThoughtMarks[];
  /** The switch; null where there is none. */
  readonly switch: ThinkingSwitch | null;
}
