import * as fontkit from '@cantoo/fontkit';
import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib';
import { grayscale } from '@cantoo/pdf-lib';
import type { Block } from './issuer-letter.ts';
import { coverText, drawableText, type OpenFont, type ReadFont, type Weight } from './letter-fonts.ts';
import { breakLines, readParagraph, runsOfLine } from './text-runs.ts';

/** Draws the paragraphs of a letter, in fonts that have its characters, over as many pages as it needs. */

export type Sheet = { width: number; height: number; margin: number };

type Face = OpenFont & { embedded: PDFFont };
type Piece = { text: string; face: Face };

const isReadBackwards = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Replaces a character that no font has; `unshownInLetter` names these. */
const gap = '?';

/** Text as pieces of one font each. Marks other than those of Latin stay with what stands before them. */
const splitRuns = (text: string, faces: readonly Face[]): Piece[] => {
  const pieces: Piece[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    const isNeutral = !/[\p{L}\p{N}\p{ASCII}]/u.test(character);
    const found =
      isNeutral && last?.face.isCovered(character) ? last.face : faces.find((one) => one.isCovered(character));
    const face = found ?? faces.find((one) => one.isCovered(gap));
    if (face === undefined) continue;
    const shown = found ? character : gap;
    if (last?.face === face) last.text += shown;
    else pieces.push({ text: shown, face });
  }
  return pieces;
};

type DrawnLine = { pieces: Piece[]; width: number; isRightToLeft: boolean };

const widthOfPieces = (pieces: readonly Piece[], size: number): number =>
  pieces.reduce((sum, { text, face }) => sum + face.embedded.widthOfTextAtSize(text, size), 0);

const breakRow = ({ text, size }: Block, faces: readonly Face[], most: number): DrawnLine[] => {
  const paragraph = readParagraph(drawableText(text));
  const widthOf = (part: string) => widthOfPieces(splitRuns(part, faces), size);
  return breakLines(paragraph.text, widthOf, most).map(([start, end]) => {
    const shownEnd = start + paragraph.text.slice(start, end).trimEnd().length;
    const pieces = runsOfLine(paragraph, start, shownEnd).flatMap((run) => {
      const own = splitRuns(run.text, faces);
      return run.isRightToLeft ? own.reverse().map(asDrawn) : own;
    });
    return { pieces, width: widthOfPieces(pieces, size), isRightToLeft: paragraph.isRightToLeft };
  });
};

/** The font lays letters of Hebrew and Arabic out from right to left; marks that stand alone are turned here. */
const asDrawn = (piece: Piece): Piece =>
  isReadBackwards.test(piece.text) ? piece : { ...piece, text: [...piece.text].reverse().join('') };

/** Embeds the fonts that the text needs. The name keeps the same letter the same bytes. */
const facesFor = async (pdf: PDFDocument, text: string, weight: Weight, read: ReadFont): Promise<Face[]> => {
  const { fonts } = await coverText(`${gap}${text}`, weight, read);
  const faces: Face[] = [];
  for (const font of fonts) {
    const customName = `Letter-${weight}-${font.name.replace('.woff', '')}`;
    faces.push({ ...font, embedded: await pdf.embedFont(font.bytes, { subset: true, customName }) });
  }
  return faces;
};

/** The least width of a column at the right, and what parts two of them, in points. */
const [minCellWidth, cellGap] = [104, 8];

/** The width of a column in which each cell has one line, up to a third of the page. */
const findCellWidth = (blocks: readonly Block[], facesOfWeight: ReadonlyMap<Weight, Face[]>, most: number): number => {
  const widths = blocks.flatMap((block) =>
    (block.cells ?? []).map((text) => readCell({ ...block, text }, facesOfWeight.get(block.weight))?.width ?? 0),
  );
  return Math.min(
    most / 3,
    widths.reduce((widest, width) => Math.max(widest, width + cellGap), minCellWidth),
  );
};

/** A cell is never broken: its end is the currency of an amount. */
const readCell = (block: Block, faces: readonly Face[] = []): DrawnLine | undefined =>
  breakRow(block, faces, Number.POSITIVE_INFINITY)[0];

/** Draws a line that begins, or ends, at a place. */
const drawLine = (page: PDFPage, { pieces, width }: DrawnLine, { size, isQuiet }: Block, place: Place): void => {
  let x = 'right' in place ? place.right - width : place.left;
  for (const { text, face } of pieces) {
    page.drawText(text, { x, y: place.y, size, font: face.embedded, color: grayscale(isQuiet ? 0.35 : 0) });
    x += face.embedded.widthOfTextAtSize(text, size);
  }
};
type Place = { y: number } & ({ left: number } | { right: number });

export const typeset = async (
  pdf: PDFDocument,
  blocks: readonly Block[],
  sheet: Sheet,
  read: ReadFont,
): Promise<void> => {
  pdf.registerFontkit(fontkit);
  const facesOfWeight = new Map<Weight, Face[]>();
  for (const weight of ['plain', 'bold'] as const) {
    const text = blocks.filter((one) => one.weight === weight).flatMap(({ text, cells = [] }) => [text, ...cells]);
    facesOfWeight.set(weight, await facesFor(pdf, text.join('\n'), weight, read));
  }
  const { width, height, margin } = sheet;
  const right = width - margin;
  const cellWidth = findCellWidth(blocks, facesOfWeight, width - 2 * margin);
  let page: PDFPage | undefined;
  let y = 0;
  for (const block of blocks) {
    const { size, cells = [], after } = block;
    const lineHeight = Math.round(size * 1.45);
    const faces = facesOfWeight.get(block.weight) ?? [];
    const most = width - 2 * margin - cells.length * cellWidth;
    for (const [index, line] of breakRow(block, faces, most).entries()) {
      if (!page || y < margin + lineHeight) {
        page = pdf.addPage([width, height]);
        y = height - margin;
      }
      drawLine(page, line, block, { y, ...(line.isRightToLeft ? { right: margin + most } : { left: margin }) });
      for (const [column, text] of index === 0 ? cells.entries() : []) {
        const cell = readCell({ ...block, text }, faces);
        if (cell) drawLine(page, cell, block, { y, right: right - (cells.length - 1 - column) * cellWidth });
      }
      y -= lineHeight;
    }
    y -= after;
  }
};
