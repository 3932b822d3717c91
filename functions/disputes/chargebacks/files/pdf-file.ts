import { AsyncLocalStorage } from 'node:async_hooks';
import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  PDFObjectStreamParser,
  type PDFRawStream,
  PDFRef,
  PDFStream,
  PDFXRefStreamParser,
} from '@cantoo/pdf-lib';

/** Reads a PDF of a user with limits: pdf-lib has none, and 4.5 MB of file can become 4 GB. */

export const maxPdfPages = 500;
const maxTreeDepth = 32;
const maxParsedBytes = 16_000_000;
const maxContentBytes = 200_000_000;
const maxObjects = 200_000;
/** What pages repeat when they are copied: their own entries and those that they inherit. */
const maxCopiedBytes = 16_000_000;
const maxMilliseconds = 5_000;

class PdfLimitError extends Error {}

type Budget = { bytes: number; objects: number; endsAt: number; exceeded?: PdfLimitError };
const budgets = new AsyncLocalStorage<Budget>();

/** Throws PdfLimitError; the parser swallows what is thrown within an object, so it is also kept. */
const fail = (budget: Budget, words: string): never => {
  budget.exceeded ??= new PdfLimitError(words);
  throw budget.exceeded;
};

const checkTime = (budget: Budget): void => {
  if (performance.now() > budget.endsAt) fail(budget, 'takes too long to read');
};

const asNumber = (value: unknown): number => (value instanceof PDFNumber ? value.asNumber() : 0);

/** Inflates a stream that the parser is about to inflate, within what is left of the limit. */
const chargeStream = (budget: Budget, { dict, contents }: PDFRawStream): number => {
  if (budget.exceeded) throw budget.exceeded;
  checkTime(budget);
  const filter = dict.lookup(PDFName.of('Filter'));
  const only = filter instanceof PDFArray && filter.size() === 1 ? filter.lookup(0) : filter;
  if (only !== undefined && only !== PDFName.of('FlateDecode')) fail(budget, 'has objects in an unusual compression');
  const length = only ? inflatedLength(budget, contents, budget.bytes) : contents.length;
  if (length === undefined) return fail(budget, 'is damaged');
  budget.bytes -= length;
  return budget.bytes < 0 ? fail(budget, 'expands too much') : length;
};

/** The length of zlib data inflated; undefined if it is damaged. Throws PdfLimitError above the limit. */
const inflatedLength = (budget: Budget, contents: Uint8Array, limit: number): number | undefined => {
  try {
    return inflateSync(contents, { maxOutputLength: Math.max(1, limit) }).length;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      ? fail(budget, 'expands too much')
      : undefined;
  }
};

const chargeObjects = (budget: Budget, count: number): void => {
  budget.objects -= count;
  if (!(count >= 0) || budget.objects < 0) fail(budget, 'has too many objects');
};

/** The table of an XRef stream has no more entries than its bytes can hold. */
const checkXRef = (budget: Budget, { dict }: PDFRawStream, length: number): void => {
  const widths = dict.lookup(PDFName.of('W'));
  const width = widths instanceof PDFArray ? widths.asArray().reduce((sum, one) => sum + asNumber(one), 0) : 0;
  const index = dict.lookup(PDFName.of('Index'));
  const entries =
    index instanceof PDFArray
      ? index.asArray().reduce((sum, one, at) => sum + (at % 2 === 1 ? asNumber(one) : 0), 0)
      : asNumber(dict.lookup(PDFName.of('Size')));
  if (!(width >= 1) || entries * width > length + width) fail(budget, 'has a damaged list of objects');
  chargeObjects(budget, entries);
};

const parseObjects = PDFObjectStreamParser.forStream;
const parseXRef = PDFXRefStreamParser.forStream;

/** pdf-lib offers no limit, so the two places where its parser inflates are preceded by ours; without a budget nothing changes. */
PDFObjectStreamParser.forStream = (stream, shouldWait) => {
  const budget = budgets.getStore();
  if (!budget) return parseObjects(stream, shouldWait);
  chargeStream(budget, stream);
  chargeObjects(budget, asNumber(stream.dict.lookup(PDFName.of('N'))));
  return parseObjects(stream, () => {
    checkTime(budget);
    return shouldWait?.() ?? false;
  });
};
PDFXRefStreamParser.forStream = (stream) => {
  const budget = budgets.getStore();
  if (budget) checkXRef(budget, stream, chargeStream(budget, stream));
  return parseXRef(stream);
};

const inherited = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name));

/** Bytes that a copy of a page has of its own: what is referred to is copied once for all pages. */
const directBytes = (node: PDFDict, isLeaf: boolean): number =>
  isLeaf ? node.sizeInBytes() : inherited.reduce((sum, name) => sum + (node.get(name)?.sizeInBytes() ?? 0), 0);

type Walk = { pages: number; nodes: number; copied: number; sizes: Map<PDFDict, number> };

/** Counts pages as often as they are named. Throws PdfLimitError. */
const walkPages = (
  budget: Budget,
  node: PDFDict,
  walk: Walk,
  { depth, above }: { depth: number; above: number },
): void => {
  checkTime(budget);
  walk.nodes += 1;
  if (depth > maxTreeDepth || walk.nodes > 4 * maxPdfPages) fail(budget, 'has too many nested groups of pages');
  const kids = node.lookup(PDFName.of('Kids'));
  const isLeaf = !(kids instanceof PDFArray);
  const own = walk.sizes.get(node) ?? directBytes(node, isLeaf);
  walk.sizes.set(node, own);
  if (isLeaf) {
    walk.pages += 1;
    walk.copied += own + above;
    if (walk.pages > maxPdfPages) fail(budget, `has more than ${maxPdfPages} pages`);
    if (walk.copied > maxCopiedBytes) fail(budget, 'repeats too much on each page');
    return;
  }
  for (const kid of kids.asArray()) {
    const below = kid instanceof PDFRef ? node.context.lookup(kid) : kid;
    if (below instanceof PDFDict) walkPages(budget, below, walk, { depth: depth + 1, above: above + own });
  }
};

/** Streams that nothing here inflates, but whoever opens the file does. Damaged ones are left to them. */
const checkContents = (budget: Budget, pdf: PDFDocument): void => {
  let left = maxContentBytes;
  for (const [, object] of pdf.context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFStream)) continue;
    checkTime(budget);
    const filter = object.dict.lookup(PDFName.of('Filter'));
    const first = filter instanceof PDFArray ? filter.lookup(0) : filter;
    if (first !== PDFName.of('FlateDecode')) continue;
    left -= inflatedLength(budget, object.getContents(), Math.min(left, 64_000_000)) ?? 0;
  }
};

export type ReadPdf = { pdf: PDFDocument; pages: number } | { refused: string } | { unreadable: true };

/** Reads a PDF within the limits; `refused` says which it exceeds. */
export const readPdf = (bytes: Uint8Array): Promise<ReadPdf> => {
  const budget: Budget = { bytes: maxParsedBytes, objects: maxObjects, endsAt: performance.now() + maxMilliseconds };
  return budgets.run(budget, async (): Promise<ReadPdf> => {
    try {
      // Looking for the end of each invalid object would take quadratic time, so the first one ends it.
      const pdf = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
      const walk: Walk = { pages: 0, nodes: 0, copied: 0, sizes: new Map() };
      const root = pdf.catalog.lookup(PDFName.of('Pages'));
      if (root instanceof PDFDict) walkPages(budget, root, walk, { depth: 0, above: 0 });
      checkContents(budget, pdf);
      return budget.exceeded ? { refused: budget.exceeded.message } : { pdf, pages: walk.pages };
    } catch {
      return budget.exceeded ? { refused: budget.exceeded.message } : { unreadable: true };
    }
  });
};
