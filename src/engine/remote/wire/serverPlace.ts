// The address of a server, and the findings that chose its engine.

export interface ServerPlace {
  readonly host: string;
  readonly isEncrypted: boolean;
  readonly isLoopback: boolean;
  readonly reasons: readonly string[];
}
