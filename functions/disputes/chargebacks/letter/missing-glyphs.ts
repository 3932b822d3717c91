import type { Assembled } from '../evidence/chargeback-evidence.ts';
import type { LetterSources } from '../evidence/evidence-pdf.ts';
import { issuerLetterOf } from './issuer-letter.ts';
import { coverText } from './letter-fonts.ts';

/** Characters of the letter that no font has, so that its author can choose other words before it is sent. */
export const unshownInLetter = async (
  { chargeback, ...facts }: Assembled,
  { at, readFont }: LetterSources,
): Promise<string[]> => {
  const files = chargeback.files.map(({ kind, name, type }) => ({ kind, name, type, bytes: new Uint8Array() }));
  const text = issuerLetterOf({ chargeback, ...facts }, files, at)
    .map((block) => block.text)
    .join('\n');
  return (await coverText(text, 'plain', readFont)).unshown;
};
