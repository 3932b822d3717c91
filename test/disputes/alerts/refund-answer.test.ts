import { describe, expect, it } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import type { Write } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { answerOfRefund, isAnswerable, waitingAnswer } from '#disputes/alerts/answer/refund-answer.ts';
import { answerByRefund, awaitRefund } from '#disputes/alerts/answer/refund-answer-store.ts';
import { newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { createDelivery, type Delivery, newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { anAlert, aSite, settings, start } from './samples.ts';

const at = '2026-05-02T11:00:00.000Z';
const refunded: AlertUpdate = { status: 'RESOLVED', reason_code: '100.001' };
/** An alert that no network waits for: its status updates are sent at once. */
const direct = anAlert({ provider: 'service_dummy', type: 'DISPUTE', test: true });

const aDelivery = (alert: Alert, change: Partial<Delivery> = {}): Delivery => {
  const { sid, mid, rid } = aSite();
  const told = { kind: 'new_alert', contentType: 'application/json', body: newAlertForm(alert), at: start } as const;
  const id = newAlertDeliveryId(alert.alertId);
  return { ...createDelivery({ ...told, id, sid, mid, rid, alertId: alert.alertId }), ...change };
};

/** `delivery`, `site`: absent if null. */
type Given = { alert?: Alert; delivery?: Delivery | null; site?: ReturnType<typeof aSite> | null };
const givenRows = ({ alert = anAlert(), delivery = aDelivery(alert), site = aSite() }: Given) =>
  [toAlertItem(alert), delivery && toDeliveryItem(delivery), site && toSiteItem(site)].map((item) => item ?? undefined);

const answered = (given: Given, update = refunded) =>
  answerByRefund(givenRows(given), { alertId: 1, by: 'ann' }, update, at);
const asText = (writes: readonly Write[] | undefined) => JSON.stringify(writes);
const wants = aSite({ alert: settings({ status_update_statuses: 'all' }) });

describe('the answer that a refund gives', () => {
  const money = { amount: '10.00', currency: 'USD' };
  const given = {
    ...{ ...refunded, alert_outcome_amount: '10.00', alert_outcome_currency: 'USD' },
    ...{ alert_outcome_action_date: at, refunded_by: 'forewarn' },
  };
  const whole = { alertId: 1, sid: 12, by: 'ann', isPart: false };

  it('states its amount and its time, and only the words that were sent', () => {
    expect(answerOfRefund(whole, money, at)).toStrictEqual(given);
    expect(answerOfRefund({ ...whole, comments: 'Sorry' }, money, at)).toStrictEqual({ ...given, comments: 'Sorry' });
    expect(answerOfRefund({ ...whole, notes: 'By phone' }, money, at)).toStrictEqual({
      ...given,
      merchant_notes: 'By phone',
    });
  });

  it('is not for an alert that is informational or decided by its network', () => {
    expect(isAnswerable(anAlert())).toBe(true);
    for (const type of ['FRAUD_NOTICE', 'DISPUTE_RDR'] as const) {
      expect(isAnswerable({ ...anAlert({ type }), status: 'OPEN' })).toBe(false);
    }
  });
});

describe('an alert that is answered by its refund', () => {
  it('is resolved, and its pending notification is cancelled', () => {
    const { alert, writes } = answered({}) ?? expect.fail('It was not answered');
    expect(alert).toMatchObject({ status: 'RESOLVED', update: refunded });
    expect(asText(writes)).toContain('CANCELLED');
  });

  it.each([
    ['was delivered', { delivery: aDelivery(anAlert(), { state: 'DELIVERED' }) }],
    ['does not exist', { delivery: null }],
  ])('keeps a notification that %s', (_, given) => {
    expect(asText(answered(given)?.writes)).not.toContain('CANCELLED');
  });

  it('keeps its notification while the refund is awaited', () => {
    const { alert, writes } =
      awaitRefund(givenRows({}), { alertId: 1, by: 'ann' }, at) ?? expect.fail('It does not wait');
    expect(alert).toMatchObject({ status: 'WIP', update: waitingAnswer });
    expect(asText(writes)).not.toContain('CANCELLED');
  });

  it('notifies the merchant of its new status if the site wants that', () => {
    expect(asText(answered({ alert: direct, site: wants })?.writes)).toContain('status_update');
    const silent = aSite({ alert: settings({ status_update_opt_in: false }) });
    expect(asText(answered({ alert: direct, site: silent })?.writes)).not.toContain('status_update');
    expect(asText(answered({ alert: direct, site: null })?.writes)).not.toContain('status_update');
  });

  it('does not notify the merchant if its status stays', () => {
    const waiting: Alert = { ...direct, status: 'WIP', update: waitingAnswer };
    const said = answered({ alert: waiting, site: wants }, { ...waitingAnswer, comments: 'soon' });
    expect(said?.alert).toMatchObject({ status: 'WIP', update: { comments: 'soon' } });
    expect(asText(said?.writes)).not.toContain('status_update');
  });

  it('stays as it is if it is closed, withdrawn or already has this answer', () => {
    expect(answered({ alert: { ...anAlert(), status: 'DECLINED', update: refunded } })).toBeUndefined();
    expect(answered({ alert: { ...anAlert(), withdrawnAt: start } })).toBeUndefined();
    const waiting: Alert = { ...anAlert(), status: 'WIP', update: waitingAnswer };
    expect(answered({ alert: waiting }, waitingAnswer)).toBeUndefined();
    const planned: Alert = { ...anAlert(), status: 'OTHER', update: { ...waitingAnswer, status: 'OTHER' } };
    expect(awaitRefund(givenRows({ alert: planned }), { alertId: 1, by: 'ann' }, at)).toBeUndefined();
  });

  it('must exist', () => {
    expect(() => answerByRefund([], { alertId: 1, by: 'ann' }, refunded, at)).toThrow('Alert 1 of a refund is gone');
    expect(awaitRefund([], { alertId: 1, by: 'ann' }, at)).toBeUndefined();
  });
});
