import { afterEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { type Alert, withdraw } from '#disputes/alerts/alert.ts';
import { type CaseAlert, type CaseRefund, disputeCaseOf } from '#disputes/alerts/case/dispute-case.ts';
import { priorEventOf } from '#disputes/alerts/case/prior-event.ts';
import { makeArn } from '#test/support/arns.ts';
import { ask, useOperations } from '#test/support/operations.ts';
import { anAlert, start } from './samples.ts';
import { fresh, makeRcode, seedClaims, seedSite, take } from './seed.ts';

useOperations();
afterEach(() => setClock());

const earlier = '2026-05-01T10:00:00.000Z';
const later = '2026-05-03T10:00:00.000Z';
const member = (change: Partial<Alert> = {}, more: Partial<CaseAlert> = {}): CaseAlert => ({
  ...{ alert: { ...anAlert({ type: 'DISPUTE' }), ...change }, heldTxid: null, refunds: [], credit: null },
  ...more,
});
const refund = (state: CaseRefund['state']): CaseRefund => ({
  ...{ alertId: 1, by: 'forewarn', at: later, money: { amount: '10.00', currency: 'USD' } },
  ...{ txid: 77, connection: null, state },
});
const chargeback = (stands: boolean) => ({ id: 'cb_1', openedAt: later, stands });
const withdrawn = withdraw(anAlert({ type: 'DISPUTE' }), later);

describe('the state of a dispute case', () => {
  it.each([
    ['informed', [member({ ...anAlert({ type: 'FRAUD_NOTICE' }) })]],
    ['withdrawn', [member(withdrawn)]],
    ['answered', [member(withdrawn), member({ status: 'DECLINED' })]],
    ['open', [member({ status: 'DECLINED' }), member()]],
    ['in_progress', [member(), member({ status: 'WIP' })]],
    ['in_progress', [member({}, { refunds: [refund('pending')] })]],
    ['open', [member({}, { refunds: [refund('failed')] })]],
    ['refunded', [member(), member({}, { refunds: [refund('done')] })]],
    ['refunded', [member({ refundedBefore: { txid: 9, at: earlier } })]],
    ['charged_back', [member({ chargeback: chargeback(true) }, { refunds: [refund('done')] }), member()]],
    ['open', [member({ chargeback: chargeback(false) })]],
  ] as const)('is %s', (state, members) => expect(disputeCaseOf(members).state).toBe(state));

  it('is refunded by a network until it withdraws its decision', () => {
    const decided = anAlert({ provider: 'rdr', type: 'DISPUTE_RDR', decision: 'ACCEPTED' });
    expect(disputeCaseOf([member(decided)])).toMatchObject({ state: 'refunded', refunds: [{ by: 'network' }] });
    expect(disputeCaseOf([member(withdraw(decided, later))])).toMatchObject({ state: 'withdrawn', refunds: [] });
  });

  it('is refunded by the merchant where only an answer says so', () => {
    const update = { status: 'RESOLVED', reason_code: '100.001', alert_outcome_action_date: later } as const;
    const answered = { status: 'RESOLVED', update, updatedAt: later } as const;
    const stated = { by: 'merchant', at: later, money: { amount: '361.56', currency: 'USD' }, state: 'done' };
    expect(disputeCaseOf([member(answered)])).toMatchObject({ state: 'refunded', refunds: [stated] });
    expect(disputeCaseOf([member(answered, { refunds: [refund('done')] })]).refunds).toEqual([refund('done')]);
    const duplicate = { ...answered, update: { ...update, reason_code: '940.001' } };
    expect(disputeCaseOf([member(duplicate)])).toMatchObject({ state: 'answered', refunds: [] });
  });

  it('lists its alerts by receipt, one refund once, and the payment held for any of them', () => {
    const members = [
      member({ alertId: 2, receivedAt: later, refundedBefore: { txid: 77, at: earlier } }),
      member({ alertId: 1 }, { heldTxid: 5, refunds: [refund('done')] }),
    ];
    const { alerts, txid, refunds } = disputeCaseOf(members);
    expect(alerts.map(({ alert }) => alert.alertId)).toEqual([1, 2]);
    expect(txid).toBe(5);
    expect(refunds).toEqual([refund('done')]);
  });
});

describe('what happened before an alert', () => {
  const before = { id: 'cb_1', openedAt: earlier, stands: true };
  it.each([
    ['a duplicate', { duplicateOf: 7, chargeback: before }, { kind: 'duplicate', alertId: 7 }],
    [
      'a chargeback',
      { chargeback: before, refundedBefore: { txid: 9, at: earlier } },
      { kind: 'charged_back', chargebackId: 'cb_1', at: earlier },
    ],
    ['a refund', { refundedBefore: { txid: 9, at: earlier } }, { kind: 'refunded', txid: 9, at: earlier }],
    ['no chargeback that was won', { chargeback: { ...before, stands: false } }, null],
    ['no chargeback raised after it', { chargeback: { ...before, openedAt: start } }, null],
  ])('is %s', (_name, change, event) => expect(priorEventOf({ ...anAlert(), ...change })).toEqual(event));
});

describe('the case in the details of an alert', () => {
  const detailsOf = async (alertId: number) =>
    (await ask('alerts/alert-details', { as: 'admin', params: { alert_id: alertId } })).body as {
      case: { case_id: number; state: string; alerts: { alert_id: number }[] };
    };

  it('binds the alerts of all networks and their withdrawals, seen from each of them', async () => {
    const site = await seedSite();
    const descriptor = `SHOP ${site.sid}`;
    for (const name of ['provider_a', 'provider_b', 'rdr']) await seedClaims(name, 'EXACT', descriptor, site);
    const arn = makeArn(fresh());
    setClock(() => Date.parse('2026-05-02T10:00:00.000Z'));
    const sent = { caseId: `B${fresh()}`, descriptor, arn, accountNumber: '411111xxxxxx1111', eventSequence: 3 };
    const first = await take('provider_b', sent);
    await take('provider_b', { ...sent, status: 'REVOKED', eventSequence: 4 });
    setClock(() => Date.parse('2026-05-02T11:00:00.000Z'));
    const second = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: descriptor, arn });
    setClock(() => Date.parse('2026-05-02T12:00:00.000Z'));
    const third = await take('rdr', {
      decisionId: `R${fresh()}`,
      paymentDescriptor: descriptor,
      arn,
      cardBin: '411111',
      cardLast4: '1111',
    });
    const body = { alert_id: String(second.alert_id), status: 'RESOLVED', reason_code: '100.001' };
    const headers = { rcode: makeRcode(site.sid) };
    expect(await ask('alerts/update-alert', { as: 'nobody', body, headers })).toMatchObject({ status: 200 });
    for (const { alert_id: alertId } of [first, second, third]) {
      expect((await detailsOf(alertId)).case).toMatchObject({
        case_id: first.alert_id,
        state: 'refunded',
        suggested_reason: alertId === third.alert_id ? '940' : null,
        alerts: [
          { alert_id: first.alert_id, status: 'REVOKED', sequence: 3, withdrawn_at: '2026-05-02T10:00:00.000Z' },
          { alert_id: second.alert_id, status: 'RESOLVED', duplicate_alertid: null },
          { alert_id: third.alert_id, status: 'RESOLVED', duplicate_alertid: second.alert_id },
        ],
        refunds: [
          { alert_id: second.alert_id, by: 'merchant' },
          { alert_id: third.alert_id, by: 'network', amount: '12.00' },
        ],
        chargeback: null,
      });
    }
  });

  it('has an alert alone that no other is about', async () => {
    const { alert_id: alertId } = await take('provider_a', { alertId: `A${fresh()}`, merchantDescriptor: 'NOBODY' });
    expect((await detailsOf(alertId)).case).toMatchObject({
      ...{ case_id: alertId, state: 'open', alerts: [{ alert_id: alertId }], txid: null, refunds: [] },
    });
  });
});
