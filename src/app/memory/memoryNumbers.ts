// The numbers by which the user names entries: those that were shown, until the next list, whatever happens in between.

/** Lives as long as its handler. A number never passes to another entry before the user has seen it there. */
export class Numbers {
  private workspace = '';
  private ids = new Map<number, string>();
  /** What the next entry is called that was not listed. */
  private next = 1;
  private listed = false;

  /** Numbers entries by the order in which they were added; from now on only those in `shown` can be named. */
  list(workspace: string, order: readonly string[], shown: ReadonlySet<string> = new Set(order)): void {
    const numbered = order.map((id, i) => [i + 1, id] as const);
    this.workspace = workspace;
    this.ids = new Map(numbered.filter(([, id]) => shown.has(id)));
    this.next = order.length + 1;
    this.listed = true;
  }

  /** The number of one entry that an answer names: the one it was listed with, or a new one. */
  of(workspace: string, id: string, order: readonly string[]): number {
    if (workspace !== this.workspace || this.ids.size === 0) {
      this.list(workspace, order, new Set());
      this.listed = false;
    }
    const known = [...this.ids].find(([, other]) => other === id)?.[0];
    if (known !== undefined) return known;
    const place = order.indexOf(id) + 1;
    const number = !this.listed && place > 0 && !this.ids.has(place) ? place : this.next;
    this.ids.set(number, id);
    this.next = Math.max(this.next, number + 1);
    return number;
  }

  /** Undefined for a number that the user was not shown in this workspace. */
  idOf(workspace: string, number: number): string | undefined {
    return workspace === this.workspace ? this.ids.get(number) : undefined;
  }

  /** Whether the user has seen a list of this workspace. */
  hasListed(workspace: string): boolean {
    return this.listed && workspace === this.workspace;
  }
}
