import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { readChunks } from './picture-size.ts';

/** The pixels of a PNG: `color` has one byte a channel (gray or RGB), and `alpha` one a pixel, if there is any. */
export type PngPixels = {
  width: number;
  height: number;
  isGray: boolean;
  color: Buffer;
  alpha: Buffer | undefined;
};

/** Channels by type of color: https://www.w3.org/TR/png-3/#11IHDR. Palettes are left to the library. */
const channelsOf: Readonly<Record<number, { color: 1 | 3; alpha: 0 | 1 }>> = {
  0: { color: 1, alpha: 0 },
  2: { color: 3, alpha: 0 },
  4: { color: 1, alpha: 1 },
  6: { color: 3, alpha: 1 },
};

const inflated = promisify(inflate);

/** The longest that one part of the work keeps other calls waiting, in milliseconds. */
const shareMilliseconds = 15;

/**
 * Decodes a PNG of 8 bits a channel without palette, interlacing or transparent color, and lets others work in between: the library's
 * decoder keeps them waiting for seconds. Undefined for any other, and for damaged ones.
 */
export const decodePng = async (bytes: Buffer): Promise<PngPixels | undefined> => {
  const chunks = readChunks(bytes);
  const header = chunks[0]?.data;
  if (header?.length !== 13 || header[8] !== 8 || header[12] !== 0) return undefined;
  const channels = channelsOf[header[9] ?? -1];
  if (!channels || chunks.some(({ type }) => type === 'tRNS')) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytesPerPixel = channels.color + channels.alpha;
  const stride = width * bytesPerPixel;
  const data = Buffer.concat(chunks.flatMap((one) => (one.type === 'IDAT' ? [one.data] : [])));
  const rows = await inflated(data, { maxOutputLength: height * (stride + 1) + 64 });
  if (rows.length < height * (stride + 1)) return undefined;
  const color = Buffer.alloc(width * height * channels.color);
  const alpha = channels.alpha === 1 ? Buffer.alloc(width * height) : undefined;
  let since = performance.now();
  for (let y = 0; y < height; y += 1) {
    if (!unfilterRow(rows, y, stride, bytesPerPixel)) return undefined;
    splitRow(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)), y * width, channels.color, color, alpha);
    if (performance.now() - since < shareMilliseconds) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
  return { width, height, isGray: channels.color === 1, color, alpha };
};

/** Undoes the filter of a row in place (https://www.w3.org/TR/png-3/#9Filters); false for a filter that does not exist. */
const unfilterRow = (rows: Buffer, y: number, stride: number, pixel: number): boolean => {
  const start = y * (stride + 1) + 1;
  const filter = rows[start - 1] ?? 0;
  if (filter === 0) return true;
  if (filter > 4) return false;
  const above = y === 0 ? -1 : start - stride - 1;
  for (let x = 0; x < stride; x += 1) {
    const left = x < pixel ? 0 : (rows[start + x - pixel] ?? 0);
    const up = above < 0 ? 0 : (rows[above + x] ?? 0);
    const corner = above < 0 || x < pixel ? 0 : (rows[above + x - pixel] ?? 0);
    rows[start + x] = (rows[start + x] ?? 0) + predict(filter, left, up, corner);
  }
  return true;
};

const predict = (filter: number, left: number, up: number, corner: number): number => {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
};

const splitRow = (row: Buffer, at: number, colors: 1 | 3, color: Buffer, alpha: Buffer | undefined): void => {
  if (!alpha) return void row.copy(color, at * colors);
  const pixel = colors + 1;
  for (let x = 0; x * pixel < row.length; x += 1) {
    for (let channel = 0; channel < colors; channel += 1) {
      color[(at + x) * colors + channel] = row[x * pixel + channel] ?? 0;
    }
    alpha[at + x] = row[x * pixel + colors] ?? 0;
  }
};
