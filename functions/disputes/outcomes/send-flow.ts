import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { nowIso } from '#core/kernel/clock.ts';
import { randomText } from '#core/kernel/ids.ts';
import { describeError, log, metric } from '#core/platform/log/log.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { queueHandler } from '#core/platform/work/batch.ts';
import { isEarly } from '#core/platform/work/delay.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { type Alert, isOpen } from '#disputes/alerts/alert.ts';
import { type NetworkOutcome, visitAt } from '#disputes/alerts/answer/network-outcome.ts';
import { OutcomeMessage, readOutcomeMessage } from '#disputes/alerts/answer/outcome-due.ts';
import { namedDuplicates } from '#disputes/alerts/answer/update.ts';
import { fromStoredCaseName } from '#disputes/alerts/intake/case-name-store.ts';
import type { OutcomeQueue } from '#disputes/providers/providers.ts';
import type { Connect } from './connection-client.ts';
import { outcomeAfterAttempt } from './outcome-changes.ts';
import { type LinePlan, planLine } from './outcome-line.ts';
import type { OutcomeAnswer, OutcomeProvider, OutgoingOutcome } from './outcome-provider.ts';
import { type Line, leaseOutcome, readCaseIds, readLines, recordNetworkOutcome, saveChanges } from './outcome-store.ts';

/** Alerts to look at, each with the time (ISO) for which it is looked at. */
type Due = ReadonlyMap<number, string>;
type Leased = { alert: Alert; outcome: NetworkOutcome; attemptId: string };

/** A message may come a second early; then what it was sent for is already due. */
const sendTime = ({ at }: OutcomeMessage, now: string): string => (at !== undefined && at > now ? at : now);

const dueIn = ({ Records }: SQSEvent, now: string): Due =>
  new Map(
    Records.flatMap(({ body }) => {
      const message = readOutcomeMessage(body);
      if (!message || (message.at !== undefined && isEarly(message.at, now))) return [];
      return [[message.alertId, sendTime(message, now)] as const];
    }),
  );

/**
 * The worker of one provider's queue. The alerts of a batch, each only once, are sent in one call of the provider; each
 * message fails by itself.
 */
export const outcomeHandler =
  (queue: OutcomeQueue, connect: Connect) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const now = nowIso();
    const working = tell(dueIn(event, now), connect);
    return queueHandler(OutcomeMessage, async (message) => {
      const { alertId, at } = message;
      // A visit may be further ahead than the longest delay of a message.
      if (at !== undefined && isEarly(at, now)) return sendOn(queue, { alertId, at });
      const { failed, again } = await working;
      if (failed.has(alertId)) throw failed.get(alertId);
      const next = again.get(alertId);
      if (next && (next.isBusy || at === undefined)) await sendOn(queue, { alertId, at: next.at });
    })(event);
  };

const sendOn = (queue: OutcomeQueue, body: { alertId: number; at: string }): Promise<void> =>
  sendOrThrow([{ queue, body, at: body.at }]);

type Told = {
  /** The errors, by alert. */
  failed: ReadonlyMap<number, unknown>;
  /** When to look again; `isBusy`: because another worker is busy with it. Otherwise only a sweep, which came early, needs it. */
  again: ReadonlyMap<number, { at: string; isBusy: boolean }>;
};

const tell = async (due: Due, connect: Connect): Promise<Told> => {
  const failed = new Map<number, unknown>();
  const again = new Map<number, { at: string; isBusy: boolean }>();
  const leased: Leased[] = [];
  const guard = async (alertId: number, work: () => Promise<void>) => {
    await work().catch((error: unknown) => void failed.set(alertId, error));
  };
  try {
    const [lines, provider] = await Promise.all([readLines([...due.keys()]), connect()]);
    await Promise.all(
      [...lines].map(([alertId, line]) =>
        guard(alertId, async () => {
          const { alert, plan, next } = await tidy(line, provider !== null, due.get(alertId) ?? nowIso());
          if (plan.again !== null) again.set(alertId, { at: plan.again, isBusy: true });
          else if (next !== null) again.set(alertId, { at: next, isBusy: false });
          if (plan.head) leased.push(...(await leaseHead(alert, plan.head)));
        }),
      ),
    );
    if (leased.length === 0 || !provider) return { failed, again };
    const answers = await ask(provider, leased);
    await Promise.all(
      leased.map((one) => guard(one.alert.alertId, () => recordReply(one, answers.get(one.outcome.id) ?? unnamed))),
    );
  } catch (error) {
    for (const alertId of due.keys()) failed.set(alertId, error);
  }
  return { failed, again };
};

const unnamed: OutcomeAnswer = { result: 'unknown', status: null, error: 'It gave no answer', pauseSeconds: null };

/** At most so many in one transaction: each change has up to four parts, and a transaction takes a hundred. */
const maxChanges = 20;

type Tidied = { alert: Alert; plan: LinePlan; next: string | null };

/** Writes those of an alert's outcomes that change without being sent; returns the plan for the rest, and the next visit. */
const tidy = (line: Line, isConnected: boolean, at: string): Promise<Tidied> =>
  retryOnConflict(async (conflict) => {
    const { alert, outcomes } = conflict ? await readAgain(line) : line;
    const about = { isWithdrawn: alert.withdrawnAt !== null, isAnswered: !isOpen(alert), isConnected };
    const plan = planLine(outcomes, about, at);
    for (let from = 0; from < plan.changes.length; from += maxChanges) {
      await saveChanges(alert, pairUp(outcomes, plan.changes.slice(from, from + maxChanges)), at);
    }
    return { alert, plan, next: nextVisit(outcomes, plan.changes, at) };
  });

const readAgain = async ({ alert: { alertId } }: Line): Promise<Line> => {
  const line = (await readLines([alertId])).get(alertId);
  if (!line) throw new Error(`The outcomes of alert ${alertId} are gone`);
  return line;
};

const pairUp = (outcomes: readonly NetworkOutcome[], changes: readonly NetworkOutcome[]) =>
  changes.flatMap((after) => {
    const before = outcomes.find(({ id }) => id === after.id);
    return before ? [{ before, after }] : [];
  });

const nextVisit = (
  outcomes: readonly NetworkOutcome[],
  changes: readonly NetworkOutcome[],
  at: string,
): string | null => {
  const visits = outcomes
    .map((outcome) => visitAt(changes.find(({ id }) => id === outcome.id) ?? outcome))
    .filter((visit) => visit !== null && visit > at);
  return visits.sort()[0] ?? null;
};

const leaseHead = async (alert: Alert, head: NetworkOutcome): Promise<Leased[]> => {
  const attemptId = randomText(16);
  const outcome = await leaseOutcome(head, attemptId, nowIso());
  return outcome ? [{ alert, outcome, attemptId }] : [];
};

/** One call for all; if something breaks on our side before it, they stay as they are, to be sent again. */
const ask = async (
  provider: OutcomeProvider,
  leased: readonly Leased[],
): Promise<ReadonlyMap<string, OutcomeAnswer>> => {
  try {
    const firsts = await readCaseIds(leased.flatMap(({ outcome }) => namedDuplicates(outcome.update).slice(0, 1)));
    return await provider.send(await Promise.all(leased.map((one) => outgoing(one, firsts))));
  } catch (error) {
    log('error', 'outcomes_not_sent', { error: describeError(error) });
    const answer: OutcomeAnswer = {
      result: 'failed',
      status: null,
      error: 'It could not be sent',
      pauseSeconds: null,
      isOurFault: true,
    };
    return new Map(leased.map(({ outcome }) => [outcome.id, answer]));
  }
};

const outgoing = async ({ alert, outcome }: Leased, firsts: ReadonlyMap<number, string>): Promise<OutgoingOutcome> => {
  const { id, isFinal, update, createdAt } = outcome;
  const { providerAlert, automatic } = alert;
  const [first] = namedDuplicates(update);
  return {
    id,
    caseId: await fromStoredCaseName(providerAlert),
    alertType: providerAlert.type,
    isFinal,
    update,
    createdAt,
    amount: providerAlert.amount,
    currency: providerAlert.currency,
    firstCaseId: first === undefined ? null : (firsts.get(first) ?? null),
    refundReference: automatic?.refund?.payment_gateway_reference || update.refunded_elsewhere?.reference || null,
  };
};

const recordReply = async ({ alert, outcome, attemptId }: Leased, answer: OutcomeAnswer): Promise<void> => {
  const { result, status } = answer;
  const error = 'error' in answer ? answer.error : null;
  const pause = 'pauseSeconds' in answer ? answer.pauseSeconds : null;
  const at = nowIso();
  const { id: outcomeId, provider, sid, mid } = outcome;
  log('info', 'outcome_attempt', { outcomeId, alertId: alert.alertId, provider, sid, mid, result, status, error });
  if ('isOurFault' in answer) metric('OutcomeConnectionFailures', 1, 'Count');
  const attempt = { id: attemptId, at, result, status, error };
  await recordNetworkOutcome(alert, outcome, attemptId, (held) => outcomeAfterAttempt(held, attempt, pause, at), at);
};
