// The budget: marks in tokens, proportional to the real window of the loaded context.

/** Shares and counts a user may set; everything else follows from the window. */
export interface Policy {
  /** Tokens wanted for an answer; with its thoughts never more than a quarter of the window is set aside. */
  readonly reserve: number;
  /** The token count where a trim ends, as a share of the high-water mark. */
  readonly trimTarget: number;
  /** Above this share of the high-water mark, tool results of earlier turns become stubs when a turn starts. */
  readonly pruneAt: number;
  /** How many of the latest earlier tool results stay whole at that point. */
  readonly keepRecentToolResults: number;
  /** The largest share of the high-water mark one tool result may take. */
  readonly toolResultMaxShare: number;
  /** Tool rounds in one turn before the model must answer. */
  readonly maxToolRounds: number;
  /** Chat messages in one prompt at most, with the head and the current turn, which never go; 0 is no limit. */
  readonly messageCap: number;
  /** Idle work compacts above this share of the space between the fixed head and the high-water mark. */
  readonly compactAt: number;
  /** The latest turns within this share of the same space stay as they are when others are compacted. */
  readonly tailShare: number;
  /** Whether a trim that makes tokens be decoded again frees at least as many. Off: it goes by the marks alone. */
  readonly trimMustPay: boolean;
  /** Passages found for a message that go with the next turn: all, those that a share of the window does not hold, or none before a trim. */
  readonly knowledge: 'last' | 'recent' | 'sticky';
  /** The largest share of the high-water mark the workspace layer may take. */
  readonly workspaceMaxShare: number;
}

export const defaultPolicy: Policy = {
  reserve: 1024,
  trimTarget: 0.75,
  pruneAt: 0.5,
  keepRecentToolResults: 2,
  toolResultMaxShare: 0.3,
  maxToolRounds: 6,
  messageCap: 0,
  compactAt: 0.85,
  tailShare: 0.2,
  trimMustPay: true,
  knowledge: 'recent',
  workspaceMaxShare: 0.2,
};

/** All in tokens. */
export interface Budget {
  readonly window: number;
  readonly reserve: number;
  /** No prompt is ever longer than this. */
  readonly high: number;
  /** A trim goes down to this many tokens or fewer. */
  readonly low: number;
  readonly pruneAt: number;
  readonly resultCap: number;
  readonly workspaceCap: number;
}

/** Tokens: a server that says that its window is smaller is not believed. */
export const leastToldWindow = 1024;

/** Most tokens for thoughts that a window gives by itself. */
const mostThoughts = 4096;

/** Tokens that the thoughts of an answer may take, where the user set no number. */
export function thoughtsFor(window: number): number {
  return Math.min(mostThoughts, Math.floor(window / 8));
}

/** Cuts `thoughts` to what leaves the answer its own tokens. */
export function thoughtsWithin({ reserve }: Budget, policy: Policy, thoughts: number): number {
  return Math.min(thoughts, Math.max(reserve - policy.reserve, Math.floor(reserve / 2)));
}

/** `thoughts`: tokens that are set aside for them besides. */
export function budgetFor(window: number, policy: Policy, thoughts = 0): Budget {
  const reserve = Math.min(policy.reserve + thoughts, Math.floor(window / 4));
  const high = window - reserve;
  return {
    window,
    reserve,
    high,
    low: Math.floor(high * policy.trimTarget),
    pruneAt: Math.floor(high * policy.pruneAt),
    resultCap: Math.floor(high * policy.toolResultMaxShare),
    workspaceCap: Math.floor(high * policy.workspaceMaxShare),
  };
}
