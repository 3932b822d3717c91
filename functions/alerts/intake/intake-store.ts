import { nowIso } from '../../core/clock.ts';
import { newTimedId } from '../../core/ids.ts';
import { keys } from '../../core/keys.ts';
import { ConditionFailed, getItems, type Item, transact } from '../../core/table.ts';
import { claimKeysFor, fromClaimsItem, rdrClaimKeys } from '../../enrollments/claim-row.ts';
import type { Site } from '../../merchants/site.ts';
import { fromSiteItem } from '../../merchants/site-row.ts';
import { type Alert, createAlert, type Ownership } from '../alert.ts';
import { asksRules, ruleHeadKeys } from '../automatic/rule-row.ts';
import { entryOfChange, type Source } from '../history.ts';
import { newAlertWrites } from '../history-row.ts';
import { newAlertTidings } from '../outbox/tidings-row.ts';
import { informWrites } from '../search/inform-row.ts';
import { type Case, firstDisputes, fromCaseItem, markedAlert, newCaseWrite } from './case-row.ts';
import { type FirstDispute, markNames, marksOf } from './duplicates.ts';
import { type Candidate, matchOf } from './matching.ts';
import type { Notice } from './notice.ts';

/** What a provider is told of its case. */
export type Taken = { alert_id: number; is_duplicate: boolean; matched: boolean };

const takenOf = ({ alertId, isDuplicate, sid }: Case): Taken => ({
  alert_id: alertId,
  is_duplicate: isDuplicate,
  matched: sid !== null,
});

const claimKeys = ({ provider, descriptor, bin, caid, arn }: Notice) =>
  provider === 'rdr' ? rdrClaimKeys({ bin, caid, arn, descriptor }) : claimKeysFor(provider, descriptor);

/**
 * Takes a provider's notice: finds whose it is, writes the alert and whatever tells its owner of it, and answers once all
 * of that is durable. A case that is known is answered again, without a write.
 * Three calls of DynamoDB at most, unless somebody else's write comes in between.
 */
export const takeNotice = async (notice: Notice): Promise<Taken> => {
  const [known, ...claims] = await getItems([keys.providerCase(notice.provider, notice.caseId), ...claimKeys(notice)]);
  const before = fromCaseItem(known);
  if (before) return takenOf(before);
  const match = matchOf(claims.flatMap(fromClaimsItem));
  const found = 'candidate' in match ? await readOwner(match.candidate, notice) : undefined;
  const ownership: Ownership =
    'candidate' in match
      ? found
        ? { site: found.site, matchedDescriptor: match.candidate.descriptor }
        : { unmatchedBecause: 'no_match' }
      : match;
  const source: Source = { by: notice.provider, via: 'intake' };
  return writeAlert(notice, ownership, found ?? nothingKnown(), source);
};

/** What a new alert needs to know of its site: the disputes it may repeat, and whether there are rules to ask. */
type Surroundings = { firsts: Map<string, FirstDispute>; asksRules: boolean };

const nothingKnown = (): Surroundings => ({ firsts: new Map(), asksRules: false });

/** A site with what an alert of this kind needs to know of it; undefined if there is no such site. */
export const readOwner = async (
  { sid, mid }: Pick<Candidate, 'sid' | 'mid'>,
  notice: Notice,
): Promise<({ site: Site } & Surroundings) | undefined> => {
  const names = markNames(marksOf(notice));
  const [site, ownHead, merchantHead, ...marks] = await getItems([
    keys.site(sid),
    ...ruleHeadKeys({ sid, mid }),
    ...names.map((name) => keys.firstDispute(sid, name)),
  ]);
  if (!site) return undefined;
  return {
    site: fromSiteItem(site),
    firsts: firstDisputes(names, marks),
    asksRules: asksRules(ownHead) || asksRules(merchantHead),
  };
};

/** The enrolled claims of any provider that fit a descriptor. */
export const candidatesFor = async (descriptor: string): Promise<Candidate[]> => {
  const providers = ['provider_a', 'provider_b', 'rdr'] as const;
  const items = await Promise.all(providers.map((provider) => getItems(claimKeysFor(provider, descriptor))));
  return items.flat().flatMap(fromClaimsItem);
};

const mostTries = 8;

/**
 * Writes a new alert in one transaction. Where another write was faster the transaction is made again from what that one
 * left: the same case is answered from it, a duplicate's first alert is named, a number that is taken is drawn again.
 */
export const writeAlert = async (
  notice: Notice,
  ownership: Ownership,
  surroundings: Surroundings,
  source: Source,
): Promise<Taken> => {
  const { firsts } = surroundings;
  for (let tries = 1; ; tries += 1) {
    const at = nowIso();
    const planned = planOf(createAlert(newTimedId(), notice, at, ownership), ownership, surroundings, at, source);
    try {
      await transact(planned.parts.map(({ write }) => write));
      return takenOf(planned.taken);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || tries >= mostTries) throw error;
      const raced = readRace(planned.parts, error.items, firsts);
      if (raced) return takenOf(raced);
    }
  }
};

type Part = { what: 'case' | 'number' | { mark: string }; write: Parameters<typeof transact>[0][number] };

const planOf = (
  unmarked: Alert,
  ownership: Ownership,
  { firsts, asksRules: isAsked }: Surroundings,
  at: string,
  source: Source,
): { parts: Part[]; taken: Case } => {
  const site = 'site' in ownership ? ownership.site : undefined;
  const marked = site && markedAlert(unmarked, site.sid, marksOf(unmarked.notice), firsts);
  const alert = marked?.alert ?? unmarked;
  const entry = entryOfChange(null, alert, 'received', at, source);
  const numbered = [
    ...newAlertWrites(alert, entry),
    ...(site ? [...newAlertTidings(alert, site, isAsked, at), ...informWrites(alert, site)] : []),
  ];
  return {
    parts: [
      { what: 'case', write: newCaseWrite(alert) },
      ...(marked?.markWrites ?? []).map(({ name, write }) => ({ what: { mark: name }, write })),
      ...numbered.map((write) => ({ what: 'number' as const, write })),
    ],
    taken: { alertId: alert.alertId, isDuplicate: alert.duplicateOf !== null, sid: site?.sid ?? null },
  };
};

/** Learns from the items that stood in the way: answers the case if that is one of them, else adds first disputes. */
const readRace = (
  parts: readonly Part[],
  items: ReadonlyMap<number, Item | undefined>,
  firsts: Map<string, FirstDispute>,
): Case | undefined => {
  let known: Case | undefined;
  for (const [index, item] of items) {
    const what = parts[index]?.what;
    if (what === 'case') known = fromCaseItem(item);
    else if (typeof what === 'object') {
      for (const [name, first] of firstDisputes([what.mark], [item])) firsts.set(name, first);
    }
  }
  return known;
};
