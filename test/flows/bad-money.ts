import type { BadCalls, Wrong } from '#test/support/bad-calls.ts';
import type { Fixture } from './bad-calls.ts';

/** The costs of alerts, and what can be claimed. */

const nobody = 999_999;

const costs = (w: Fixture): Record<string, BadCalls> => {
  const { mid } = w.site;
  const theirs = { as: 'otherTenant' } as const;
  const badMid: Wrong = { params: { mid: 'x' }, names: 'mid' };
  return {
    'costs/set-alert-prices': {
      as: 'admin',
      params: { mid },
      body: { provider: 'provider_a', price: '25.00', currency: 'USD' },
      wrong: [
        badMid,
        { body: { provider: 'service_dummy' }, names: 'provider' },
        { body: { alert_type: 'LETTER' }, names: 'alert_type' },
        { body: { price: '25.001' }, names: 'price' },
        { body: { currency: 'DOLLARS' }, names: 'currency' },
        { body: { from: '2026-05-01' }, names: 'from' },
      ],
      refused: {
        merchant_not_found: { params: { mid: nobody } },
        prices_full: { params: { mid: w.otherTenant.mid } },
        changed_meanwhile: 'race',
      },
    },
    'costs/alert-price-details': { params: { mid }, wrong: [badMid], refused: { merchant_not_found: theirs } },
    'costs/list-credits': {
      wrong: [
        { body: { state: 'none' }, names: 'state' },
        { body: { reason: 'too_dear' }, names: 'reason' },
        { body: { date_from: 'May' }, names: 'date_from' },
        { body: { cursor: 'bm90IG91cnM' }, names: 'cursor' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'costs/set-credit': {
      params: { alert_id: w.openId },
      body: { state: 'claimed', reason: 'duplicate' },
      wrong: [
        { params: { alert_id: 'x' }, names: 'alert_id' },
        { body: { state: 'none' }, names: 'state' },
        { body: { reason: 'too_dear' }, names: 'reason' },
        { body: { reason: null }, names: 'reason' },
        { body: { note: 'x'.repeat(1001) }, names: 'note' },
      ],
      refused: {
        alert_not_found: theirs,
        alert_not_paid_for: { as: 'admin', params: { alert_id: w.unmatchedId } },
        credit_state_wrong: { body: { state: 'claimable' } },
        changed_meanwhile: 'race',
      },
    },
  };
};

const chargebacks = (w: Fixture): Record<string, BadCalls> => ({
  'chargebacks/list-chargebacks': {
    wrong: [
      { body: { status: 'LOST' }, names: 'status' },
      { body: { stage: 'first' }, names: 'stage' },
      { body: { date_to: '2026-13-01' }, names: 'date_to' },
      { body: { size: 0 }, names: 'size' },
    ],
    refused: {
      merchant_not_found: { body: { mid: w.otherTenant.mid } },
      site_not_found: { body: { sid: w.otherTenant.sid } },
      alert_not_found: { as: 'otherTenant', body: { alert_id: w.openId } },
    },
  },
  'chargebacks/chargeback-details': {
    params: { id: w.chargebackId },
    wrong: [{ params: { id: 'n'.repeat(65) }, names: 'id' }],
    refused: { chargeback_not_found: { as: 'otherTenant' } },
    alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
  },
  'chargebacks/chargeback-evidence': {
    params: { id: w.chargebackId },
    wrong: [
      { params: { id: 'n'.repeat(65) }, names: 'id' },
      { body: { submit: 'perhaps' }, names: 'submit' },
      { body: { archive: [] }, names: 'archive' },
    ],
    refused: {
      chargeback_not_found: { as: 'otherTenant' },
      chargeback_over: { body: { submit: true } },
      evidence_refused: { params: { id: w.openChargebackId }, body: { submit: true } },
      changed_meanwhile: 'race',
    },
    alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
  },
  'chargebacks/accept-chargeback': {
    params: { id: w.chargebackId },
    wrong: [{ params: { id: 'n'.repeat(65) }, names: 'id' }],
    refused: {
      chargeback_not_found: { as: 'otherTenant' },
      chargeback_over: {},
      changed_meanwhile: 'race',
    },
  },
});

const backTests = (w: Fixture): Record<string, BadCalls> => {
  const { sid } = w.site;
  const rule = (change: object = {}) => [{ conditions: { all: [] }, action: { type: 'notify' }, ...change }];
  return {
    'rules/back-test': {
      body: { sid },
      wrong: [
        { body: { sid: 'x' }, names: 'sid' },
        { body: { days: 61 }, names: 'days' },
        { body: { site_rules: {} }, names: 'site_rules' },
        { body: { site_rules: rule({ action: { type: 'sing' } }) }, names: 'site_rules.0.action.type' },
        { body: { merchant_rules: rule({ conditions: { some: [] } }) }, names: 'merchant_rules.0.conditions' },
      ],
      refused: {
        merchant_not_found: { body: { sid: undefined, mid: w.otherTenant.mid } },
        site_not_found: { as: 'otherTenant' },
        site_not_for_alerts: { body: { sid: w.paymentSid } },
      },
    },
    'rules/back-test-details': {
      params: { id: w.backTestId },
      wrong: [
        { params: { id: 'n'.repeat(65) }, names: 'id' },
        { body: { cursor: '7' }, names: 'cursor' },
      ],
      refused: { back_test_not_found: { as: 'otherTenant' } },
      alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'bt_1' } }],
    },
  };
};

export const badMoney = (fixture: Fixture): Record<string, BadCalls> => ({
  ...costs(fixture),
  ...chargebacks(fixture),
  ...backTests(fixture),
});
