import { beforeEach, describe, expect, it } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { milliseconds, nowIso, setClock } from '#core/kernel/clock.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem } from '#core/platform/table/table.ts';
import { outcomeIdOf } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import type { OutgoingOutcome } from '#disputes/outcomes/outcome-provider.ts';
import { outcomeHandler } from '#disputes/outcomes/send-flow.ts';
import { settleDueRefund } from '#disputes/refunds/connection-refund-flow.ts';
import { readAlertRefund } from '#disputes/refunds/refund-store.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { paymentRefunds } from '#disputes/rules/decide/payment-refund-flow.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { alertAt, disputeAt, seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { always } from '#test/disputes/rules/samples.ts';
import { fakeQueues, sqsEvent } from '#test/messaging/support.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { useConnectionsInTheEvening, useSandbox } from '#test/payments/transactions/support.ts';
import { ask, beforeTransactions, useOperations } from '#test/support/operations.ts';

/** The time at which a network learns that a refund at a connection was made, where clocks differ. */

useOperations();
useSandbox();
useConnectionsInTheEvening();
fakeQueues();

const skew = 90 * milliseconds.second;
/** Of who asks for the refund, who answers the alert with it, and who tells the network: behind, or ahead. */
const clocks = [-skew, skew].flatMap((asks) =>
  [-skew, skew].flatMap((answers) => [-skew, skew].map((tells) => [asks, answers, tells] as const)),
);

let time = 0;
/** Sets the clock of a machine that is off by so much. */
const by = (off: number) => {
  const then = time + off;
  setClock(() => then);
};

let shop: Tenant;
let site: Site;
let connection: string;
beforeEach(async () => {
  time = Date.parse('2026-05-02T22:30:00Z');
  by(0);
  shop = await newShop();
  site = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  const connections = [{ kind: 'sandbox', label: 'Trial' }];
  const { body } = await ask('connections/set-connections', {
    as: shop.as,
    params: { mid: shop.mid },
    body: { connections },
  });
  connection = (body as { connections: [{ id: string }] }).connections[0].id;
});

/**
 * Returns all that the network receives about an alert, with the sender's clock: a message when it is due, and a sweep every
 * minute.
 */
const told = async (alertId: number, off: number): Promise<(OutgoingOutcome & { at: string })[]> => {
  const sent: (OutgoingOutcome & { at: string })[] = [];
  const tell = outcomeHandler('outcome-a', async () => ({
    send: async (outcomes) => {
      sent.push(...outcomes.map((one) => ({ ...one, at: nowIso() })));
      return new Map(outcomes.map(({ id }) => [id, { result: 'accepted' as const, status: 200 }]));
    },
  }));
  for (let minute = 0; minute < 8; minute += 1) {
    by(off);
    const { outcomes } = await alertAt(alertId);
    const last = await getItem(keys.outcome(outcomeIdOf('provider_a', alertId, outcomes)));
    const { nextAttemptAt } = fromOutcomeItem(last ?? expect.fail('the network is owed nothing'));
    const messages = [{ alertId }, ...(nextAttemptAt === null ? [] : [{ alertId, at: nextAttemptAt }])];
    for (const message of messages) expect(await tell(sqsEvent([message]))).toEqual({ batchItemFailures: [] });
    time += milliseconds.minute;
  }
  return sent;
};

const expectInOrder = async (alertId: number, off: number): Promise<void> => {
  const refundedAt = (await readAlertRefund(alertId))?.refund.refund?.payment_gateway_transaction_date ?? expect.fail();
  const [final, ...more] = (await told(alertId, off)).filter(({ isFinal }) => isFinal);
  expect(more).toEqual([]);
  const { at = '', update } = final ?? {};
  const actedAt = update?.alert_outcome_action_date ?? '';
  expect(actedAt >= refundedAt, `${actedAt} is before the refund at ${refundedAt}`).toBe(true);
  expect(actedAt <= at, `${actedAt} is in the future of ${at}`).toBe(true);
};

describe('the action date sent to a network for a refund at a connection', () => {
  it.each(clocks)("of a person's, asked by %d, answered by %d, told by %d", async (asks, answers, tells) => {
    const alertId = await disputeAt(site, '12.62');
    by(asks);
    // Done although its answer is lost: another machine finds out.
    const body = { connection, reference: 'sbc_20260502_10' };
    const made = await ask('refunds/refund-alert', { as: shop.as, params: { alert_id: alertId }, body });
    expect(made).toMatchObject({ status: 200, body: { alert_status: 'WIP' } });
    for (let minute = 0; (await alertAt(alertId)).status !== 'RESOLVED'; minute += 1) {
      if (minute === 8) expect.fail('nobody ever knew');
      time += milliseconds.minute;
      by(answers);
      await settleDueRefund({ alertId });
    }
    await expectInOrder(alertId, tells);
  });

  it.each(clocks)("of a rule's, asked by %d, answered by %d, told by %d", async (asks, answers, tells) => {
    const rule = { sid: site.sid, name: 'Refund', conditions: always, action: { type: 'refund' } };
    expect(await ask('rules/create-rule', { body: rule })).toMatchObject({ status: 200 });
    const alertId = await disputeAt(site, '19.99', { authCode: '100201' });
    by(asks);
    beforeTransactions(async ({ TransactItems = [] }) => {
      if (TransactItems.some(({ Delete }) => Delete?.Key?.['pk'] === keys.decision(alertId).pk))
        throw new Error('killed');
    });
    await expect(decideAlert(alertId, paymentRefunds, false)).rejects.toThrow('killed');
    beforeTransactions();
    expect(await readAlertRefund(alertId)).toMatchObject({ refund: { state: 'done' } });
    by(answers);
    await decideAlert(alertId, paymentRefunds, false);
    expect(await alertAt(alertId)).toMatchObject({ status: 'RESOLVED' });
    await expectInOrder(alertId, tells);
  });
});
