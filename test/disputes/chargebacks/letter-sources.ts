import { readFile } from 'node:fs/promises';
import type { LetterSources } from '#disputes/chargebacks/evidence/evidence-pdf.ts';
import { letterFontFiles } from '#disputes/chargebacks/letter/letter-font-files.ts';

/** A letter of a fixed day, with the fonts as they lie in their packages. */
export const letterSources: LetterSources = {
  at: '2026-05-02T12:00:00.000Z',
  readFont: (name) => readFile(letterFontFiles[name] ?? ''),
};
