import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { evidenceKindNames, type FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import { readPdf } from '../files/pdf-file.ts';
import { measureJpeg, measurePng } from '../files/picture-size.ts';
import { type Assembled, disputeWords } from './chargeback-evidence.ts';

/** The response as a letter with the uploaded files behind it, as one PDF. Pure. */

/** A4, in points. */
const [width, height] = [595.28, 841.89];
const margin = 64;
const size = 11;
const lineHeight = 16;

/** Beyond Latin-1, what the standard fonts of PDF can show. */
const shownBeyond = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/** Text as the standard fonts can show it: without accents that they lack, and with a question mark for other letters. */
const fitFonts = (text: string): string =>
  [...text.normalize('NFC')]
    .map((one) => {
      if (isShown(one)) return one;
      const base = one.normalize('NFKD').replace(/\p{M}/gu, '');
      return base !== '' && [...base].every(isShown) ? base : '?';
    })
    .join('');

const isShown = (one: string): boolean => /[\n\u0020-\u007e\u00a0-\u00ff]/.test(one) || shownBeyond.includes(one);

/** Lines no wider than the page. A word that is wider is broken. */
const wrap = (text: string, font: PDFFont): string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.split(' ').flatMap((one) => one.match(/.{1,60}/gu) ?? [''])) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && font.widthOfTextAtSize(longer, size) > width - 2 * margin) {
        lines.push(line);
        line = word;
      } else line = longer;
    }
    return [...lines, line];
  });

/** Writes lines from the top of a page on, over as many pages as they need. */
const writeLines = (pdf: PDFDocument, lines: readonly string[], fonts: { plain: PDFFont; bold: PDFFont }): void => {
  let page: PDFPage | undefined;
  let y = 0;
  for (const [index, line] of lines.entries()) {
    if (!page || y < margin + lineHeight) {
      page = pdf.addPage([width, height]);
      y = height - margin;
    }
    page.drawText(line, { x: margin, y, size: index === 0 ? 14 : size, font: index === 0 ? fonts.bold : fonts.plain });
    y -= index === 0 ? 2 * lineHeight : lineHeight;
  }
};

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

const embedPicture = (pdf: PDFDocument, type: string, content: Uint8Array, room: Room) => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const size = type === 'image/png' ? measurePng(bytes) : measureJpeg(bytes);
  if ('refused' in size) return;
  if (type !== 'image/png') return pdf.embedJpg(content);
  if (size.pixels > room.pngPixels) return;
  room.pngPixels -= size.pixels;
  return pdf.embedPng(content);
};

/** Adds a file and returns how many pages it has; 0 if the library cannot read it or it is over a limit. */
const addFile = async (pdf: PDFDocument, { type, bytes }: FileOfEvidence, room: Room): Promise<number> => {
  try {
    if (type === 'application/pdf') return await addPdf(pdf, bytes, room);
    const image = await embedPicture(pdf, type, bytes, room);
    if (!image) return 0;
    const shown = image.scaleToFit(width - 2 * margin, height - 2 * margin);
    const page = pdf.addPage([width, height]);
    page.drawImage(image, { x: margin, y: height - margin - shown.height, ...shown });
    return 1;
  } catch {
    return 0;
  }
};

const letterOf = ({ chargeback, response }: Assembled, files: readonly FileOfEvidence[]): string =>
  fitFonts(
    [
      `Response to ${disputeWords(chargeback)}`,
      response.text,
      ...(files.length > 0
        ? [
            'Exhibits',
            files.map(({ kind, name }, index) => `${exhibit(index)}. ${evidenceKindNames[kind]}: ${name}`).join('\n'),
          ]
        : []),
    ].join('\n\n'),
  );

const exhibit = (index: number): string => String.fromCharCode(65 + index);

export type EvidencePdf = {
  bytes: Uint8Array;
  pages: number;
  /** Names of files that the library cannot read or that are over a limit, which must be sent by themselves. */
  leftOut: string[];
};

/** Makes the PDF. The same evidence gives the same bytes. */
export const makeEvidencePdf = async (assembled: Assembled, files: readonly FileOfEvidence[]): Promise<EvidencePdf> => {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle(`Response to dispute ${assembled.chargeback.dispute_reference}`);
  pdf.setCreationDate(new Date(assembled.chargeback.opened_at));
  const fonts = {
    plain: await pdf.embedFont(StandardFonts.TimesRoman),
    bold: await pdf.embedFont(StandardFonts.TimesRomanBold),
  };
  writeLines(pdf, wrap(letterOf(assembled, files), fonts.plain), fonts);
  const leftOut: string[] = [];
  const room = { ...roomOfPacket };
  const begins: { page: number; label: string }[] = [];
  for (const [index, file] of files.entries()) {
    begins.push({ page: pdf.getPageCount(), label: `Exhibit ${exhibit(index)}` });
    if ((await addFile(pdf, file, room)) > 0) continue;
    leftOut.push(file.name);
    begins.pop();
  }
  numberPages(pdf, fonts.plain, begins);
  return { bytes: await pdf.save(), pages: pdf.getPageCount(), leftOut };
};

/** Below each page its number, and which exhibit begins there. */
const numberPages = (pdf: PDFDocument, font: PDFFont, begins: readonly { page: number; label: string }[]): void => {
  const pages = pdf.getPages();
  for (const [index, page] of pages.entries()) {
    const label = begins.find((one) => one.page === index)?.label;
    const text = `${label ? `${label}, page` : 'Page'} ${index + 1} of ${pages.length}`;
    page.drawText(text, { x: margin, y: 28, size: 9, font, color: rgb(0.35, 0.35, 0.35) });
  }
};
