import type { EvidenceKind, FileOfEvidence } from '../ports/evidence-kinds.ts';

/**
 * The choice of a reason with which a dispute is defended at Adyen, and of the documents for it. Pure.
 * @see https://docs.adyen.com/api-explorer/Disputes/30/post/retrieveApplicableDefenseReasons
 */

/** A type of document that a reason asks for. `isSupplied`: one was uploaded before. */
type DocumentType = { code: string; level: string; isSupplied: boolean };

export type DefenseReason = { code: string; documents: readonly DocumentType[] };

/** `files` go behind the letter, as one PDF. */
export type DefenseDocument = { code: string; files: readonly FileOfEvidence[] };

/** `stale`: the types whose documents are deleted first. */
export type Defense = { reason: string; documents: readonly DefenseDocument[]; stale: readonly string[] };

/** Types for a defense in general, which the letter with all files is. */
const generalTypes: readonly string[] = ['DefenseMaterial', 'AlternativeDefenseMaterial', 'AdditionalInformation'];

/** The kinds of files that prove what a type is about; Adyen has no list of its types, so others are not known here. */
const kindsOfTypes: Readonly<Record<string, readonly EvidenceKind[]>> = {
  DateMerchandiseShipped: ['shipping'],
  DisclosureAtPointOfInteraction: ['refund_policy', 'cancellation_policy'],
  ProofOfAbilityToProvideServices: ['service'],
  ProofOfGoodsOrServicesProvided: ['signature', 'shipping', 'service'],
  TIDorInvoice: ['receipt'],
};

type Files = readonly FileOfEvidence[];

const fileFor = ({ code }: DocumentType, files: Files): FileOfEvidence | undefined =>
  (kindsOfTypes[code] ?? []).flatMap((kind) => files.find((file) => file.kind === kind) ?? [])[0];

/** `AlternativeRequired`: a generic document is enough, whatever its type is called. */
const isGeneral = ({ code, level }: DocumentType): boolean =>
  generalTypes.includes(code) || level === 'AlternativeRequired';
const isCovered = (type: DocumentType, files: Files): boolean => isGeneral(type) || fileFor(type, files) !== undefined;

/** The types that are needed and missing; of those of which one is enough, all if there is none. */
const missingTypes = ({ documents }: DefenseReason, files: Files): readonly DocumentType[] => {
  if (documents.some(({ level }) => level === 'AlternativeRequired')) return [];
  const required = documents.filter(({ level }) => level === 'Required');
  const choice = documents.filter(({ level }) => level === 'OneOrMore');
  return [
    ...required.filter((type) => !isCovered(type, files)),
    ...(choice.some((type) => isCovered(type, files)) ? [] : choice),
  ];
};

/** Counts the needed documents that files prove. */
const countProven = ({ documents }: DefenseReason, files: Files): number =>
  documents.filter((type) => ['Required', 'OneOrMore'].includes(type.level) && fileFor(type, files)).length;

/** The letter is in front of each document. Files that belong to no other document are in the first general one, else in the first. */
const documentsFor = ({ documents }: DefenseReason, files: Files): DefenseDocument[] => {
  const covered = documents.filter((type) => isCovered(type, files));
  const main = covered.find(isGeneral) ?? covered[0];
  const proofs = covered.flatMap((type) => (type === main ? [] : (fileFor(type, files) ?? [])));
  const rest = files.filter((file) => !proofs.includes(file));
  return covered.map((type) => {
    const own = isGeneral(type) ? undefined : fileFor(type, files);
    if (type === main) return { code: type.code, files: own ? [own, ...rest.filter((file) => file !== own)] : rest };
    return { code: type.code, files: own ? [own] : files };
  });
};

const whyNone = (reasons: readonly DefenseReason[], files: Files): string => {
  const wants = reasons.flatMap((reason) => {
    const kinds = missingTypes(reason, files).map(({ code }) => kindsOfTypes[code]?.join(' or ') ?? '');
    const isKnown = kinds.length > 0 && kinds.every((kind) => kind !== '');
    return isKnown ? `of the kind ${[...new Set(kinds)].join(', and ')} for ${reason.code}` : [];
  });
  return wants.length > 0
    ? `adyen needs other files: ${wants.join('; ')}`
    : 'adyen needs documents for this dispute that cannot be sent from here: defend it in its Customer Area';
};

const noReason = 'adyen accepts no defense of this dispute now. If it was defended, Adyen reports that by a webhook';

/**
 * Chooses the reason: a general defense if Adyen offers one, because a specific reason states something that files alone do not show; else the
 * reason of whose documents the files prove most. If none fits, `refused` says what is missing.
 */
export const chooseDefense = (reasons: readonly DefenseReason[], files: Files): Defense | { refused: string } => {
  if (reasons.length === 0) return { refused: noReason };
  const fitting = reasons.filter((reason) => missingTypes(reason, files).length === 0);
  const [specific] = fitting
    .filter((reason) => countProven(reason, files) > 0)
    .toSorted((one, other) => countProven(other, files) - countProven(one, files));
  const reason = fitting.find(({ documents }) => documents.some(isGeneral)) ?? specific;
  if (!reason) return { refused: whyNone(reasons, files) };
  return {
    reason: reason.code,
    documents: documentsFor(reason, files),
    stale: reason.documents.filter(({ isSupplied }) => isSupplied).map(({ code }) => code),
  };
};
