import { iso } from '#core/kernel/clock.ts';
import {
  type ChargeFacts,
  type DisputedTransaction,
  type MatchEvidence,
  matchEvidenceOf,
  type RateOf,
  searchedMilliseconds,
  type Trait,
  type TraitVerdict,
  traits,
} from './match-evidence.ts';

/** Which of several charges an alert is about. Pure. */

/** A charge that can be the one, with what speaks for it. */
export type MatchedCharge<C> = { charge: C; evidence: MatchEvidence };

/**
 * `one`: the evidence is enough to act without a person. `many`: several charges have enough of it, or not all charges could be read.
 * `uncertain`: none has. Candidates are ranked, the most likely first.
 */
export type ChargeMatch<C> =
  | { found: 'none' }
  | ({ found: 'one' } & MatchedCharge<C>)
  | { found: 'many' | 'uncertain'; candidates: readonly MatchedCharge<C>[] };

/** The charges that an alert can be about, the most likely first. */
export const listFound = <C>(match: ChargeMatch<C>): readonly MatchedCharge<C>[] => {
  if (match.found === 'one') return [match];
  return match.found === 'none' ? [] : match.candidates;
};

/** When payments are searched for at all, around a time (ISO); `to` is exclusive. */
export const paymentSearchSpan = (around: string): { from: string; to: string } => {
  const at = Date.parse(around);
  return { from: iso(at - searchedMilliseconds), to: iso(at + searchedMilliseconds) };
};

type Options<C> = {
  factsOf: (charge: C) => ChargeFacts;
  /** These are all the charges there are; otherwise only an ARN or a reference can identify one. */
  isWhole: boolean;
  rateOf?: RateOf | undefined;
};

/**
 * The charge that an alert is about. Only a number that identifies a charge, or card, amount and one more agreement, lead to `one`;
 * and only if no other charge fits as well.
 */
export const matchCharges = <C>(
  disputed: DisputedTransaction,
  charges: readonly C[],
  { factsOf, isWhole, rateOf }: Options<C>,
): ChargeMatch<C> => {
  const candidates = charges
    .map((charge) => ({ charge, evidence: matchEvidenceOf(disputed, factsOf(charge), { rateOf }) }))
    .filter(({ evidence }) => evidence.level !== 'excluded')
    .sort((one, other) => other.evidence.score - one.evidence.score);
  if (candidates.length === 0) return { found: 'none' };
  const numbered = candidates.filter((one) => one.evidence.level === 'certain' && isNumbered(one));
  if (numbered.length > 0) return only(numbered) ?? { found: 'many', candidates: numbered };
  const certain = candidates.filter(({ evidence }) => evidence.level === 'certain');
  if (certain.length > 0) {
    const sameAmount = certain.filter((one) => agrees(one, 'amount'));
    const best = sameAmount.length > 0 ? sameAmount : certain;
    return (isWhole && only(best)) || { found: 'many', candidates: best };
  }
  const sufficient = candidates.filter(({ evidence }) => evidence.level === 'sufficient');
  if (sufficient.length === 0) return { found: 'uncertain', candidates };
  const alike = candidates.filter(hasAmount);
  const near = alike.filter((one) => agrees(one, 'date'));
  const rivals = near.some(({ evidence }) => evidence.level === 'sufficient') ? near : alike;
  return (isWhole && only(rivals)) || { found: 'many', candidates: rivals };
};

const only = <C>([first, ...others]: readonly MatchedCharge<C>[]): ChargeMatch<C> | undefined =>
  first && others.length === 0 ? { found: 'one', ...first } : undefined;

const agrees = <C>({ evidence }: MatchedCharge<C>, trait: Trait): boolean => evidence.verdicts[trait] === 'agrees';

const isNumbered = <C>(one: MatchedCharge<C>): boolean => agrees(one, 'arn') || agrees(one, 'reference');

/** A charge whose amount may be the alert's may be the one as well, even where its card is known only in part. */
const hasAmount = <C>({ evidence }: MatchedCharge<C>): boolean =>
  evidence.verdicts.amount === 'agrees' || evidence.verdicts.amount === 'partly';

/** Checks whether an alert may be about a charge, for showing both together; money does not depend on it. */
export const isPlausible = (disputed: DisputedTransaction, charge: ChargeFacts): boolean => {
  const { level, verdicts } = matchEvidenceOf(disputed, charge);
  if (level === 'excluded') return false;
  return (
    level !== 'weak' || (verdicts.amount === 'agrees' && verdicts.date === 'agrees' && verdicts.card !== 'unknown')
  );
};

/** Checks whether the alert's numbers or its amount are the charge's, so that a differing amount must mean the whole of it. */
export const isNamedBy = ({ verdicts }: MatchEvidence): boolean =>
  (['arn', 'reference', 'auth_code', 'amount'] as const).some((trait) => verdicts[trait] === 'agrees');

const traitWords: Readonly<Record<Trait, string>> = {
  arn: 'ARN',
  reference: 'transaction reference',
  auth_code: 'authorization code',
  card: 'card',
  amount: 'amount',
  date: 'date',
  descriptor: 'descriptor',
};

/** Evidence as stored with a decision and shown: the score from 0 to 100, and each trait that is known. */
export type MatchEvidenceDto = { score: number; traits: { trait: Trait; verdict: TraitVerdict }[] };

export const toMatchEvidenceDto = ({ score, verdicts }: MatchEvidence): MatchEvidenceDto => ({
  score,
  traits: traits.filter((trait) => verdicts[trait] !== 'unknown').map((trait) => ({ trait, verdict: verdicts[trait] })),
});

/** In words: `match 85 of 100: ARN, amount agree; date differs`. */
export const evidenceWords = ({ score, traits: known }: MatchEvidenceDto): string => {
  const groups = [
    ['agree', known.filter(({ verdict }) => verdict === 'agrees')],
    ['partly agree', known.filter(({ verdict }) => verdict === 'partly')],
    ['differ', known.filter(({ verdict }) => verdict === 'differs' || verdict === 'contradicts')],
  ] as const;
  const said = groups.flatMap(([verb, of]) =>
    of.length === 0
      ? []
      : [`${of.map(({ trait }) => traitWords[trait]).join(', ')} ${verb}${of.length === 1 ? 's' : ''}`],
  );
  return `match ${score} of 100: ${said.join('; ') || 'nothing to compare'}`;
};
