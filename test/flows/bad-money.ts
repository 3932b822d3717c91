import type { BadCalls, Wrong } from '../support/bad-calls.ts';
import type { Fixture } from './bad-calls.ts';

/** What alerts cost, and what is to be had back. */

const nobody = 999_999;

const costs = (w: Fixture): Record<string, BadCalls> => {
  const { mid } = w.site;
  const theirs = { as: 'otherTenant' } as const;
  const badMid: Wrong = { params: { mid: 'x' }, names: 'mid' };
  const span = { from: '2026-05-01', to: '2026-05-31' };
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
    'costs/alert-costs': {
      body: span,
      wrong: [
        { body: { from: '2026-02-30' }, names: 'from' },
        { body: { to: '2026-04-30' }, names: 'to' },
        { body: { to: '2028-05-01' }, names: 'to' },
        { body: { group: 'year' }, names: 'group' },
        { as: 'admin', body: {}, names: 'mid' },
      ],
      refused: {
        merchant_not_found: { body: { mid: w.otherTenant.mid } },
        site_not_found: { body: { sid: w.otherTenant.sid } },
      },
    },
  };
};

export const badMoney = (fixture: Fixture): Record<string, BadCalls> => costs(fixture);
