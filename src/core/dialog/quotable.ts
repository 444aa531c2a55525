// Texts that an argument of a tool quotes: while it is generated, it can be kept to lines that stand there.

/** `argument` of the tool quotes whole lines of the text that its argument `names` names. */
export interface Quotable {
  readonly tool: string;
  readonly argument: string;
  readonly names: string;
  /** Texts by the name that the call gives. */
  readonly texts: Readonly<Record<string, string>>;
}
