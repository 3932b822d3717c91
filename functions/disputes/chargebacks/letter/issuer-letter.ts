import { evidenceKindNames, type FileOfEvidence } from '#payments/processors/ports/evidence-kinds.ts';
import { type Assembled, disputeWords, letterDate } from '../evidence/chargeback-evidence.ts';

/** The letter to the issuer as paragraphs, each with its look. Pure. */

/** `after`: points below it. `cells`: texts of equal columns at the right of its first line. */
export type Block = {
  text: string;
  size: number;
  weight: 'plain' | 'bold';
  isQuiet: boolean;
  after: number;
  cells?: readonly string[];
};

const body: Omit<Block, 'text'> = { size: 11, weight: 'plain', isQuiet: false, after: 0 };
const quiet: Omit<Block, 'text'> = { size: 9, weight: 'plain', isQuiet: true, after: 0 };

export const exhibitName = (index: number): string => String.fromCharCode(65 + index);

const exhibits = (files: readonly FileOfEvidence[]): Block[] =>
  files.length === 0
    ? []
    : [
        { ...body, text: 'Exhibits', weight: 'bold', after: 4 },
        ...files.map(({ kind, name }, index) => ({
          ...body,
          text: `${exhibitName(index)}. ${evidenceKindNames[kind]}: ${name}`,
        })),
      ];

/** `at`: the date of the letter. */
export const issuerLetterOf = (
  { chargeback, payment, response, sender }: Assembled,
  files: readonly FileOfEvidence[],
  at: string,
): Block[] => {
  const references = [
    `${chargeback.amount} ${chargeback.currency} disputed on ${letterDate(chargeback.opened_at)}`,
    ...(payment?.card ? [`card ${payment.card}`] : []),
    ...(payment?.arn ? [`acquirer reference ${payment.arn}`] : []),
  ];
  return [
    { ...body, text: sender.name, size: 13, weight: 'bold', after: 2 },
    ...sender.lines.map((text) => ({ ...quiet, text })),
    { ...quiet, text: letterDate(at), after: 18 },
    { ...body, text: `Response to ${disputeWords(chargeback)}`, size: 14, weight: 'bold', after: 4 },
    { ...quiet, text: references.join(' · '), after: 14 },
    ...response.text.split('\n').map((text) => ({ ...body, text })),
    { ...body, text: '', after: 4 },
    ...exhibits(files),
  ];
};
