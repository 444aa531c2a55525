// Which conversation is in which of the engine's slots. Where all are taken, the one that was used least recently gives way.
import type { ModelInfo } from '../../core/engine/modelInfo.ts';
import type { SnapshotLoaded } from '../../core/engine/slotState.ts';
import type { Prefill } from '../../core/model/model.ts';
import type { Session } from '../session/session.ts';

export interface SlotLease {
  /** The engine's number of the slot. */
  readonly slot: number;
  readonly session: Session;
  /** The number by which a graph's node and what was let go of for it know each other. */
  readonly node: number;
  /** The slot's stored KV state being loaded, as many tokens of it as the prompt shares; null where states are not stored. */
  loading: Promise<SnapshotLoaded | null> | null;
  /** Tokens that idle work may decode again. */
  approximate: number;
  /** Tokens it holds. */
  tokens: number;
}

export class Slots {
  private readonly loaded: () => ModelInfo | null;
  private info: ModelInfo | null = null;
  /** Leases by slot, the least recently used first. */
  private leases = new Map<number, SlotLease>();

  constructor(loaded: () => ModelInfo | null) {
    this.loaded = loaded;
  }

  /** The slot of a session's node, if it has one. Sessions are known by their ids: one that is opened again is the same. */
  of({ id }: Session, node: number): SlotLease | null {
    for (const lease of this.current().values()) if (lease.session.id === id && lease.node === node) return lease;
    return null;
  }

  /** Its slot, which counts as used now; an empty one, or another's, where it has none. */
  take(session: Session, node: number): SlotLease {
    const leases = this.current();
    const own = this.of(session, node);
    const slot = own?.slot ?? this.free(session.id);
    const { loading, approximate, tokens } = own ?? { loading: null, approximate: 0, tokens: 0 };
    const lease: SlotLease = { slot, session, node, loading, approximate, tokens };
    leases.delete(slot);
    leases.set(slot, lease);
    return lease;
  }

  /** A node's slot holds a prompt now, and what was generated behind it. */
  filled(session: Session, node: number, { reused, shifted, decoded, approximate }: Prefill, generated: number): void {
    const lease = this.of(session, node);
    if (lease === null) return;
    lease.approximate = approximate;
    lease.tokens = reused + shifted + decoded + generated;
  }

  /** A node's slot is needed no more. */
  give(session: Session, node: number): void {
    const lease = this.of(session, node);
    if (lease !== null) this.current().delete(lease.slot);
  }

  /** The session is gone: its slots are the next ones to be used. */
  leave(session: string): void {
    const leases = this.current();
    for (const {
      slot,
      session: { id },
    } of [...leases.values()])
      if (id === session) leases.delete(slot);
  }

  /** The least recently used first. */
  get all(): readonly SlotLease[] {
    return [...this.current().values()];
  }

  private free(session: string): number {
    const leases = this.current();
    const count = this.info?.slots ?? 1;
    for (let slot = 0; slot < count; slot++) if (!leases.has(slot)) return slot;
    // The nodes of one conversation do not push each other out.
    const others = this.all.filter((lease) => lease.session.id !== session);
    return (others[0] ?? this.all[0])?.slot ?? 0;
  }

  /** A model that was loaded anew has empty slots. */
  private current(): Map<number, SlotLease> {
    const info = this.loaded();
    if (info !== this.info) this.leases = new Map();
    this.info = info;
    return this.leases;
  }
}
