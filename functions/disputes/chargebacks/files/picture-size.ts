import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

/** What a picture becomes when it is decoded, read from its headers before anything is. Pure. */

export type PictureSize = { pixels: number } | { refused: string };

/** A PNG is decoded to be put on a page, with about 16 bytes a pixel: a page of A4 at 300 dots per inch has 9 million. */
const maxPngPixels = 12_000_000;
/** A JPEG is put on a page as it is; the limit protects whoever opens it. Cameras of phones reach 50 million. */
const maxJpegPixels = 64_000_000;
/** 12 million pixels of four channels with 8 bits. */
const maxPngBytes = 48_000_000;
/** Texts and color profiles of a PNG, inflated. */
const maxNoteBytes = 1_000_000;

const tooManyPixels = (limit: number) => ({ refused: `It has more than ${limit / 1_000_000} million pixels.` });
const refuseDamaged = (format: string) => ({ refused: `The ${format} is damaged: save it again.` });
const expands = { refused: 'The PNG expands to more than its size in pixels: save it again.' };

type Chunk = { type: string; data: Buffer };

/** The chunks of a PNG up to its end. */
export const readChunks = (bytes: Buffer): Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    if (type === 'IEND') break;
    at += 12 + length;
  }
  return chunks;
};

type Header = { pixels: number; decodedBytes: number };

/** By type of color in IHDR (PNG 3rd edition, 11.2.1): https://www.w3.org/TR/png-3/#11IHDR */
const channels: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const readHeader = (data: Buffer): Header | undefined => {
  if (data.length !== 13) return;
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const bits = (channels[data.readUInt8(9)] ?? 0) * data.readUInt8(8);
  if (width === 0 || height === 0 || bits === 0 || bits > 64) return;
  const isInterlaced = data.readUInt8(12) !== 0;
  const row = Math.ceil((width * bits) / 8) + 1;
  // Seven passes have at most twice as many rows, each with a byte of filter and one of rounding.
  return { pixels: width * height, decodedBytes: height * row + (isInterlaced ? 4 * height + 16 : 0) };
};

/** In a thread of zlib's, so that others can work meanwhile. */
const inflated = promisify(inflate);

/** True if zlib data stays within a limit, false if not, undefined if it is damaged. */
const inflatesWithin = async (data: Buffer, limit: number): Promise<boolean | undefined> => {
  try {
    await inflated(data, { maxOutputLength: limit });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? false : undefined;
  }
};

/** Where the compressed part of a text begins: after its keyword and, for iTXt, its flags, language and translation. */
const compressedPart = ({ type, data }: Chunk): Buffer | undefined => {
  const keywordEnd = data.indexOf(0);
  if (type === 'zTXt' || type === 'iCCP') return data.subarray(keywordEnd + 2);
  if (type !== 'iTXt' || data[keywordEnd + 1] === 0) return;
  const languageEnd = data.indexOf(0, keywordEnd + 3);
  return data.subarray(data.indexOf(0, languageEnd + 1) + 1);
};

/** Animations decode to many pictures; CgBI is a PNG that only iOS reads. */
const refusedChunks = ['acTL', 'fcTL', 'fdAT', 'CgBI'];

export const measurePng = async (bytes: Buffer): Promise<PictureSize> => {
  const chunks = readChunks(bytes);
  const [first] = chunks;
  const header = first?.type === 'IHDR' ? readHeader(first.data) : undefined;
  if (!header || chunks.filter(({ type }) => type === 'IHDR').length > 1) return refuseDamaged('PNG');
  if (header.pixels > maxPngPixels) return tooManyPixels(maxPngPixels);
  if (header.decodedBytes > maxPngBytes + header.pixels / 100 + 65_536)
    return { refused: 'It has more than 8 bits a channel for its size: save it with 8 bits a channel.' };
  if (chunks.some(({ type }) => refusedChunks.includes(type)))
    return { refused: 'It is an animated PNG or one of iOS: save it as an ordinary PNG.' };
  const notes = chunks.map(compressedPart).filter((one) => one !== undefined);
  if (notes.length > 16) return expands;
  for (const note of notes) if ((await inflatesWithin(note, maxNoteBytes)) === false) return expands;
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map((one) => one.data));
  const fits = await inflatesWithin(data, header.decodedBytes);
  if (fits === undefined) return refuseDamaged('PNG');
  return fits ? { pixels: header.pixels } : expands;
};

/** Start of frame, 0xC0 to 0xCF without DHT, JPG and DAC: ITU-T T.81, table B.1. */
const isFrameStart = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers without a length: TEM, RST0 to RST7, SOI. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

export const measureJpeg = (bytes: Buffer): PictureSize => {
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return refuseDamaged('JPEG');
    if (isFrameStart(marker)) {
      const pixels = bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
      if (pixels === 0) return refuseDamaged('JPEG');
      return pixels > maxJpegPixels ? tooManyPixels(maxJpegPixels) : { pixels };
    }
    // A marker may be preceded by any number of 0xFF.
    if (marker === 0xff) at += 1;
    else if (standsAlone(marker)) at += 2;
    else if (marker === 0xda || marker === 0xd9) break;
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return refuseDamaged('JPEG');
};
