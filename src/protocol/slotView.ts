// An engine slot as the views show it.

export interface SlotView {
  /** Name of the model that it is of, and of the server where it runs on one. */
  readonly model: string;
  /** True for a server's slot, whose memory and disk nobody here knows. */
  readonly elsewhere: boolean;
  readonly slot: number;
  /** The first message of its conversation; '' before there is one. */
  readonly title: string;
  /** Its conversation is the one that is shown. */
  readonly open: boolean;
  /** Number of the graph's node that it serves. */
  readonly node: number;
  readonly tokens: number;
  /** Tokens it has space for. */
  readonly window: number;
  /** Memory it takes, whatever it holds; null while unknown. */
  readonly bytes: number | null;
  /** A copy is on disk, though maybe of an earlier state. */
  readonly stored: boolean;
}
