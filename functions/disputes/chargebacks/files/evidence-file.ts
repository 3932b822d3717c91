import type { EvidenceFileType } from '#payments/processors/ports/evidence-kinds.ts';

/** Recognises a file by its content: names and declared types can say anything. Pure. */

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const jpegStart = Buffer.from('\xff\xd8\xff', 'latin1');
/** A larger picture is a mistake, or would exhaust the memory of the function that decodes it: a page of A4 at 300 dots per inch has 9 million. */
const maxPixels = 24_000_000;

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

const pixelsOfPng = (bytes: Buffer): number => bytes.readUInt32BE(16) * bytes.readUInt32BE(20);

/** The type of a file, or why it is not accepted. */
export const examineFile = (content: Uint8Array): { type: EvidenceFileType } | { refused: string } => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (startsWith(bytes, jpegStart)) return { type: 'image/jpeg' };
  if (startsWith(bytes, pngStart) && bytes.length > 33) {
    return pixelsOfPng(bytes) > maxPixels
      ? { refused: `It has more than ${maxPixels / 1_000_000} million pixels.` }
      : { type: 'image/png' };
  }
  // Readers accept a PDF whose first line is preceded by something else.
  if (!bytes.subarray(0, 1024).includes('%PDF-')) return { refused: 'It is neither a PDF, a PNG nor a JPEG.' };
  return bytes.includes('/Encrypt')
    ? { refused: 'The PDF is encrypted: save it without a password.' }
    : { type: 'application/pdf' };
};
