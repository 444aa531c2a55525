// An animation of a page: pictures taken one after the other, equal ones shown as one, as a GIF. Below each part stands what happens and how much faster it is shown.
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the animation. */
export interface Part {
  readonly caption: string;
  /** So many times faster than it was. */
  readonly faster: number;
}

interface Shown {
  readonly pixels: Buffer;
  readonly part: Part;
  milliseconds: number;
}

/** Between two pictures, in milliseconds. */
const pause = 150;
/** The strip below, in pixels. */
const strip = 34;
/** The shortest time that viewers show a picture for, in milliseconds. */
const shortest = 60;

export class Recorder {
  private readonly page: Page;
  private readonly area: Area;
  private readonly frames: Shown[] = [];
  private running: Promise<void> | null = null;
  private stopped = false;

  constructor(page: Page, area: Area) {
    this.page = page;
    this.area = area;
  }

  /** Records what `play` does, and shows the picture at its end for `last` milliseconds. */
  async record(part: Part, play: () => Promise<void>, last: number): Promise<void> {
    this.stopped = false;
    this.running = this.go(part);
    try {
      await play();
    } finally {
      this.stopped = true;
      await this.running;
    }
    await this.take(part, last * part.faster);
  }

  private async go(part: Part): Promise<void> {
    while (!this.stopped) {
      const began = performance.now();
      await this.take(part, 0);
      // A picture that would not be seen costs the model time.
      await this.page.waitForTimeout(Math.max(pause, shortest * part.faster));
      const last = this.frames.at(-1);
      if (last !== undefined) last.milliseconds += performance.now() - began;
    }
  }

  private async take(part: Part, milliseconds: number): Promise<void> {
    const picture = await this.page.screenshot({ clip: this.area, animations: 'disabled' });
    const pixels = await sharp(picture).removeAlpha().raw().toBuffer();
    const last = this.frames.at(-1);
    if (last?.part === part && last.pixels.equals(pixels)) last.milliseconds += milliseconds;
    else this.frames.push({ pixels, part, milliseconds });
  }

  /** Writes the GIF and returns its bytes and seconds. `longest`: the milliseconds of a picture, so that nobody waits as long as the machine did. */
  async save(file: string, longest: number): Promise<{ readonly bytes: number; readonly seconds: number }> {
    const { width, height } = this.area;
    const captioned = await Promise.all(this.shown().map((frame) => this.withCaption(frame)));
    const pageHeight = height + strip;
    const raw = { width, height: pageHeight * captioned.length, channels: 3 as const, pageHeight };
    const delay = this.shown().map(({ milliseconds, part }) =>
      Math.round(Math.min(longest, Math.max(shortest, milliseconds / part.faster))),
    );
    const gif = await sharp(Buffer.concat(captioned), { raw, limitInputPixels: false })
      .gif({ colours: 48, effort: 10, dither: 0, interFrameMaxError: 4, loop: 0, delay })
      .toBuffer();
    writeFileSync(file, gif);
    return { bytes: gif.length, seconds: delay.reduce((sum, one) => sum + one, 0) / 1000 };
  }

  /** The frames without those that would pass too quickly to be seen. */
  private shown(): readonly Shown[] {
    const kept: Shown[] = [];
    for (const frame of this.frames) {
      const last = kept.at(-1);
      if (last?.part === frame.part && last.milliseconds / last.part.faster < shortest)
        kept[kept.length - 1] = { ...frame, milliseconds: last.milliseconds + frame.milliseconds };
      else kept.push({ ...frame });
    }
    return kept;
  }

  private withCaption({ pixels, part }: Shown): Promise<Buffer> {
    const { width, height } = this.area;
    const text = (x: number, anchor: string, color: string, words: string) =>
      `<text x="${x}" y="${strip - 11}" font-family="sans-serif" font-size="16" text-anchor="${anchor}" fill="${color}">${words}</text>`;
    const faster = part.faster === 1 ? '' : `shown ${part.faster} times faster`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${strip}"><rect width="${width}" height="${strip}" fill="#0b3a53"/>${text(14, 'start', '#ffffff', part.caption)}${text(width - 14, 'end', '#9cd3f0', faster)}</svg>`;
    return sharp(pixels, { raw: { width, height, channels: 3 } })
      .extend({ bottom: strip, background: '#0b3a53' })
      .composite([{ input: Buffer.from(svg), top: height, left: 0 }])
      .removeAlpha()
      .raw()
      .toBuffer();
  }
}
