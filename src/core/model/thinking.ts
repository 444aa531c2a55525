// How a model's template has it think: the marks of its thoughts, and a switch, where the template has one.
import type { ThoughtMarks } from '../answer/thoughts.ts';

/** Values of a template's variables. */
export type TemplateValues = Readonly<Record<string, string | number | boolean>>;

/** Whether the model is to think. */
export type ThinkingMode = 'on' | 'off';

export interface ThinkingSwitch {
  readonly on: TemplateValues;
  readonly off: TemplateValues;
  /** Switched off it thinks a little, because its template knows only more and less. */
  readonly onlyLess: boolean;
}

export interface ThinkingSupport {
  /** Marks that the template reveals besides the common ones. */
  readonly marks: readonly ThoughtMarks[];
  /** Null where nothing is to be switched. */
  readonly switch: ThinkingSwitch | null;
}
