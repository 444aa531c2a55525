// Makes a picture of a panel small: text smoothed in colours has thousands of them, and 96 are enough to read it.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, one byte each. */
  readonly bytes: Buffer;
}

const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** Reads what the browser writes: eight bits a channel, not interlaced. */
function decode(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const lines = unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const bytes = Buffer.alloc(3 * width * height);
  for (let i = 0; i < width * height; i++) lines.copy(bytes, 3 * i, channels * i, channels * i + 3);
  return { width, height, bytes };
}

function unfilter(raw: Buffer, stride: number, step: number): Buffer {
  const rows = raw.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let y = 0; y < rows; y++) {
    const kind = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < step ? 0 : (out[at - step] ?? 0);
      const up = y === 0 ? 0 : (out[at - stride] ?? 0);
      const corner = x < step || y === 0 ? 0 : (out[at - stride - step] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0;
      out[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [left, up, corner].map((one) => Math.abs(left + up - corner - one)) as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The commonest colours as they are, because they are areas and lines; then others, at a distance from each other. */
function paletteOf(colours: ReadonlyMap<number, number>): readonly number[] {
  const common = [...colours].toSorted(([, a], [, b]) => b - a).map(([colour]) => colour);
  const chosen = common.slice(0, 40);
  for (const near of [900, 100, 0])
    for (const colour of common)
      if (chosen.length < 96 && chosen.every((one) => distance(one, colour) > near)) chosen.push(colour);
  return chosen;
}

function distance(a: number, b: number): number {
  const [red, green, blue] = [16, 8, 0].map((by) => ((a >> by) & 255) - ((b >> by) & 255)) as [number, number, number];
  return 2 * red * red + 4 * green * green + 3 * blue * blue;
}

export function shrinkPng(png: Buffer): Buffer {
  const { width, height, bytes } = decode(png);
  const colourAt = (i: number) => bytes.readUIntBE(3 * i, 3);
  const colours = new Map<number, number>();
  for (let i = 0; i < width * height; i++) colours.set(colourAt(i), (colours.get(colourAt(i)) ?? 0) + 1);
  const palette = paletteOf(colours);
  const nearest = new Map<number, number>();
  for (const colour of colours.keys()) {
    let best = 0;
    for (let i = 1; i < palette.length; i++)
      if (distance(palette[i] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = i;
    nearest.set(colour, best);
  }
  const lines = Buffer.alloc((width + 1) * height);
  for (let i = 0; i < width * height; i++)
    lines[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = nearest.get(colourAt(i)) ?? 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const table = Buffer.from(palette.flatMap((colour) => [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(lines, { level: 9 });
  return Buffer.concat([signature, ...[chunk('IHDR', head), chunk('PLTE', table), chunk('IDAT', data)], chunk('IEND')]);
}

function chunk(name: string, data = Buffer.alloc(0)): Buffer {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length, 0);
  out.write(name, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + data.length)), 8 + data.length);
  return out;
}
