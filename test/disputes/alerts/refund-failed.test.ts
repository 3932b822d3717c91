import { describe, expect, it, vi } from 'vitest';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { putItem, transact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { createOutcome, type NetworkOutcome } from '#disputes/alerts/answer/network-outcome.ts';
import { toOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { refundFailedWrites } from '#disputes/alerts/answer/refund-answer-store.ts';
import { newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { createDelivery, newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { useTable } from '#test/support/table.ts';
import { anAlert, aSite, settings, start } from './samples.ts';
import { alertAt, deliveriesAt, fresh, noticesAt, outcomesAt } from './seed.ts';

useTable();

const at = '2026-05-04T11:00:00.000Z';
const refunded: AlertUpdate = {
  ...{ status: 'RESOLVED', reason_code: '100.001', comments: 'Refunded by us' },
  ...{ alert_outcome_amount: '10.00', alert_outcome_currency: 'USD', refunded_by: 'forewarn' },
};

type Seed = { alert?: Partial<Alert>; outcome?: Partial<NetworkOutcome> | null; site?: Partial<Site> | null };
/** An alert that its refund has answered. `outcome`, `site`: not stored if null. */
const seedAnswered = async ({ alert: change = {}, outcome = {}, site: siteChange = {} }: Seed = {}) => {
  const site = aSite({ sid: fresh(), ...siteChange });
  const alert: Alert = {
    ...{ ...anAlert({}, site), alertId: fresh(), status: 'RESOLVED', update: refunded, outcomes: 1 },
    ...change,
  };
  await putItem(toAlertItem(alert));
  const made = outcome && createOutcome(alert, refunded, false, start);
  if (made) await putItem(toOutcomeItem({ ...made, ...outcome }));
  if (siteChange) await putItem(toSiteItem(site));
  return alert;
};
const seedDelivered = async ({ alertId, owner }: Alert, change: object = {}) => {
  const { sid, mid, rid } = owner ?? expect.fail('It has no owner');
  const form = { kind: 'new_alert', contentType: 'application/json', body: 'as it was sent', at: start } as const;
  const delivery = createDelivery({ ...form, id: newAlertDeliveryId(alertId), sid, mid, rid, alertId });
  await putItem(toDeliveryItem({ ...delivery, state: 'DELIVERED', nextAttemptAt: null, ...change }));
};

const planWrites = ({ alertId }: Alert, isAnswered = true) =>
  refundFailedWrites(alertId, () => isAnswered, 'refund 7: declined', at);
const fail = async (alert: Alert): Promise<Alert> => {
  await transact({ alert: await planWrites(alert) });
  return alertAt(alert.alertId);
};
const listKinds = async ({ alertId }: Alert) => (await deliveriesAt(alertId)).map(({ kind }) => kind);
const kept = { status: 'WIP', reason_code: '999.002', comments: 'Refunded by us' };
/** A test alert, for which no network waits. */
const direct = anAlert({ provider: 'service_dummy', type: 'DISPUTE', test: true }).providerAlert;

describe('an alert whose refund has failed', () => {
  it('is open again, and its outcome is replaced if the network has not received it', async () => {
    const before = await seedAnswered();
    expect(await fail(before)).toMatchObject({ status: 'WIP', action: 'MATCHED', update: kept, outcomes: 2 });
    expect((await alertAt(before.alertId)).update).toStrictEqual(kept);
    expect(await outcomesAt(before.alertId)).toMatchObject([
      { state: 'SUPERSEDED' },
      { state: 'PENDING', sent: kept, statusDueAt: expect.any(String) },
    ]);
    expect(JSON.stringify(await planWrites(await seedAnswered()))).toContain('is open again');
  });

  it('stays answered if the network may have received the answer, which raises an alarm', async () => {
    const before = await seedAnswered({ outcome: { attemptCount: 1 } });
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const after = await fail(before);
    const logged = output.mock.calls.map(([line]): unknown => JSON.parse(String(line)));
    output.mockRestore();
    expect(after).toEqual({ ...before, version: before.version + 1 });
    expect(await outcomesAt(before.alertId)).toMatchObject([{ state: 'PENDING', attemptCount: 1 }]);
    const outcomeId = `out_a_${before.alertId}_1`;
    expect(logged).toContainEqual(
      expect.objectContaining({ event: 'refund_failed_after_answer', alertId: before.alertId, outcomeId }),
    );
    expect(logged).toContainEqual(expect.objectContaining({ RefundsFailedAfterAnswer: 1 }));
  });

  it('is open again if no outcome of its answer is stored', async () => {
    const before = await seedAnswered({ outcome: null });
    expect(await fail(before)).toMatchObject({ status: 'WIP', outcomes: 2 });
    expect(await outcomesAt(before.alertId)).toMatchObject([{ number: 2, state: 'PENDING' }]);
  });

  it.each([
    ['is withdrawn', { withdrawnAt: start }, true],
    ['was declined', { status: 'DECLINED' }, true],
    ['was answered by something else', {}, false],
  ] as const)('does not change if it %s', async (_, change, isAnswered) => {
    expect(await planWrites(await seedAnswered({ alert: change }), isAnswered)).toEqual([]);
  });

  it('does not change if it does not exist', async () => {
    expect(await planWrites({ ...anAlert(), alertId: fresh() })).toEqual([]);
  });

  it('notifies the merchant of its status at once if no network waits for it', async () => {
    const before = await seedAnswered({ alert: { providerAlert: direct, outcomes: 0 } });
    await seedDelivered(before);
    expect(await fail(before)).toMatchObject({ status: 'WIP', outcomes: 0 });
    expect((await listKinds(before)).toSorted()).toEqual(['new_alert', 'status_update']);
  });

  it('does not notify the merchant of its status if the site does not want that, or is gone', async () => {
    const silent = { alert: settings({ status_update_opt_in: false }) };
    for (const site of [silent, null]) {
      const before = await seedAnswered({ alert: { providerAlert: direct, outcomes: 0 }, site });
      await seedDelivered(before);
      expect(await fail(before)).toMatchObject({ status: 'WIP' });
      expect(await listKinds(before)).toEqual(['new_alert']);
    }
  });

  it('is open again without an owner to notify', async () => {
    const before = await seedAnswered({ alert: { owner: null, outcomes: 0 } });
    expect(await fail(before)).toMatchObject({ status: 'WIP', outcomes: 0 });
    expect(await listKinds(before)).toEqual([]);
  });

  it('makes its delivered notification due again, unless the site has no URL any more', async () => {
    const told = await seedAnswered();
    await seedDelivered(told);
    const body = newAlertForm(await fail(told));
    expect((await noticesAt(told.alertId)).delivery).toMatchObject({ state: 'PENDING', nextAttemptAt: at, body });
    const unreachable = await seedAnswered({ site: { alert: settings({ alertapiurl: null }) } });
    await seedDelivered(unreachable);
    const changed = newAlertForm(await fail(unreachable));
    expect((await noticesAt(unreachable.alertId)).delivery).toMatchObject({ state: 'DELIVERED', body: changed });
  });
});
