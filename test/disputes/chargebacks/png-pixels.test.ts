import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodePng } from '#disputes/chargebacks/files/png-pixels.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
};
type Shape = { width: number; height: number; type: number; depth?: number; interlace?: number };
const png = ({ width, height, type, depth = 8, interlace = 0 }: Shape, rows: Buffer, ...more: Buffer[]): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, type, 0, 0, interlace], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const half = deflateSync(rows);
  const cut = half.length >> 1;
  const parts = [half.subarray(0, cut), half.subarray(cut)].map((one) => chunk('IDAT', one));
  return Buffer.concat([signature, chunk('IHDR', header), ...more, ...parts, chunk('IEND', Buffer.alloc(0))]);
};

/** Pixels that follow no pattern, the same each time. */
const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => (at * at * 31 + at * 7) % 251));

const paeth = (a: number, b: number, c: number): number => {
  const p = a + b - c;
  const near = [a, b, c].map((one) => Math.abs(p - one));
  const least = Math.min(...near);
  return [a, b, c][near.indexOf(least)] ?? 0;
};

/** Filters each row by another of the five filters. */
const filtered = (pixels: Buffer, stride: number, size: number): Buffer => {
  const height = pixels.length / stride;
  return Buffer.concat(
    Array.from({ length: height }, (_, y) => {
      const at = (x: number, row: number): number => (x < 0 || row < 0 ? 0 : (pixels[row * stride + x] ?? 0));
      const filter = y % 5;
      const row = Array.from({ length: stride }, (_, x) => {
        const [a, b, c] = [at(x - size, y), at(x, y - 1), at(x - size, y - 1)];
        return at(x, y) - ([0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0);
      });
      return Buffer.from([filter, ...row.map((one) => one & 255)]);
    }),
  );
};

describe('a PNG', () => {
  it.each([
    ['gray', 0, 1, 0],
    ['RGB', 2, 3, 0],
    ['gray with alpha', 4, 1, 1],
    ['RGB with alpha', 6, 3, 1],
  ])('of %s is decoded whatever the filters of its rows', async (_, type, colors, alphas) => {
    const [width, height, size] = [13, 17, colors + alphas];
    const pixels = noise(width * height * size);
    const read = await decodePng(png({ width, height, type }, filtered(pixels, width * size, size)));
    const channel = (from: number, to: number) => pixels.filter((_, at) => at % size >= from && at % size < to);
    expect(read).toMatchObject({ width, height, isGray: colors === 1 });
    expect(read?.color.equals(channel(0, colors))).toBe(true);
    expect(read?.alpha === undefined ? alphas === 0 : read.alpha.equals(channel(colors, size))).toBe(true);
  });

  const shape = { width: 2, height: 2, type: 2 };
  it.each([
    ['a palette', png({ ...shape, type: 3 }, Buffer.alloc(6))],
    ['16 bits', png({ ...shape, depth: 16 }, Buffer.alloc(26))],
    ['interlacing', png({ ...shape, interlace: 1 }, Buffer.alloc(16))],
    ['a transparent color', png(shape, Buffer.alloc(14), chunk('tRNS', Buffer.alloc(6)))],
    ['too few rows', png(shape, Buffer.alloc(7))],
    ['an unknown filter', png(shape, Buffer.from([9, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]))],
  ])('with %s is left to the library', async (_, bytes) => expect(await decodePng(bytes)).toBeUndefined());

  it('of twelve million pixels lets others work while it is decoded', async () => {
    let turns = 0;
    let isDone = false;
    const take = (): void => {
      turns += 1;
      if (!isDone) setImmediate(take);
    };
    setImmediate(take);
    const [width, height] = [4000, 3000];
    const read = await decodePng(png({ width, height, type: 6 }, Buffer.alloc((width * 4 + 1) * height)));
    isDone = true;
    expect(read?.color.length).toBe(width * height * 3);
    expect(turns).toBeGreaterThan(10);
  });
});
