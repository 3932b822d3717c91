import { describe, expect, it } from 'vitest';
import type { DisputeEvidence, PurchaseOfEvidence } from '#payments/processors/ports/dispute.ts';
import { stripeDisputes } from '#payments/processors/stripe/stripe-disputes-client.ts';
import { startFakeStripe } from '#test/support/fake-stripe.ts';
import { useServer } from '#test/support/use-server.ts';

/** Evidence as Stripe accepts it, and what is left when it refuses a part. */

const stripe = await useServer(startFakeStripe());

const purchase: PurchaseOfEvidence = {
  ...{ accountId: 'ada-1', deviceFingerprint: null, deviceId: null, email: null, ip: '203.0.113.7' },
  ...{ description: 'Tea', address: null },
};
const someEvidence = (change: Partial<PurchaseOfEvidence> = {}, charges = ['ch_1', 'ch_2']): DisputeEvidence => ({
  ...{ customer: { name: 'Ada', email: 'ada@example.com', ip: '203.0.113.7' }, billingAddress: '', files: [] },
  ...{ shipping: { address: '', carrier: '', date: '', trackingNumber: '' }, productDescription: 'Tea' },
  ...{ serviceDate: '', accessLog: '', statement: 'It was delivered.' },
  renderLetter: async () => ({ bytes: new Uint8Array() }),
  compelling: {
    disputed: { ...purchase, ...change, kind: 'merchandise' },
    priors: charges.map((charge) => ({ ...purchase, ...change, charge })),
  },
});
const submitted = { submission_count: 1, has_evidence: true, due_by: 1 };
const open = (change: object = {}) =>
  stripe.disputes.open({ id: 'pi_elsewhere', amount: 1234, currency: 'usd' }, { ...change });
const submit = (id: string, evidence: DisputeEvidence = someEvidence()) =>
  stripeDisputes({ secret_key: stripe.secretKey, base_url: stripe.url }).submit?.(id, evidence);

describe('evidence at Stripe', () => {
  it('has two earlier charges, though more are known', async () => {
    const { id } = open();
    expect(await submit(id, someEvidence({}, ['PSP8535', 'ch_1', 'ch_2', 'ch_3']))).toBe('done');
    expect(stripe.disputes.evidence.get(id)).toMatchObject({
      enhanced_evidence: {
        visa_compelling_evidence_3: { prior_undisputed_transactions: { 0: { charge: 'ch_1' }, 1: { charge: 'ch_2' } } },
      },
    });
  });

  it('is submitted without its enhanced part if Stripe refuses that', async () => {
    stripe.disputes.refusesEnhanced = true;
    const { id } = open();
    expect(await submit(id, someEvidence())).toBe('done');
    stripe.disputes.refusesEnhanced = false;
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
      { evidence_details: { ...submitted, submission_method: 'smart_disputes' } },
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
    expect(await submit(id)).toMatchObject({ refused: expect.stringContaining(words) });
    expect(stripe.disputes.evidence.has(id)).toBe(false);
  });

  it.each([
    ['visa_compliance', { reason: 'noncompliant' }],
    ['mastercard_compliance', { enhanced_eligibility_types: ['mastercard_compliance'] }],
  ])('of a dispute of %s is submitted with the fee acknowledged, and not without that', async (kind, change) => {
    const { id } = open(change);
    expect(await submit(id, { ...someEvidence(), isFeeAcknowledged: true })).toBe('done');
    expect(stripe.disputes.evidence.get(id)).toMatchObject({
      enhanced_evidence: { [kind]: { fee_acknowledged: 'true' } },
      uncategorized_text: 'It was delivered.',
    });
    stripe.disputes.refusesEnhanced = true;
    const { id: other } = open(change);
    expect(await submit(other, { ...someEvidence(), isFeeAcknowledged: true })).toHaveProperty('refused');
    expect(stripe.disputes.disputes.get(other)?.status).toBe('needs_response');
    stripe.disputes.refusesEnhanced = false;
  });

  it('that was submitted by hand counts as done', async () => {
    const { id } = open({ evidence_details: { ...submitted, submission_method: 'manual' } });
    expect(await submit(id)).toBe('done');
  });
});
