import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import {
  grayscale,
  PDFDocument,
  type PDFFont,
  PDFImage,
  PDFRawStream,
  type PDFRef,
  PngEmbedder,
  StandardFonts,
} from '@cantoo/pdf-lib';
import type { Logo } from '#accounts/merchants/settings/letterhead.ts';
import type { FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import { readPdf } from '../files/pdf-file.ts';
import { measureJpeg, measurePng } from '../files/picture-size.ts';
import { decodePng } from '../files/png-pixels.ts';
import { exhibitName, issuerLetterOf } from '../letter/issuer-letter.ts';
import type { ReadFont } from '../letter/letter-fonts.ts';
import { typeset } from '../letter/typeset.ts';
import type { Assembled } from './chargeback-evidence.ts';

/** The response as a letter with the uploaded files behind it, as one PDF. Pure. */

/** A4, in points. */
const [width, height] = [595.28, 841.89];
const margin = 64;

/** What the files of one packet may have together: files beyond it are sent by themselves. */
type Room = { pages: number; pngPixels: number };
const roomOfPacket: Room = { pages: 1_000, pngPixels: 24_000_000 };

/** Pages of a PDF; 0 if it cannot be read or is over a limit. */
const addPdf = async (pdf: PDFDocument, bytes: Uint8Array, room: Room): Promise<number> => {
  const read = await readPdf(bytes);
  if (!('pdf' in read) || read.pages > room.pages) return 0;
  const pages = await pdf.copyPages(read.pdf, read.pdf.getPageIndices());
  for (const page of pages) pdf.addPage(page);
  room.pages -= pages.length;
  return pages.length;
};

const embedPicture = async (pdf: PDFDocument, type: string, content: Uint8Array, room: Room) => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const size = type === 'image/png' ? await measurePng(bytes) : measureJpeg(bytes);
  if ('refused' in size) return undefined;
  if (type !== 'image/png') return pdf.embedJpg(content);
  if (size.pixels > room.pngPixels) return undefined;
  room.pngPixels -= size.pixels;
  return await embedPixels(pdf, bytes);
};

const deflated = promisify(deflate);

/** The library compresses pixels in JavaScript, which takes seconds; zlib does it in a thread of its own. Undefined for a damaged PNG. */
const embedPixels = async (pdf: PDFDocument, bytes: Buffer): Promise<PDFImage | undefined> => {
  const pixels = await decodePng(bytes);
  if (!pixels) return undefined;
  const { context } = pdf;
  const picture = async (data: Buffer, space: string, more: Record<string, PDFRef> = {}) => {
    const { width: Width, height: Height } = pixels;
    const shape = { Type: 'XObject', Subtype: 'Image', Width, Height, BitsPerComponent: 8, ColorSpace: space };
    return PDFRawStream.of(context.obj({ ...shape, Filter: 'FlateDecode', ...more }), await deflated(data));
  };
  const mask = pixels.alpha && context.register(await picture(pixels.alpha, 'DeviceGray'));
  const image = await picture(pixels.color, pixels.isGray ? 'DeviceGray' : 'DeviceRGB', mask && { SMask: mask });
  // The library accepts only its own classes here.
  const embedder: PngEmbedder = Object.assign(Object.create(PngEmbedder.prototype), {
    ...{ width: pixels.width, height: pixels.height },
    embedIntoContext: async (_context: unknown, ref: PDFRef) => {
      context.assign(ref, image);
      return ref;
    },
  });
  return PDFImage.of(context.nextRef(), pdf, embedder);
};

/** Adds a file and returns how many pages it has; 0 if the library cannot read it or it is over a limit. */
const addFile = async (pdf: PDFDocument, { type, bytes }: FileOfEvidence, room: Room): Promise<number> => {
  try {
    if (type === 'application/pdf') return await addPdf(pdf, bytes, room);
    const image = await embedPicture(pdf, type, bytes, room);
    if (!image) return 0;
    const shown = image.scaleToFit(width - 2 * margin, height - 2 * margin);
    const page = pdf.addPage([width, height]);
    await image.embed();
    page.drawImage(image, { x: margin, y: height - margin - shown.height, ...shown });
    return 1;
  } catch {
    return 0;
  }
};

/** Draws the logo above the text of the first page, at its right; false if it cannot be read. */
const drawLogo = async (pdf: PDFDocument, { type, bytes }: Logo): Promise<boolean> => {
  try {
    const image = await embedPicture(pdf, type, bytes, { ...roomOfPacket });
    if (!image) return false;
    const shown = image.scaleToFit(160, margin - 22);
    await image.embed();
    pdf.getPage(0).drawImage(image, { x: width - margin - shown.width, y: height - margin + 6, ...shown });
    return true;
  } catch {
    return false;
  }
};

export type EvidencePdf = {
  bytes: Uint8Array;
  pages: number;
  /** Names of files that the library cannot read or that are over a limit, which must be sent by themselves. */
  leftOut: string[];
  /** True if the logo cannot be read: the letter is good without it. */
  isLogoLeftOut: boolean;
};

/** `at`: the date of the letter. `logo`: stands at the head of the first page. */
export type LetterSources = { at: string; readFont: ReadFont; logo?: Logo | undefined };

/** Makes the PDF. The same evidence gives the same bytes on the same day. */
export const makeEvidencePdf = async (
  assembled: Assembled,
  files: readonly FileOfEvidence[],
  { at, readFont, logo }: LetterSources,
): Promise<EvidencePdf> => {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(`Response to dispute ${assembled.chargeback.dispute_reference}`);
  pdf.setCreationDate(new Date(assembled.chargeback.opened_at));
  await typeset(pdf, issuerLetterOf(assembled, files, at), { width, height, margin }, readFont);
  const leftOut: string[] = [];
  const room = { ...roomOfPacket };
  const isLogoLeftOut = logo !== undefined && !(await drawLogo(pdf, logo));
  const begins: { page: number; label: string }[] = [];
  for (const [index, file] of files.entries()) {
    begins.push({ page: pdf.getPageCount(), label: `Exhibit ${exhibitName(index)}` });
    if ((await addFile(pdf, file, room)) > 0) continue;
    leftOut.push(file.name);
    begins.pop();
  }
  numberPages(pdf, await pdf.embedFont(StandardFonts.TimesRoman), begins);
  return { bytes: await pdf.save(), pages: pdf.getPageCount(), leftOut, isLogoLeftOut };
};

/** Below each page its number, and which exhibit begins there. */
const numberPages = (pdf: PDFDocument, font: PDFFont, begins: readonly { page: number; label: string }[]): void => {
  const pages = pdf.getPages();
  for (const [index, page] of pages.entries()) {
    const label = begins.find((one) => one.page === index)?.label;
    const text = `${label ? `${label}, page` : 'Page'} ${index + 1} of ${pages.length}`;
    page.drawText(text, { x: margin, y: 28, size: 9, font, color: grayscale(0.35) });
  }
};
