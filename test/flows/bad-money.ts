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
      wrongBody: {
        provider: ['service_dummy'],
        alert_type: ['LETTER'],
        price: ['25.001'],
        currency: ['DOLLARS'],
        from: ['2026-05-01'],
      },
      wrong: [badMid],
      refused: {
        merchant_not_found: { params: { mid: nobody } },
        prices_full: { params: { mid: w.otherTenant.mid } },
        changed_meanwhile: 'race',
      },
    },
    'costs/alert-price-details': { params: { mid }, wrong: [badMid], refused: { merchant_not_found: theirs } },
    'costs/list-credits': {
      wrongBody: { state: ['none'], reason: ['too_dear'], date_from: ['May'], cursor: ['bm90IG91cnM'] },
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        retailer_not_found: { body: { rid: w.otherTenant.rid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
    'costs/set-credit': {
      params: { alert_id: w.openId },
      body: { state: 'claimed', reason: 'duplicate' },
      wrongParams: { alert_id: ['x'] },
      wrongBody: { state: ['none'], reason: ['too_dear', null], note: ['x'.repeat(1001)] },
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
    wrongBody: { status: ['LOST'], stage: ['first'], date_to: ['2026-13-01'], size: [0] },
    refused: {
      merchant_not_found: { body: { mid: w.otherTenant.mid } },
      site_not_found: { body: { sid: w.otherTenant.sid } },
      alert_not_found: { as: 'otherTenant', body: { alert_id: w.openId } },
    },
  },
  'chargebacks/chargeback-details': {
    params: { id: w.chargebackId },
    wrongParams: { id: ['n'.repeat(65)] },
    refused: { chargeback_not_found: { as: 'otherTenant' } },
    alike: [{ as: 'otherTenant' }, { as: 'otherTenant', params: { id: 'cb_of_nobody' } }],
  },
  'chargebacks/chargeback-evidence': {
    params: { id: w.chargebackId },
    wrongParams: { id: ['n'.repeat(65)] },
    wrongBody: { submit: ['perhaps'], archive: [[]] },
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
    wrongParams: { id: ['n'.repeat(65)] },
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
      wrongBody: { sid: ['x'], days: [61], site_rules: [{}] },
      wrong: [
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
      wrongParams: { id: ['n'.repeat(65)] },
      wrongBody: { cursor: ['7'] },
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
