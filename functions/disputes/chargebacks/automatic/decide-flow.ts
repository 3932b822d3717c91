import { listPeople } from '#accounts/auth/users/people-store.ts';
import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { log } from '#core/platform/log/log.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact, type Write } from '#core/platform/table/table.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { matchedRule } from '#disputes/alerts/automatic/rule.ts';
import { colleagueNamed, mayAnswer } from '#disputes/alerts/people/colleague.ts';
import { evaluate } from '#disputes/rules/decide/evaluate-rules.ts';
import type { Facts } from '#payments/conditions/fact-values.ts';
import { acceptForCaller } from '../accept-store.ts';
import type { Chargeback } from '../chargeback.ts';
import { assignedChargebackMail } from '../chargeback-mail.ts';
import { chargebackWrite, fromChargebackItem } from '../chargeback-row.ts';
import { submitEvidence } from '../evidence/evidence-flow.ts';
import {
  type ChargebackRule,
  decisionOfRule,
  isDecidable,
  isEnoughEvidence,
  nextTurn,
  remainingRules,
  withHandling,
} from './chargeback-decision.ts';
import { type DueDecision, fromDueDecisionItem, nextDecisionWrite } from './chargeback-decision-row.ts';
import { readEstimateSources } from './estimate-store.ts';
import { callerForRule, readChargebackFacts } from './fact-store.ts';
import type { ChargebackDecision, ChargebackResult } from './handling.ts';
import { readChargebackRules } from './rules-in-force-store.ts';

/** The pause after a processor could not be asked five times in a row. */
const pauseMilliseconds = 10 * milliseconds.minute;

/**
 * Evaluates the rules of a chargeback whose evaluation is due, and does what they decide. Called again, it does nothing; after a crash it goes
 * on: evidence has its lease, and its processor is asked whether it has it. `isLastTry`: a processor that cannot be asked is asked later.
 * Returns when to call again (ISO); undefined: no message is needed for that. Throws RetryLaterError.
 */
export const decideChargeback = (id: string, isLastTry: boolean): Promise<string | undefined> =>
  retryOnConflict(async () => {
    const [row, item] = await getItems([keys.chargebackDecision(id), keys.chargeback(id)]);
    const [due, chargeback] = [fromDueDecisionItem(row), fromChargebackItem(item)];
    if (!due) return undefined;
    const at = nowIso();
    if (isEarly(due.nextAt, at)) return due.nextAt;
    if (!chargeback || !isDecidable(chargeback, at)) {
      warnOfMissed(chargeback, at);
      await transact({ decision: [nextDecisionWrite(due, undefined)] });
      return undefined;
    }
    return decide(due, chargeback, at, isLastTry);
  });

/** A rule was to submit it, but its processor could not be asked in time, and no person has contested it either. */
const warnOfMissed = (chargeback: Chargeback | undefined, at: string): void => {
  if (chargeback?.status !== 'open' || chargeback.accepted || chargeback.evidence) return;
  if (chargeback.automatic?.decision?.action.type !== 'submit') return;
  log('error', 'chargeback_not_submitted_in_time', { chargebackId: chargeback.id, dueBy: chargeback.dueBy, at });
};

type Decided = { rule: ChargebackRule | null; facts: Facts; shadows: readonly ChargebackDecision[] };

const decide = async (
  due: DueDecision,
  chargeback: Chargeback,
  at: string,
  isLastTry: boolean,
): Promise<string | undefined> => {
  const rules = await readChargebackRules(chargeback);
  const facts = await readChargebackFacts(chargeback, await readEstimateSources(chargeback.mid), { at, until: at });
  const remaining = await remainingRules(rules, chargeback);
  const { decided, shadows } = await evaluate(remaining, facts);
  const found: Decided = {
    rule: decided,
    facts,
    shadows: shadows.map((rule) => decisionOfRule(rule, facts, { result: 'recorded' }, at)),
  };
  const done = await act(chargeback, found, at);
  if (done === 'later' && !isLastTry) throw new RetryLaterError(`The processor of ${chargeback.id} could not be asked`);
  const turn = nextTurn(rules, chargeback, at);
  const later = iso(Date.parse(at) + pauseMilliseconds);
  const nextAt = done === 'later' ? (turn === undefined || later < turn ? later : turn) : turn;
  if (done !== 'later' && done.isOver) {
    await transact({ decision: [nextDecisionWrite(due, undefined)] });
    return undefined;
  }
  const { writes = [] } = done === 'later' ? {} : done;
  await transact({ writes, decision: [nextDecisionWrite(due, nextAt)] });
  return nextAt;
};

/** `isOver`: it was written, and rules have nothing more to decide. `later`: the processor could not be asked. */
type Done = { isOver: true } | { isOver?: false; writes: readonly Write[] } | 'later';

/** The record of a rule that matched, on the chargeback as it was read. */
type Recorded = { result: ChargebackResult; reason?: string; words?: string };

const planWrites = (before: Chargeback, after: Chargeback): Write[] =>
  after.version === before.version ? [] : [chargebackWrite(after)];

const act = async (chargeback: Chargeback, { rule, facts, shadows }: Decided, at: string): Promise<Done> => {
  if (!rule) {
    const decision = chargeback.automatic?.decision ?? null;
    return { writes: planWrites(chargeback, withHandling(chargeback, { decision, shadows })) };
  }
  const also = (recorded: Recorded) => (one: Chargeback) =>
    withHandling(one, { decision: decisionOfRule(matchedRule(rule), facts, recorded, at), shadows });
  const caller = callerForRule(chargeback.mid, `rule ${rule.id}`);
  const { action } = rule;
  if (action.type === 'review') return { writes: planWrites(chargeback, also({ result: 'review' })(chargeback)) };
  if (action.type === 'assign') return assign(chargeback, { rule, assignee: action.assignee, also, at });
  if (action.type !== 'submit') {
    return acceptOrWait(chargeback.id, caller, also({ result: 'accepted' }));
  }
  if (isEnoughEvidence(action.floor, facts))
    return submit(chargeback, caller, { isFeeAcknowledged: action.fee_acknowledged === true, also });
  const left = also({ result: 'left_to_merchant', reason: 'evidence_below_floor' })(chargeback);
  return { writes: planWrites(chargeback, left) };
};

/** Accepts it, unless a person has acted since the rules were read: the rules are then evaluated again. */
const acceptOrWait = async (
  id: string,
  caller: ReturnType<typeof callerForRule>,
  also: (chargeback: Chargeback) => Chargeback,
): Promise<Done> => {
  try {
    await acceptForCaller(id, caller, { also, isMeant: isDecidable });
    return { isOver: true };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'changed_meanwhile') return 'later';
    throw error;
  }
};

type Recording = (recorded: Recorded) => (chargeback: Chargeback) => Chargeback;

const submit = async (
  chargeback: Chargeback,
  caller: ReturnType<typeof callerForRule>,
  { isFeeAcknowledged, also }: { isFeeAcknowledged: boolean; also: Recording },
): Promise<Done> => {
  const refusal = await submitOrRefuse(chargeback, caller, { isFeeAcknowledged, also: also({ result: 'submitted' }) });
  if (refusal === 'done') return { isOver: true };
  if (refusal === 'later') return 'later';
  // The lease has changed the row since.
  const present = fromChargebackItem(await getItem(keys.chargeback(chargeback.id))) ?? chargeback;
  return { writes: planWrites(present, also({ result: 'left_to_merchant', ...refusal })(present)) };
};

const submitOrRefuse = async (
  chargeback: Chargeback,
  caller: ReturnType<typeof callerForRule>,
  how: Parameters<typeof submitEvidence>[2],
): Promise<'done' | 'later' | { reason: string; words: string }> => {
  try {
    const { done } = await submitEvidence(chargeback, caller, how);
    if (done === 'done') return 'done';
    return 'unknown' in done ? 'later' : { reason: 'evidence_refused', words: done.refused };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Another call submits it now; its lease ends within a minute.
    if (error.code === 'changed_meanwhile') return 'later';
    return { reason: error.code, words: error.details ?? '' };
  }
};

type Assigning = { rule: ChargebackRule; assignee: string; also: Recording; at: string };

/** Assigns it; a rule does so once, so that a person can change the assignee afterwards. */
const assign = async (chargeback: Chargeback, { rule, assignee, also, at }: Assigning): Promise<Done> => {
  const person = colleagueNamed(assignee, await listPeople(chargeback.mid));
  if (!person || !mayAnswer(person)) {
    const left = also({ result: 'left_to_merchant', reason: 'user_not_found' })(chargeback);
    return { writes: planWrites(chargeback, left) };
  }
  const after = also({ result: 'assigned' })({ ...chargeback, assignee: person.username });
  const mail = person.email === '' ? undefined : assignedChargebackMail(after, rule.name, { to: [person.email], at });
  return { writes: [chargebackWrite(after), ...(mail ? [newMailWrite(mail)] : [])] };
};
