import type { Site } from '#accounts/merchants/site/site.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, type Write } from '#core/platform/table/table.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { countryOfBin } from '../bins/bins.ts';
import { fromBinsItem } from '../bins/bins-row.ts';
import { listVerdict, watchedFacts } from '../lists/lists.ts';
import { fromListsItem } from '../lists/lists-row.ts';
import { scoreLocally } from '../scorers/local-scorer.ts';
import type { RemoteScorers, Score, ScorerName } from '../scorers/scorer.ts';
import type { Template } from '../template/template.ts';
import { fromCurrentItem } from '../template/template-row.ts';
import { scopesAsked, type VelocityRow, velocityNames } from '../velocity/velocity.ts';
import { velocityKeys, velocityWrites } from '../velocity/velocity-row.ts';
import {
  type Assessment,
  byLists,
  concludeAssessment,
  type FraudConclusion,
  isAssessed,
  unassessed,
} from './assessment.ts';
import { toCheckItem } from './check-row.ts';
import { paymentFactsOf } from './payment-facts.ts';
import type { FraudSubject } from './subject.ts';

export type { Assessment } from './assessment.ts';
export { isAssessed, needReview } from './assessment.ts';

type Rows = readonly (Item | undefined)[];

/** The rows an assessment needs in addition to the site: at most five, known before anything was read. */
export const fraudKeys = (subject: FraudSubject): Key[] => [keys.fraudLists(subject.sid), ...velocityKeys(subject)];

/** The counters among the rows of `fraudKeys`, by name. */
const rowsByName = (subject: FraudSubject, [, ...counters]: Rows): ((name: string) => VelocityRow | undefined) => {
  const rows = new Map(velocityNames(subject).map(({ name }, index) => [name, counters[index]]));
  return (name) => rows.get(name);
};

/**
 * Assesses a payment, or a check alone. `rows`: what was found under `fraudKeys`, in that order. Unless the site's lists decide,
 * reads its template, if it has one, and where the card was issued; asks a scorer of `remote` if the template names one. Writes nothing.
 */
export const assess = async (
  subject: FraudSubject,
  rows: Rows,
  site: Pick<Site, 'mid' | 'payment'>,
  remote: RemoteScorers,
): Promise<Assessment> => {
  const base = { fraudId: subject.txid ?? newTimedId(), mid: site.mid, template: null, version: null, asked: [] };
  const lists = fromListsItem(rows[0]);
  const factsWith = (issuedIn: string | null) => ({
    ...paymentFactsOf(subject, rowsByName(subject, rows), issuedIn),
    ...watchedFacts(lists, subject),
  });
  const verdict = listVerdict(lists, subject);
  if (verdict) return { ...base, ...byLists(verdict), facts: factsWith(null) };
  const ftid = Number(site.payment?.['ftid'] ?? 0);
  if (ftid === 0) return { ...base, ...unassessed, facts: factsWith(null) };
  const { template, issuedIn } = await readTemplate(ftid, subject);
  const facts = factsWith(issuedIn);
  const goesOn = Number(site.payment?.['proceedeveniffail'] ?? 0) === 1;
  const { facts: known, ...conclusion } = await byTemplate({ template, subject, facts, remote, goesOn });
  const asked = scopesAsked(template.rules);
  return { ...base, template: ftid, version: template.version, ...conclusion, facts: known, asked };
};

/** The template, and in the same call where the card was issued. */
const readTemplate = async (ftid: number, { bin }: FraudSubject) => {
  const [item, bins] = await getItems([keys.fraudTemplate(ftid), ...(bin ? [keys.bins(bin.slice(0, 6))] : [])]);
  return { template: fromCurrentItem(ftid, item), issuedIn: bin ? countryOfBin(fromBinsItem(bins), bin) : null };
};

type Asked = { template: Template; subject: FraudSubject; facts: Facts; remote: RemoteScorers; goesOn: boolean };

const byTemplate = async (asked: Asked): Promise<FraudConclusion & { facts: Facts }> => {
  const { template, facts, goesOn } = asked;
  const answer = await firstScore(asked);
  const scored = answer ?? scoreLocally(facts);
  const known = { ...facts, scorer_score: template.scorer === 'none' ? null : scored.points };
  const scorer = answer ? 'answered' : noAnswerState(template, goesOn);
  return {
    ...concludeAssessment({ template, scored, met: await findRulesMet(template, known), scorer }),
    facts: known,
  };
};

/** Returns how to treat a payment for which no scorer answered. `goesOn`: whether the site proceeds without a score. */
const noAnswerState = ({ noAnswer = 'site' }: Template, goesOn: boolean) => {
  if (noAnswer === 'site') return goesOn ? 'unavailable' : 'missed';
  return ({ local: 'unavailable', review: 'looked at', reject: 'missed' } as const)[noAnswer];
};

/** The score from the first of the template's scorers that answers; undefined if none does. */
const firstScore = async ({ template, ...asked }: Asked): Promise<Score | undefined> => {
  for (const scorer of [template.scorer, ...(template.fallbacks ?? [])]) {
    const score = await askScorer(scorer, asked);
    if (score) return score;
  }
  return undefined;
};

/** The score from one scorer; undefined if it does not answer. */
const askScorer = async (
  scorer: ScorerName,
  { subject, facts, remote }: Omit<Asked, 'template'>,
): Promise<Score | undefined> => {
  if (scorer === 'none') return { points: 0, reasons: [] };
  if (scorer === 'local') return scoreLocally(facts);
  try {
    return await remote[scorer](subject, facts);
  } catch (error) {
    log('warn', 'fraud_scorer_unavailable', { scorer, error: describeError(error) });
    return undefined;
  }
};

/** Loads the rules engine only if there are rules to evaluate. */
const findRulesMet = async ({ rules }: Template, facts: Facts) => {
  if (rules.length === 0) return [];
  const { rulesMet } = await import('./evaluate-template.ts');
  return rulesMet(rules, facts);
};

/**
 * The parts of the transaction that begins a payment: the check, and what it adds to the velocities. None if nothing was
 * assessed; a check alone is always kept. `rows`: as for `assess`.
 */
export const fraudWrites = (
  subject: FraudSubject,
  assessment: Assessment,
  rows: Rows,
): { fraudCheck?: Write; velocities?: Write[] } => {
  if (subject.kind === 'payment' && !isAssessed(assessment)) return {};
  return {
    fraudCheck: newRow(toCheckItem(subject, assessment)),
    // They fail if others were counted meanwhile.
    velocities: velocityWrites(subject, rowsByName(subject, rows), assessment.asked),
  };
};

/**
 * The number of times that an assessment is repeated because other payments were counted meanwhile; after that, a person reviews the
 * payment.
 */
export const maxAssessments = 3;
