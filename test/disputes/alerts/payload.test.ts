import { describe, expect, it } from 'vitest';
import { withdraw } from '#disputes/alerts/alert.ts';
import { fromAlertItem, toAlertItem } from '#disputes/alerts/alert-row.ts';
import { entryOfChange, newestEntries } from '#disputes/alerts/history/history.ts';
import { deadlineForm, newAlertForm, statusUpdateForm, withdrawalForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { anAlert, start } from './samples.ts';

const fields = (form: string) => Object.fromEntries(new URLSearchParams(form));
const later = '2026-05-02T11:00:00.000Z';
const details = (form: string) => JSON.parse(fields(form)['txdetails'] ?? '');
const noMatch = { alert_transaction: null, transaction_action: null, transaction_potential_matches: null };

describe('the new-alert notification', () => {
  it('has every field, empty where there is nothing to say', () => {
    expect(fields(newAlertForm(anAlert()))).toEqual({
      card: '411111xxxxxx1111',
      transaction_timestamp: '2026-04-30T08:15:00.000Z',
      descriptor: 'SHOP*ONLINE 123',
      amount: '361.56',
      currency: 'USD',
      arn: '24692161070000622606414',
      alert_id: '1000000000000001',
      alert_type: 'FRAUD',
      alert_action: 'REFUND',
      auth_code: '387373',
      descriptor_id: 'SHOP-1',
      matched_enrolled_descriptor: 'SHOP*',
      mid: '1',
      rid: '5',
      sid: '12',
      provider: 'provider_a',
      txdetails: JSON.stringify([noMatch]),
      dispute_condition_code_reason: '',
      condition_code: '',
      site: 'Web shop',
      retailer: 'Retailer',
      issuer_name: '',
      provider_case_id: 'CASE-1',
      alert_age: '',
      alert_transactionid: '',
      dispute_amount: '',
      dispute_currency: '',
      tier: '',
      alert_date: start,
      is_duplicate: 'no',
      bin: '',
      caid: '',
      rdr_reason_code: '',
      held_txid: '',
    });
  });

  it('names the first alert of a duplicate', () => {
    const form = newAlertForm({ ...anAlert(), duplicateOf: 77 });
    expect(fields(form)).toMatchObject({ is_duplicate: 'yes' });
    expect(details(form)).toEqual([{ ...noMatch, duplicate_alertid: '77', comment: expect.stringContaining('77') }]);
  });

  it('says why a network declined to refund', () => {
    const form = newAlertForm(anAlert({ type: 'DISPUTE_RDR', decision: 'DECLINED', declineCode: 'D4', bin: '423223' }));
    expect(fields(form)).toMatchObject({ alert_action: 'DECLINED', rdr_reason_code: 'D4', bin: '423223' });
    expect(details(form)).toEqual([{ ...noMatch, comment: 'D4' }]);
  });
});

describe('the status-update notification', () => {
  const told = { acceptedAt: '2026-05-02T11:00:00.000Z', why: null };

  it.each([
    [undefined, 'provider_a has refused this answer'],
    ['sorry', 'sorry (provider_a has refused this answer)'],
  ])('says in place of the provider’s date why there is none, beside the comments %s', (comments, expected) => {
    const sent = { status: 'RESOLVED', reason_code: '100.001', ...(comments && { comments }) } as const;
    const form = statusUpdateForm(5, sent, later, { acceptedAt: null, why: 'provider_a has refused this answer' });
    expect(fields(form)).toMatchObject({ merchant_update_on: later, outcome_updated_on: '', comments: expected });
  });

  it('has only what the update had', () => {
    const sent = { status: 'RESOLVED', reason_code: '100.001' } as const;
    expect(fields(statusUpdateForm(5, sent, later, told))).toEqual({
      action: 'statusupdate',
      alert_id: '5',
      status: 'RESOLVED',
      reason_code: '100.001',
      merchant_update_on: later,
      outcome_updated_on: told.acceptedAt,
    });
  });

  it('has everything the update had', () => {
    const sent = {
      status: 'DECLINED',
      reason_code: '940.001',
      alert_outcome_amount: '5.00',
      alert_outcome_currency: 'USD',
      alert_outcome_action_date: start,
      comments: 'twice',
      merchant_notes: 'note',
      tx_details: [{ duplicate_alertid: '7' }],
    } as const;
    expect(fields(statusUpdateForm(5, sent, later, told))).toMatchObject({
      alert_outcome_amount: '5.00',
      alert_outcome_currency: 'USD',
      alert_outcome_action_date: start,
      'tx_details[]': '{"duplicate_alertid":"7"}',
      merchant_notes: 'note',
      comments: 'twice',
    });
  });

  it.each([
    ['DISPUTE_RDR', 'RDR_DELETE'],
    ['DISPUTE', 'REVOKED'],
  ] as const)('of a %s that was taken back has no reason and no dates', (type, status) => {
    const alert = withdraw(anAlert({ type, decision: type === 'DISPUTE_RDR' ? 'ACCEPTED' : null }), later);
    expect(fields(withdrawalForm(alert))).toEqual({
      action: 'statusupdate',
      alert_id: String(alert.alertId),
      status,
      reason_code: '',
    });
  });
});

it('warns of a deadline with the alert and the time', () => {
  expect(fields(deadlineForm(anAlert()))).toMatchObject({
    action: 'alert_deadline',
    alert_id: '1000000000000001',
    deadline: '2026-05-03T10:00:00.000Z',
    sid: '12',
  });
});

describe("an alert's row", () => {
  it('is read back as it was', () => expect(fromAlertItem(toAlertItem(anAlert()))).toEqual(anAlert()));

  it('is due while an answer is awaited: at the sweep before its warning, then at its deadline', () => {
    const due = (at: string) => ({
      open: true,
      dueSk: expect.stringMatching(new RegExp(`^${at}:00:00.000Z#DEADLINE#`)),
    });
    // The warning is at 04:00.
    expect(toAlertItem(anAlert())).toMatchObject(due('2026-05-03T00'));
    const warnedAt = '2026-05-03T04:00:00.000Z';
    expect(toAlertItem({ ...anAlert(), warnedAt })).toMatchObject(due('2026-05-03T10'));
    const short = { deadlineAt: '2026-05-02T16:00:00.000Z' };
    expect(toAlertItem({ ...anAlert(), ...short })).toMatchObject(due('2026-05-02T16'));
    expect(toAlertItem({ ...anAlert(), deadlinePassed: true })).not.toHaveProperty('dueSk');
    const closed = toAlertItem({ ...anAlert(), status: 'RESOLVED' });
    expect(closed).not.toHaveProperty('dueSk');
    expect(closed).toMatchObject({ open: false, alert: { deadlineAt: '2026-05-03T10:00:00.000Z' } });
  });

  it('appears in the lists of its owner, or in the inbox without one', () => {
    expect(toAlertItem(anAlert())).toMatchObject({
      entity: 'ALERT',
      list1Pk: expect.stringMatching(/^ALERT#all\.[0-7]$/),
      list2Pk: 'ALERT#M1',
      list3Pk: 'ALERT#R5',
      list4fPk: 'ALERT#S12#OPEN|FRAUD',
    });
    const unmatched = toAlertItem({ ...anAlert(), owner: null, deadlineAt: null, unmatchedBecause: 'tie' });
    expect(unmatched).toMatchObject({ entity: 'UNMATCHED', list1Pk: expect.stringMatching(/^UNMATCHED#all\.[0-7]$/) });
    expect(unmatched).not.toHaveProperty('list2Pk');
    expect(unmatched['summary']).toMatchObject({ mid: null, unmatched_reason: 'tie' });
  });
});

it('tells in a history what changed, from what, to what', () => {
  const before = anAlert();
  const after = { ...before, status: 'WIP', update: { status: 'WIP', reason_code: '999.002' } } as const;
  expect(entryOfChange(before, after, 'updated', later, { by: 'site 12', via: 'update' })).toEqual({
    at: later,
    by: 'site 12',
    via: 'update',
    change: {
      event: 'updated',
      from: { status: 'OPEN', reason_code: null },
      to: { status: 'WIP', reason_code: '999.002' },
    },
  });
  expect(entryOfChange(null, before, 'received', start, { by: 'provider_a', via: 'intake' }).change).toEqual({
    event: 'received',
    from: {},
    to: {
      ...{ status: 'OPEN', alert_action: 'REFUND', sid: 12, deadline: '2026-05-03T10:00:00.000Z' },
      ...{ amount: '361.56', currency: 'USD' },
    },
  });
});

it('shows of a history that no answer could carry the newest part, in order', () => {
  const entry = (index: number) => ({
    at: new Date(index).toISOString(),
    by: 'site 12',
    via: 'update' as const,
    change: { event: 'updated' as const, from: {}, to: { merchant_notes: `"é"${index}`.padEnd(5000, '"') } },
  });
  const entries = Array.from({ length: 1000 }, (_, index) => entry(index));
  const shown = newestEntries(entries);
  expect(shown).toEqual(entries.slice(-shown.length));
  expect(Buffer.byteLength(JSON.stringify(JSON.stringify(shown)))).toBeLessThan(6 * 1024 * 1024);
  expect(shown.length).toBeGreaterThan(100);
  expect(newestEntries(entries.slice(0, 9))).toEqual(entries.slice(0, 9));
});
