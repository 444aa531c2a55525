// An animation of a page: pictures taken one after the other, the same ones as one, as a GIF.
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Shown {
  readonly pixels: Buffer;
  milliseconds: number;
}

/** Between two pictures, in milliseconds. */
const pause = 150;

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

  start(): void {
    this.stopped = false;
    this.running = this.record();
  }

  /** Ends with the picture that is there now, shown so long. */
  async stop(milliseconds: number): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.take(milliseconds);
  }

  private async record(): Promise<void> {
    while (!this.stopped) {
      const began = performance.now();
      await this.take(0);
      await this.page.waitForTimeout(pause);
      const last = this.frames.at(-1);
      if (last !== undefined) last.milliseconds += performance.now() - began;
    }
  }

  private async take(milliseconds: number): Promise<void> {
    const picture = await this.page.screenshot({ clip: this.area, animations: 'disabled' });
    const pixels = await sharp(picture).removeAlpha().raw().toBuffer();
    const last = this.frames.at(-1);
    if (last?.pixels.equals(pixels) === true) last.milliseconds += milliseconds;
    else this.frames.push({ pixels, milliseconds });
  }

  /** `longest`: of one picture, in milliseconds, so that nobody waits as long as the machine did. */
  async save(file: string, longest: number): Promise<number> {
    const { width, height } = this.area;
    const raw = { width, height: height * this.frames.length, channels: 3 as const, pageHeight: height };
    const gif = await sharp(Buffer.concat(this.frames.map(({ pixels }) => pixels)), { raw, limitInputPixels: false })
      .gif({
        colours: 48,
        effort: 10,
        dither: 0,
        interFrameMaxError: 4,
        loop: 0,
        delay: this.frames.map(({ milliseconds }) => Math.round(Math.min(longest, Math.max(60, milliseconds)))),
      })
      .toBuffer();
    writeFileSync(file, gif);
    return gif.length;
  }
}
