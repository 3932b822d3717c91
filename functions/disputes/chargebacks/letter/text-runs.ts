import bidiModule from 'bidi-js';

/**
 * Text as a page shows it, by the Unicode bidirectional algorithm (UAX #9): Arabic and Hebrew from right to left,
 * with Latin words and numbers in them from left to right. Pure.
 */

/** To Node the package is a CommonJS module, though its types describe an ES module. */
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

export type Paragraph = { text: string; levels: Uint8Array; isRightToLeft: boolean };

export const readParagraph = (text: string): Paragraph => {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  return { text, levels, isRightToLeft: ((paragraphs[0]?.level ?? 0) & 1) === 1 };
};

/** A part of a line in one direction. `text`: in the order in which it is read. */
export type Run = { text: string; isRightToLeft: boolean };

type Span = { start: number; end: number; level: number };

const levelRuns = ({ levels }: Paragraph, start: number, end: number): Span[] => {
  const spans: Span[] = [];
  for (let at = start; at < end; at += 1) {
    const level = levels[at] ?? 0;
    const last = spans.at(-1);
    if (last?.level === level) last.end = at + 1;
    else spans.push({ start: at, end: at + 1, level });
  }
  return spans;
};

/** Rule L2: from the highest level down, each sequence of that level or higher is reversed. */
const reorder = (spans: Span[]): Span[] => {
  const highest = Math.max(0, ...spans.map(({ level }) => level));
  let ordered = spans;
  for (let level = highest; level > 0; level -= 1) {
    const next: Span[] = [];
    let sequence: Span[] = [];
    for (const span of ordered) {
      if (span.level >= level) sequence.unshift(span);
      else {
        next.push(...sequence, span);
        sequence = [];
      }
    }
    ordered = [...next, ...sequence];
  }
  return ordered;
};

/** A line of a paragraph as runs from the left of the page to the right. */
export const runsOfLine = (paragraph: Paragraph, start: number, end: number): Run[] =>
  reorder(levelRuns(paragraph, start, end)).map((span) => {
    const isRightToLeft = (span.level & 1) === 1;
    const text = paragraph.text.slice(span.start, span.end);
    return { text: isRightToLeft ? mirror(text) : text, isRightToLeft };
  });

const mirror = (text: string): string => [...text].map((one) => bidi.getMirroredCharacter(one) ?? one).join('');

/** A line may end after each token: a word and the blanks after it, or a character of Chinese or Japanese. */
const token =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][、。，．：；？！）」』】〕々ー]*|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+\s*|\s+/gu;

/**
 * Breaks a paragraph into lines, as places in its text. `widthOf`: of a text, in the unit of `most`. A word that is wider than a line is
 * broken.
 */
export const breakLines = (text: string, widthOf: (part: string) => number, most: number): [number, number][] => {
  const lines: [number, number][] = [];
  let [start, end, width] = [0, 0, 0];
  const finish = () => {
    lines.push([start, end]);
    [start, width] = [end, 0];
  };
  for (const [word] of text.matchAll(token)) {
    const whole = widthOf(word.trimEnd());
    const parts = whole > most ? [...word] : [word];
    for (const part of parts) {
      if (end > start && width + (parts.length > 1 ? widthOf(part) : whole) > most) finish();
      end += part.length;
      width += widthOf(part);
    }
  }
  finish();
  return lines;
};
