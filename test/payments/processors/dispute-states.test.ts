import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { claimOfCode } from '#core/kernel/card/scheme-reasons.ts';
import { disputeOfBraintree } from '#payments/processors/braintree/braintree-disputes.ts';
import { disputeOfCheckoutCom } from '#payments/processors/checkout-com/checkout-com-disputes.ts';
import { disputeOfPayPal } from '#payments/processors/paypal/paypal-disputes.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';
import { disputeOfShopify } from '#payments/processors/shopify/shopify-disputes-client.ts';
import { disputeOfStripe } from '#payments/processors/stripe/stripe-disputes.ts';
import { braintreeDisputeFacts } from '#test/contracts/braintree/dispute-states.ts';
import { checkoutComDisputeFacts } from '#test/contracts/checkout-com/dispute-states.ts';
import { payPalDisputeFacts } from '#test/contracts/paypal/dispute-states.ts';
import { shopifyDisputeFacts } from '#test/contracts/shopify/dispute-states.ts';
import { stripeDisputeFacts } from '#test/contracts/stripe/dispute-states.ts';
import { vendorFile } from '#test/contracts/vendor-file.ts';

/** Every state of a dispute that a processor documents, by the page that users read: docs/chargebacks.md. */

const at = '2026-05-01T00:00:00Z';
type Read = (state: string, more?: string, response?: object) => ProcessorDispute | undefined;

const stripe: Read = (status, case_type = 'chargeback') =>
  disputeOfStripe({
    ...{ id: 'dp_1', amount: 1000, currency: 'usd', status, reason: 'fraudulent', created: 1, charge: 'ch_1' },
    ...{ payment_intent: null, evidence_details: { due_by: null } },
    payment_method_details: { card: { brand: 'visa', case_type } },
  });
const payPal: Read = (state, stage = 'CHARGEBACK') => {
  const [status, outcome_code] = state.split(' ');
  return disputeOfPayPal({
    ...{ dispute_id: 'PP-1', create_time: at, status, dispute_life_cycle_stage: stage },
    dispute_amount: { currency_code: 'USD', value: '10.00' },
    ...(outcome_code && { dispute_outcome: { outcome_code } }),
  });
};
const braintree: Read = (status, type = 'CHARGEBACK', processorResponse = {}) =>
  disputeOfBraintree({
    ...{ legacyId: '1', createdAt: at, type, status, transaction: { legacyId: 't1', orderId: '' } },
    ...{ amountDisputed: { value: '10.00', currencyCode: 'USD' }, processorResponse },
  });
const checkoutCom: Read = (state) => {
  const [status, resolved_reason] = state.split(' ');
  return disputeOfCheckoutCom({
    ...{ id: 'dsp_1', status, resolved_reason, amount: 1000, currency: 'USD', received_on: at },
    payment_id: 'pay_1',
  });
};
const shopify: Read = (status, type = 'CHARGEBACK') =>
  disputeOfShopify({
    ...{ id: 'gid://shopify/ShopifyPaymentsDispute/1', type, status, initiatedAt: at },
    ...{ amount: { amount: '10.00', currencyCode: 'USD' }, order: null },
  });

const page = readFileSync('docs/chargebacks.md', 'utf8');
/** The rows of the page's table of a processor: the value, and what it says of it. */
const pageRows = (processor: string): ReadonlyMap<string, string> => {
  const [, section = ''] = page.split(`#### ${processor}\n`);
  const rows = section.split('\n#')[0]?.matchAll(/^\| `([^|]+)` \| ([^|]+) \|/gm) ?? [];
  return new Map([...rows].map(([, value = '', words = '']) => [value, words.trim()]));
};
const stateWords = (dispute: ProcessorDispute | undefined): string => {
  if (!dispute || dispute.unmapped !== undefined) return 'unknown: the last known state is kept';
  const { stage, status, isTaken } = dispute;
  return `${stage}, \`${status}\`${isTaken ? ', money gone' : ''}`;
};

const resolved = payPalDisputeFacts.outcomes.map((outcome) => `RESOLVED ${outcome}`);
const resolvedAtCheckout = checkoutComDisputeFacts.resolvedReasons.map((reason) => `resolved ${reason}`);
const others = (statuses: readonly string[], one: string) => statuses.filter((status) => status !== one);
const cases: readonly [string, Read, readonly string[], readonly string[]][] = [
  [
    'Stripe',
    (state) => stripe(...(state.split(' ') as [string])),
    [...others(stripeDisputeFacts.statuses, 'prevented'), 'prevented block', 'prevented resolution'],
    [],
  ],
  ['PayPal', payPal, [...others(payPalDisputeFacts.statuses, 'RESOLVED'), ...resolved], ['OTHER']],
  ['Braintree', braintree, braintreeDisputeFacts.statuses, []],
  ['Checkout.com', checkoutCom, [...others(checkoutComDisputeFacts.statuses, 'resolved'), ...resolvedAtCheckout], []],
  ['Shopify', shopify, shopifyDisputeFacts.statuses, []],
];

describe.each(cases)('states of disputes at %s', (processor, read, published, meaningless) => {
  it('are all in the page, as they are read', () => {
    const expected = published.map((state) => [state, stateWords(read(state))]);
    expect([...pageRows(processor)]).toEqual(expected);
  });

  it('are all known, except those without a documented meaning', () => {
    expect(published.filter((state) => read(state)?.unmapped !== undefined)).toEqual(meaningless);
  });

  it('keep an unpublished one as unknown, and bar refunds without counting money as taken', () => {
    expect(read('SOMETHING_NEW')).toMatchObject({ unmapped: 'SOMETHING_NEW', stage: 'chargeback', isTaken: false });
  });
});

it.each([
  ['PayPal', payPal, payPalDisputeFacts.stages, 'OPEN'],
  ['Braintree', braintree, braintreeDisputeFacts.types, 'OPEN'],
  ['Shopify', shopify, shopifyDisputeFacts.types, 'NEEDS_RESPONSE'],
  ['Stripe', stripe, stripeDisputeFacts.caseTypes, 'needs_response'],
] as const)('every stage or type that %s publishes is known', (_, read, published, state) => {
  expect(published.map((stage) => read(state, stage)?.unmapped)).toEqual(published.map(() => undefined));
});

it('an inquiry takes the money only if the buyer wins it', () => {
  const taken = (read: Read, state: string, stage: string) => read(state, stage)?.isTaken;
  expect([taken(payPal, 'OPEN', 'INQUIRY'), taken(payPal, 'RESOLVED RESOLVED_BUYER_FAVOUR', 'INQUIRY')]).toEqual([
    false,
    true,
  ]);
  expect([taken(braintree, 'OPEN', 'RETRIEVAL'), taken(shopify, 'NEEDS_RESPONSE', 'INQUIRY')]).toEqual([false, false]);
});

/** Reasons that state no claim: missing funds, a wrong account, and general words. */
const claimless =
  'bank_cannot_process check_returned customer_initiated general incorrect_account_details insufficient_funds';

it.each([
  ['Stripe', stripeDisputeFacts.reasons, claimless],
  ['PayPal', payPalDisputeFacts.reasons, 'PROBLEM_WITH_REMITTANCE OTHER'],
  ['Braintree', braintreeDisputeFacts.reasons, 'GENERAL INVALID_ACCOUNT RETRIEVAL'],
  ['Checkout.com', checkoutComDisputeFacts.categories, 'general'],
  ['Shopify', shopifyDisputeFacts.reasons, claimless.toUpperCase().replace('CHECK_RETURNED ', '')],
])('every reason that %s publishes is a claim, except those that say none', (_, published, without) => {
  expect(published.filter((reason) => claimOfCode(reason) === undefined)).toEqual(without.split(' '));
});

it.each([
  ['PRODUCT_NOT_RECEIVED', 'not_received'],
  ['PRODUCT_UNSATISFACTORY', 'not_as_described'],
  ['CANCELLED_RECURRING_TRANSACTION', 'cancelled'],
  ['CREDIT_NOT_PROCESSED', 'no_credit'],
])('Braintree’s word %s says what a dispute by Mastercard’s 4853 claims', (reason, claim) => {
  expect(claimOfCode(braintree('OPEN', 'CHARGEBACK', { reason, reasonCode: '4853' })?.reasonCode ?? '')).toBe(claim);
});

it('our table of PayPal’s states equals PayPal’s own contract', () => {
  type Enums = Record<string, { enum?: string[]; properties?: Record<string, { enum: string[] }> }>;
  const file = vendorFile('paypal/customer_disputes_v1.json') as { components: { schemas: Enums } } | undefined;
  if (!file) return;
  const {
    status,
    dispute_lifecycle_stage: stage,
    dispute_outcome: outcome,
    dispute_reason: reason,
  } = file.components.schemas;
  expect(new Set(reason?.enum)).toEqual(new Set(payPalDisputeFacts.reasons));
  expect(new Set(status?.enum)).toEqual(new Set(payPalDisputeFacts.statuses));
  expect(new Set(stage?.enum)).toEqual(new Set(payPalDisputeFacts.stages));
  expect(new Set(outcome?.properties?.['outcome_code']?.enum)).toEqual(new Set(payPalDisputeFacts.outcomes));
});
