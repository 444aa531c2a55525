// A row of the table of settings: all that is said of one, once.

/** How the editor checks a value. Scope `machine` keeps a repository from setting it. */
export interface Schema {
  readonly type: 'array' | 'object' | 'string' | 'integer' | 'number' | 'boolean';
  readonly default: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A word that may stand in place of a number. */
  readonly or?: string;
  readonly items?: object;
  readonly properties?: object;
  readonly additionalProperties?: object | false;
  readonly scope: 'machine' | 'window';
  readonly tags?: readonly string[];
}

/** With what the setting does, and what each of its choices means, for those that have some. */
export type SettingRow = readonly [schema: Schema, words: string, choices?: Readonly<Record<string, string>>];

export interface Setting extends Schema {
  readonly enum?: readonly string[];
}

export function settingOf([{ type, default: usual, ...rest }, , choices]: SettingRow): Setting {
  return { type, default: usual, ...(choices === undefined ? {} : { enum: Object.keys(choices) }), ...rest };
}
