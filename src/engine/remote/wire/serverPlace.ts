// Where a server is, and what was found out of it before its engine was chosen.

export interface ServerPlace {
  readonly host: string;
  readonly isEncrypted: boolean;
  readonly isLoopback: boolean;
  readonly reasons: readonly string[];
}
