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

/** Samples of a pixel by type of color: https://www.w3.org/TR/png-3/#11IHDR. A palette's index becomes three. */
const samplesOf: Readonly<Record<number, { color: 1 | 3; alpha: 0 | 1; isIndex?: true }>> = {
  0: { color: 1, alpha: 0 },
  2: { color: 3, alpha: 0 },
  3: { color: 1, alpha: 0, isIndex: true },
  4: { color: 1, alpha: 1 },
  6: { color: 3, alpha: 1 },
};

/** First column and row, and the steps between columns and rows: https://www.w3.org/TR/png-3/#8Interlace */
type Pass = readonly [x: number, y: number, stepX: number, stepY: number];
const wholePicture: readonly Pass[] = [[0, 0, 1, 1]];
const sevenPasses: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

const inflated = promisify(inflate);

/** The longest that one part of the work keeps other calls waiting, in milliseconds. */
const shareMilliseconds = 15;

/** Decodes a PNG and lets others work in between: the library's decoder keeps them waiting for seconds. Undefined if it is damaged. */
export const decodePng = async (bytes: Buffer): Promise<PngPixels | undefined> => {
  const chunks = readChunks(bytes);
  const header = chunks[0]?.data;
  const samples = samplesOf[header?.[9] ?? -1];
  if (header?.length !== 13 || !samples) return undefined;
  const [width, height, depth] = [header.readUInt32BE(0), header.readUInt32BE(4), header.readUInt8(8)];
  const size = samples.color + samples.alpha;
  const passes = (header[12] === 0 ? wholePicture : sevenPasses).flatMap(([x, y, stepX, stepY]) => {
    const [columns, rows] = [Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)];
    return columns > 0 && rows > 0
      ? [{ x, y, stepX, stepY, columns, rows, stride: Math.ceil((columns * size * depth) / 8) }]
      : [];
  });
  const length = passes.reduce((sum, { rows, stride }) => sum + rows * (stride + 1), 0);
  const data = Buffer.concat(chunks.flatMap((one) => (one.type === 'IDAT' ? [one.data] : [])));
  const lines = await inflated(data, { maxOutputLength: length + 64 });
  if (lines.length < length) return undefined;
  const find = (type: string) => chunks.find((one) => one.type === type)?.data;
  const picture = createPicture(width * height, depth, samples, find('PLTE'), find('tRNS'));
  const share = createShare();
  let start = 0;
  for (const { x, y, stepX, stepY, columns, rows, stride } of passes) {
    for (let row = 0; row < rows; row += 1) {
      const line = lines.subarray(start + 1, start + 1 + stride);
      const above = row === 0 ? undefined : lines.subarray(start - stride, start);
      if (!unfilter(lines[start] ?? 0, line, above, Math.max(1, (size * depth) >> 3))) return undefined;
      picture.add(line, columns, (y + row * stepY) * width + x, stepX);
      start += stride + 1;
      await share();
    }
  }
  return { width, height, isGray: picture.colors === 1, color: picture.color, alpha: picture.alpha };
};

/** Lets others work when the caller has worked for its share. */
const createShare = () => {
  let since = performance.now();
  return async (): Promise<void> => {
    if (performance.now() - since < shareMilliseconds) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
};

/** Undoes the filter of a row in place (https://www.w3.org/TR/png-3/#9Filters); false for a filter that does not exist. */
const unfilter = (filter: number, line: Buffer, above: Buffer | undefined, pixel: number): boolean => {
  if (filter > 4) return false;
  for (let x = 0; filter !== 0 && x < line.length; x += 1) {
    const left = x < pixel ? 0 : (line[x - pixel] ?? 0);
    const up = above?.[x] ?? 0;
    const corner = x < pixel ? 0 : (above?.[x - pixel] ?? 0);
    line[x] = (line[x] ?? 0) + predict(filter, left, up, corner);
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

/**
 * Collects rows of samples as bytes. `palette`: three bytes an entry. `transparent` (tRNS): an opacity for each entry of the palette, or the
 * samples of the one color that is transparent (https://www.w3.org/TR/png-3/#11tRNS).
 */
const createPicture = (
  pixels: number,
  depth: number,
  samples: { color: 1 | 3; alpha: 0 | 1; isIndex?: true },
  palette: Buffer | undefined,
  transparent: Buffer | undefined,
) => {
  const colors = samples.isIndex ? 3 : samples.color;
  const color = Buffer.alloc(pixels * colors);
  const alpha = samples.alpha === 1 || transparent ? Buffer.alloc(pixels, 255) : undefined;
  const size = samples.color + samples.alpha;
  const most = 2 ** Math.min(depth, 8) - 1;
  const read = (line: Buffer, at: number): number => {
    if (depth >= 8) return line[depth === 8 ? at : at * 2] ?? 0;
    const bit = at * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most;
  };
  const isTransparent = (line: Buffer, at: number): boolean => {
    for (let one = 0; one < samples.color; one += 1) {
      const low = depth === 16 ? (line[(at + one) * 2 + 1] ?? 0) : 0;
      const given = (read(line, at + one) << (depth === 16 ? 8 : 0)) | low;
      if (given !== transparent?.readUInt16BE(one * 2)) return false;
    }
    return true;
  };
  const addIndex = (index: number, to: number): void => {
    for (let one = 0; one < 3; one += 1) color[to * 3 + one] = palette?.[index * 3 + one] ?? 0;
    if (alpha) alpha[to] = transparent?.[index] ?? 255;
  };
  const addSamples = (line: Buffer, at: number, to: number): void => {
    for (let one = 0; one < colors; one += 1) color[to * colors + one] = (read(line, at + one) * 255) / most;
    if (!alpha) return;
    if (samples.alpha === 1) alpha[to] = read(line, at + colors);
    else if (isTransparent(line, at)) alpha[to] = 0;
  };
  return {
    colors,
    color,
    alpha,
    /** `to`: the first of the row's pixels in the picture; `step`: from one to the next. */
    add: (line: Buffer, columns: number, to: number, step: number): void => {
      for (let x = 0; x < columns; x += 1) {
        if (samples.isIndex) addIndex(read(line, x), to + x * step);
        else addSamples(line, x * size, to + x * step);
      }
    },
  };
};
