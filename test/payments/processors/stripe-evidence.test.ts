import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DisputeEvidence, PurchaseOfEvidence } from '#payments/processors/ports/dispute.ts';
import { stripeDisputes } from '#payments/processors/stripe/stripe-disputes-client.ts';
import { type FakeStripe, startFakeStripe } from '#test/support/fake-stripe.ts';

/** Evidence as Stripe accepts it, and what is left when it refuses a part. */

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await startFakeStripe();
});
afterAll(() => stripe[Symbol.asyncDispose]());

const purchase: PurchaseOfEvidence = {
  ...{ accountId: 'ada-1', deviceFingerprint: null, deviceId: null, email: null, ip: '203.0.113.7' },
  ...{ description: 'Tea', address: null },
};
const evidenceOf = (change: Partial<PurchaseOfEvidence> = {}, charges = ['ch_1', 'ch_2']): DisputeEvidence => ({
  ...{ customer: { name: 'Ada', email: 'ada@example.com', ip: '203.0.113.7' }, billingAddress: '', files: [] },
  ...{ shipping: { address: '', carrier: '', date: '', trackingNumber: '' }, productDescription: 'Tea' },
  ...{ serviceDate: '', accessLog: '', statement: 'It was delivered.' },
  renderLetter: async () => ({ bytes: new Uint8Array(), leftOut: [] }),
  compelling: {
    disputed: { ...purchase, ...change, kind: 'merchandise' },
    priors: charges.map((charge) => ({ ...purchase, ...change, charge })),
  },
});
const open = (change: object = {}) =>
  stripe.disputes.open({ id: 'pi_elsewhere', amount: 1234, currency: 'usd' }, { ...change });
const submit = (id: string, evidence: DisputeEvidence = evidenceOf()) =>
  stripeDisputes({ secret_key: stripe.secretKey, base_url: stripe.url }).submit?.(id, evidence);

describe('evidence at Stripe', () => {
  it('has two earlier charges, though more are known', async () => {
    const { id } = open();
    expect(await submit(id, evidenceOf({}, ['PSP8535', 'ch_1', 'ch_2', 'ch_3']))).toBe('done');
    expect(stripe.disputes.evidence.get(id)).toMatchObject({
      enhanced_evidence: {
        visa_compelling_evidence_3: { prior_undisputed_transactions: { 0: { charge: 'ch_1' }, 1: { charge: 'ch_2' } } },
      },
    });
  });

  it.each([
    ['a short device', { deviceId: 'iPhone' }],
    ['a short fingerprint', { deviceFingerprint: 'fp-17' }],
    [
      'an incomplete address',
      { address: { line1: '1 High St', line2: null, city: 'X', state: null, postalCode: '1', country: 'SG' } },
    ],
  ])('is submitted without its enhanced part if Stripe refuses that for %s', async (_, change) => {
    const { id } = open();
    expect(await submit(id, evidenceOf(change))).toBe('done');
    const sent = stripe.disputes.evidence.get(id);
    expect(sent).toMatchObject({ uncategorized_text: 'It was delivered.' });
    expect(sent).not.toHaveProperty('enhanced_evidence');
  });

  it('is not sent twice while Stripe does not answer', async () => {
    const { id } = open();
    stripe.fail(503, /POST .*\/disputes\/dp_/, 9);
    expect(await submit(id)).toHaveProperty('unknown');
    expect(stripe.disputes.evidence.has(id)).toBe(false);
    stripe.mend();
  });

  it.each([
    [
      'that Stripe has submitted itself',
      { evidence_details: { submission_count: 1, submission_method: 'smart_disputes', due_by: 1 } },
      'Smart Disputes',
    ],
    ['of a compliance dispute, which costs a fee', { reason: 'noncompliant' }, '500 USD'],
    [
      'that may be one of compliance, by its eligibility',
      { enhanced_eligibility_types: ['visa_compliance'] },
      '500 USD',
    ],
    ['of an appeal', { status: 'appeal_needs_response' }, 'Dashboard'],
  ])('is refused for one %s', async (_, change, words) => {
    const { id } = open(change);
    expect(await submit(id)).toEqual({ refused: expect.stringContaining(words) });
    expect(stripe.disputes.evidence.has(id)).toBe(false);
  });

  it('that was submitted by hand counts as done', async () => {
    const { id } = open({ evidence_details: { submission_count: 1, submission_method: 'manual', due_by: 1 } });
    expect(await submit(id)).toBe('done');
  });
});
