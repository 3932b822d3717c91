import { deflateSync } from 'node:zlib';
import { PngEmbedder } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { decodePng, type PngPixels } from '#disputes/chargebacks/files/png-pixels.ts';

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

/** Samples that follow no pattern, in rows without a filter. */
const unfiltered = ({ width, height, type, depth = 8, interlace = 0 }: Shape): Buffer => {
  const size = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[type] ?? 0;
  const passes =
    interlace === 0
      ? [[0, 0, 1, 1]]
      : [
          [0, 0, 8, 8],
          [4, 0, 8, 8],
          [0, 4, 4, 8],
          [2, 0, 4, 4],
          [0, 2, 2, 4],
          [1, 0, 2, 2],
          [0, 1, 1, 2],
        ];
  const rows = passes.flatMap(([x = 0, y = 0, stepX = 1, stepY = 1]) => {
    const [columns, lines] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    const stride = Math.ceil((columns * size * depth) / 8);
    return columns > 0 && lines > 0
      ? Array.from({ length: lines }, (_, at) => [0, ...noise(at + stride + 1).subarray(at + 1)])
      : [];
  });
  return Buffer.from(rows.flat());
};

const toRgb = (pixels: PngPixels | undefined): Buffer | undefined =>
  pixels?.isGray ? Buffer.from([...pixels.color].flatMap((gray) => [gray, gray, gray])) : pixels?.color;

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

  const palette = chunk('PLTE', noise(768));
  it.each([
    ['a palette of 8 bits', { type: 3, depth: 8 }, [palette]],
    ['a palette of 4 bits with opacities', { type: 3, depth: 4 }, [palette, chunk('tRNS', noise(9))]],
    ['a palette of 2 bits, interlaced', { type: 3, depth: 2, interlace: 1 }, [palette]],
    ['a palette of 1 bit', { type: 3, depth: 1 }, [palette]],
    ['1 bit of gray', { type: 0, depth: 1 }, []],
    ['2 bits of gray, interlaced', { type: 0, depth: 2, interlace: 1 }, []],
    ['4 bits of gray', { type: 0, depth: 4 }, []],
    ['16 bits of gray', { type: 0, depth: 16 }, []],
    ['16 bits of gray with alpha, interlaced', { type: 4, depth: 16, interlace: 1 }, []],
    ['16 bits of RGB', { type: 2, depth: 16 }, []],
    ['16 bits of RGB with alpha', { type: 6, depth: 16 }, []],
    ['interlaced RGB', { type: 2, interlace: 1 }, []],
    ['interlaced RGB with alpha', { type: 6, interlace: 1 }, []],
    ['a transparent gray', { type: 0 }, [chunk('tRNS', Buffer.from([0, noise(2)[1] ?? 0]))]],
    ['a transparent gray of 4 bits', { type: 0, depth: 4 }, [chunk('tRNS', Buffer.from([0, 3]))]],
    ['a transparent color', { type: 2 }, [chunk('tRNS', Buffer.from([0, 0, 0, 38, 0, 138]))]],
  ])('of %s is decoded as another library does', async (_, form, more) => {
    for (const [width, height] of [
      [13, 17],
      [5, 6],
    ] as const) {
      const bytes = png({ width, height, ...form }, unfiltered({ width, height, ...form }), ...more);
      const read = await decodePng(bytes);
      const { rgbChannel, alphaChannel } = Reflect.get(await PngEmbedder.for(bytes), 'image');
      expect(toRgb(read)).toEqual(Buffer.from(rgbChannel));
      expect(read?.alpha ?? Buffer.alloc(width * height, 255)).toEqual(
        Buffer.from(alphaChannel ?? Buffer.alloc(width * height, 255)),
      );
    }
  });

  // The other library fails where a pass has no columns.
  it('of one pixel, interlaced, is decoded', async () => {
    const read = await decodePng(png({ width: 1, height: 1, type: 2, interlace: 1 }, Buffer.from([0, 7, 8, 9])));
    expect(read?.color).toEqual(Buffer.from([7, 8, 9]));
  });

  const shape = { width: 2, height: 2, type: 2 };
  it.each([
    ['too few rows', png(shape, Buffer.alloc(7))],
    ['too few rows of its last pass', png({ ...shape, interlace: 1 }, Buffer.alloc(14))],
    ['an unknown filter', png(shape, Buffer.from([9, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0]))],
  ])('with %s is damaged', async (_, bytes) => expect(await decodePng(bytes)).toBeUndefined());

  it.each([
    ['8 bits', { type: 6 }, (4000 * 4 + 1) * 3000],
    ['a palette, interlaced', { type: 3, interlace: 1 }, 4000 * 3000 + 5625],
    ['16 bits', { type: 0, depth: 16 }, (4000 * 2 + 1) * 3000],
  ])('of twelve million pixels with %s lets others work while it is decoded', async (_, form, length) => {
    let turns = 0;
    let isDone = false;
    const take = (): void => {
      turns += 1;
      if (!isDone) setImmediate(take);
    };
    setImmediate(take);
    const [width, height] = [4000, 3000];
    const read = await decodePng(
      png({ width, height, ...form }, Buffer.alloc(length), chunk('PLTE', Buffer.alloc(768))),
    );
    isDone = true;
    expect(read?.color.length).toBe(width * height * (read?.isGray ? 1 : 3));
    expect(turns).toBeGreaterThan(10);
  });
});
