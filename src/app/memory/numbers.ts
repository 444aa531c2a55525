// The numbers by which the user names what a list showed: each means the same until the next list, whatever happens in between.
import type { CommandAnswer } from '../ports/answer.ts';

/** Numbers for things in the order in which they were added, behind a sign. Only those in `shown` can be named. */
export function numbered<T extends { readonly id: string }>(
  sign: string,
  order: readonly T[],
  shown: readonly T[] = order,
): readonly (readonly [string, string | null])[] {
  const can = new Set(shown);
  return order.map((one, i) => [`${sign}${i + 1}`, can.has(one) ? one.id : null]);
}

/** Returns the number as an answer names it; a number with a sign, such as D3, is a name by itself. */
export function nameOf(number: string): string {
  return /^\d/.test(number) ? `number ${number}` : number;
}

/** The list that is numbered, and the command that shows it. */
export interface NumberedList {
  readonly title: string;
  readonly command: string;
  readonly workspace: () => string;
}

/** Lives as long as its command. A number never passes to another entry before the user has seen it there. */
export class Numbers {
  private readonly numbered: NumberedList;
  private place = '';
  private listed = false;
  private ids = new Map<string, string | null>();

  constructor(numbered: NumberedList) {
    this.numbered = numbered;
  }

  /** From now on only these can be named. */
  list(ids: Iterable<readonly [string, string | null]>): void {
    this.place = this.numbered.workspace();
    this.listed = true;
    this.ids = new Map(ids);
  }

  /** The number of one entry that an answer names: the one it was shown with, or a new one; `order` is that of a list. */
  of(sign: string, id: string, order: readonly { readonly id: string }[]): string {
    this.look();
    const known = [...this.ids].find(([number, other]) => other === id && number.startsWith(sign))?.[0];
    if (known !== undefined) return known;
    let place = order.findIndex((one) => one.id === id) + 1;
    while (this.ids.has(`${sign}${place}`)) place += 1;
    this.ids.set(`${sign}${place}`, id);
    return `${sign}${place}`;
  }

  /** The id of what has that number, or what is said where the user was shown none. `show` lists anew. */
  chosen(number: string, show: () => string): string | CommandAnswer {
    this.look();
    const { title, command } = this.numbered;
    const id = this.ids.get(number);
    if (typeof id === 'string') return id;
    if (this.listed)
      return { title, text: `There is no ${nameOf(number)}; \`${command}\` shows what there is.`, again: true };
    // The line does not go back into the composer: sent again, its number would mean another entry.
    return { title, text: `Nothing was changed. The numbers are those of this list:\n\n${show()}` };
  }

  /** Numbers of one workspace name nothing in another. */
  private look(): void {
    if (this.numbered.workspace() === this.place) return;
    this.list([]);
    this.listed = false;
  }
}
