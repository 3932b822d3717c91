import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import type { ChargebackAction } from '#disputes/alerts/automatic/chargeback-actions.ts';
import type { RuleOwner } from '#disputes/alerts/automatic/rule.ts';
import { evaluate } from '#disputes/rules/decide/evaluate-rules.ts';
import type { Deciding } from '#disputes/rules/decide/rule-fields.ts';
import { findSoleRule } from '#disputes/rules/decide/sole-rule-store.ts';
import { readBook } from '#disputes/rules/rule-store.ts';
import type { Chargeback } from '../chargeback.ts';
import { type ChargebackSummary, chargebackEntity, fromChargebackItem } from '../chargeback-row.ts';
import { assembleEvidence } from '../evidence/assembled-evidence-store.ts';
import { type ChargebackRule, listTurns } from './chargeback-decision.ts';
import { chargebackFactsOf } from './chargeback-facts.ts';
import { toPercent, winChance } from './estimate.ts';
import { type EstimateSources, estimateFor, readEstimateSources } from './estimate-store.ts';
import { callerForRule } from './fact-store.ts';
import { backTestTotals, isForRdr, type Judged, rdrFactsOf, rdrTotals, verdictOfAction } from './past-verdict.ts';
import { readChargebackRules } from './rules-in-force-store.ts';

type Wanted = {
  rule_id?: number | undefined;
  rule?: Deciding | undefined;
  days: number;
  size: number;
  cursor?: string | undefined;
};

/** The number of chargebacks that are read at a time: each takes several requests. */
const readAtOnce = 5;

/** One page of what rules would have done with an owner's chargebacks of the last days, on the evidence that exists today. */
export const backTestChargebacks = async (owner: RuleOwner, wanted: Wanted) => {
  const now = nowIso();
  const from = iso(Date.parse(now) - wanted.days * milliseconds.day);
  const [sole, sources] = await Promise.all([
    findSoleRule<ChargebackAction>(owner, wanted, now),
    readEstimateSources(owner.mid),
  ]);
  const page = await readPage<ChargebackSummary>({
    entity: chargebackEntity,
    ...(owner.sid === null ? { scopeIndex: 2, scope: `M${owner.mid}` } : { scopeIndex: 4, scope: `S${owner.sid}` }),
    ...{ from, order: 'ASC', size: wanted.size, cursor: wanted.cursor },
  });
  const items =
    page.list.length === 0 ? [] : await getItems(page.list.map((one) => keys.chargeback(one.chargeback_id)));
  const all = items.flatMap((item) => fromChargebackItem(item) ?? []);
  // A network that refunded the cardholder left nothing to contest.
  const chargebacks =
    owner.about === 'rdr' ? all.filter(isForRdr) : all.filter(({ status }) => status !== 'refunded_by_network');
  if (owner.about === 'rdr')
    return { ...(await backTestRdr(owner, sole, chargebacks)), from, to: now, next_cursor: page.next_cursor };
  const judged: Found[] = [];
  for (let first = 0; first < chargebacks.length; first += readAtOnce) {
    const some = chargebacks.slice(first, first + readAtOnce);
    const found = await Promise.all(
      some.map(async (one) => judge(one, sole ? [sole] : await readChargebackRules(one), sources, now)),
    );
    judged.push(...found.flatMap((one) => one ?? []));
  }
  return {
    list: judged.map(verdictLine),
    evaluated: chargebacks.length,
    matched: judged.length,
    totals: backTestTotals(judged),
    ...{ from, to: now, next_cursor: page.next_cursor },
  };
};

/** The same for Visa's Rapid Dispute Resolution, whose rules know nothing but the dispute. */
const backTestRdr = async (owner: RuleOwner, sole: ChargebackRule | undefined, chargebacks: readonly Chargeback[]) => {
  const rules = sole ? [sole] : (await readBook<ChargebackAction>(owner)).rules.filter(({ enabled }) => enabled);
  const judged = await Promise.all(
    chargebacks.map(async (chargeback) => {
      const { decided } = await evaluate(rules, rdrFactsOf(chargeback));
      return { chargeback, rule: decided, isRefunded: decided?.action.type === 'accept' };
    }),
  );
  const list = judged.flatMap(({ chargeback, rule }) => {
    if (!rule) return [];
    const found = { would: rule.action.type, reason: null, chance: null, at: chargeback.openedAt };
    return verdictLine({ chargeback, rule, ...found });
  });
  return { list, evaluated: judged.length, matched: list.length, totals: rdrTotals(judged) };
};

type Found = Judged & { chargeback: Chargeback; rule: ChargebackRule; at: string };

/** When rules would have been evaluated: as it came in, and whenever time alone could have changed an answer. */
const listTimes = (rules: readonly ChargebackRule[], chargeback: Chargeback, now: string): string[] => {
  const until = [chargeback.dueBy, chargeback.closedAt, now].filter((one) => one !== null).sort()[0] ?? now;
  const { openedAt } = chargeback;
  return [openedAt, ...listTurns(rules, chargeback).filter((turn) => turn > openedAt && turn < until)];
};

/** The first rule that submits, accepts or leaves it to people decides; one that only assigns goes on. */
const judge = async (
  chargeback: Chargeback,
  rules: readonly ChargebackRule[],
  sources: EstimateSources,
  now: string,
): Promise<Found | undefined> => {
  const assembled = await assembleEvidence(chargeback, callerForRule(chargeback.mid, 'rules'));
  let found: Found | undefined;
  for (const at of listTimes(rules, chargeback, now)) {
    const facts = chargebackFactsOf(chargeback, assembled, await estimateFor(chargeback, sources, at), at);
    const { decided: rule } = await evaluate(rules, facts);
    if (!rule) continue;
    const chance = toPercent(winChance(sources.decided, chargeback.reasonCode, at));
    found = { chargeback, rule, at, chance, ...verdictOfAction(rule.action, facts) };
    if (found.would === 'submit' || found.would === 'accept') return found;
  }
  return found;
};

const verdictLine = ({ chargeback, rule, at, chance, would, reason }: Found) => ({
  chargeback_id: chargeback.id,
  sid: chargeback.sid,
  opened_at: chargeback.openedAt,
  reason_code: chargeback.reasonCode,
  amount: chargeback.amount,
  currency: chargeback.currency,
  status: chargeback.status,
  evidence_submitted_at: chargeback.evidence?.at ?? null,
  rule_id: rule.id === 0 ? null : rule.id,
  ...{ would, reason, would_at: at, win_chance: chance },
});
