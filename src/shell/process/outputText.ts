// The words of a command as far as they are kept: all of them up to a limit, then the first and the latest.

/** UTF-16 units of the first part and of the latest. */
const [firstKept, lastKept] = [1_000_000, 3_000_000];

export class OutputText {
  private first = '';
  private last: string[] = [];
  private lastLength = 0;
  private leftOut = 0;

  push(text: string): void {
    const space = firstKept - this.first.length;
    this.first += text.slice(0, Math.max(0, space));
    const rest = text.slice(Math.max(0, space));
    if (rest === '') return;
    this.last.push(rest);
    this.lastLength += rest.length;
    while (this.lastLength - (this.last[0]?.length ?? 0) >= lastKept) {
      const gone = this.last.shift() ?? '';
      this.lastLength -= gone.length;
      this.leftOut += Buffer.byteLength(gone);
    }
  }

  told(): { readonly text: string; readonly leftOut: number } {
    const gap = this.leftOut === 0 ? '' : `\n[${this.leftOut} bytes left out here]\n`;
    return { text: this.first + gap + this.last.join(''), leftOut: this.leftOut };
  }
}
