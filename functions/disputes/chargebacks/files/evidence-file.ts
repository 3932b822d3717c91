import type { EvidenceFileType } from '#payments/processors/ports/evidence-kinds.ts';
import { measureJpeg, measurePng, type PictureSize } from './picture-size.ts';

/** Recognises a file by its content, and limits what it expands to: names, declared types and headers can say anything. */

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const jpegStart = Buffer.from('\xff\xd8\xff', 'latin1');

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start);

/** `pages`: absent if they cannot be counted. */
type Examined = { type: EvidenceFileType; pages?: number } | { refused: string };

const onePage = (type: EvidenceFileType, size: PictureSize): Examined =>
  'refused' in size ? size : { type, pages: 1 };

/** The type of a file, or why it is not accepted. A PDF that cannot be read is accepted: it is sent by itself. */
export const examineFile = async (content: Uint8Array): Promise<Examined> => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (startsWith(bytes, jpegStart)) return onePage('image/jpeg', measureJpeg(bytes));
  if (startsWith(bytes, pngStart) && bytes.length > 33) return onePage('image/png', await measurePng(bytes));
  // Readers accept a PDF whose first line is preceded by something else.
  if (!bytes.subarray(0, 1024).includes('%PDF-')) return { refused: 'It is neither a PDF, a PNG nor a JPEG.' };
  if (bytes.includes('/Encrypt')) return { refused: 'The PDF is encrypted: save it without a password.' };
  const { readPdf } = await import('./pdf-file.ts');
  const read = await readPdf(bytes);
  if ('refused' in read) return { refused: `The PDF ${read.refused}: print it to a new PDF, or upload a part of it.` };
  return { type: 'application/pdf', ...('pages' in read && read.pages > 0 && { pages: read.pages }) };
};
