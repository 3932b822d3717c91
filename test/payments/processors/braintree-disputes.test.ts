import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { braintreeDisputes } from '#payments/processors/braintree/braintree-disputes-client.ts';
import type { DisputeDone, DisputeEvidence } from '#payments/processors/ports/dispute.ts';
import { type FakeBraintree, startFakeBraintree } from '#test/support/fake-braintree.ts';

/** The response to disputes of a Braintree account. */

let braintree: FakeBraintree;
beforeAll(async () => {
  braintree = await startFakeBraintree();
  braintree.settleAtOnce(true);
});
afterAll(() => braintree[Symbol.asyncDispose]());

let dispute: Record<string, unknown>;
beforeEach(() => {
  const { id } = braintree.charge({ minor: 6400, number: '4111111111111111' });
  dispute = braintree.dispute(id, 'OPEN');
  braintree.requests.splice(0);
});

const portAs = (public_key: string) => {
  const { privateKey: private_key, url: base_url } = braintree;
  return braintreeDisputes({ public_key, private_key, environment: 'test', base_url });
};
const receipt = {
  kind: 'receipt',
  name: 'receipt.pdf',
  type: 'application/pdf',
  bytes: Buffer.from('%PDF-1.7 a receipt'),
} as const;
const parcel = { kind: 'shipping', name: 'parcel.png', type: 'image/png', bytes: Buffer.from('a parcel') } as const;
const evidence: DisputeEvidence = {
  customer: { name: 'Jenny Rosen', email: 'jenny.rosen@example.com', ip: '' },
  billingAddress: '1 Main Street, Springfield',
  shipping: { address: '1 Main Street, Springfield', carrier: 'UPS', date: '2026-05-01', trackingNumber: '1Z999' },
  productDescription: '1 × Tea',
  serviceDate: '',
  accessLog: '',
  statement: 'The parcel was delivered to the cardholder.',
  files: [receipt, parcel],
  renderLetter: () => expect.fail('Braintree accepts the response as text'),
  compelling: null,
};
const submit = (told: DisputeEvidence = evidence, key = braintree.publicKey): Promise<DisputeDone> | undefined =>
  portAs(key).submit?.(String(dispute['legacyId']), told);
const accept = (): Promise<DisputeDone> | undefined =>
  portAs(braintree.publicKey).accept?.(String(dispute['legacyId']), 'accept-1');
const sentTo = (): unknown => dispute['evidence'];
const texts = [
  { category: 'GENERAL', content: 'The parcel was delivered to the cardholder.' },
  { category: 'PURCHASER_NAME', content: 'Jenny Rosen' },
  { category: 'PURCHASER_EMAIL_ADDRESS', content: 'jenny.rosen@example.com' },
  { category: 'CARRIER_NAME', content: 'UPS' },
  { category: 'TRACKING_NUMBER', content: '1Z999' },
];
const files = [
  { category: 'GENERAL', file: { name: 'receipt.pdf', type: 'application/pdf', content: '%PDF-1.7 a receipt' } },
  { category: 'PROOF_OF_DELIVERY', file: { name: 'parcel.png', type: 'image/png', content: 'a parcel' } },
];

describe('evidence at Braintree', () => {
  it('is added as files and texts by category, and the dispute is finalized', async () => {
    expect(await submit()).toBe('done');
    expect(sentTo()).toMatchObject([...files, ...texts]);
    expect(dispute['status']).toBe('DISPUTED');
  });

  it('is submitted once', async () => {
    await submit();
    expect(await submit()).toBe('done');
    expect(sentTo()).toHaveLength(7);
  });

  it.each([
    // Files cannot be compared, so one whose answer was lost is attached twice.
    ['a file', /CreateDisputeFileEvidence/, 8],
    ['a text', /CreateDisputeTextEvidence/, 7],
    ['finalizing', /FinalizeDispute/, 7],
  ])('is completed by the next call when the answer to %s was lost', async (_, document, pieces) => {
    braintree.fail('lost', document, 1);
    await submit();
    expect(await submit()).toBe('done');
    expect(sentTo()).toHaveLength(pieces);
    expect(dispute['status']).toBe('DISPUTED');
  });

  it('is not submitted again when a person finalized the dispute in the control panel', async () => {
    dispute['status'] = 'UNDER_REVIEW';
    expect(await submit()).toBe('done');
    expect(sentTo()).toBeUndefined();
  });

  it('is refused for a file of more than 4 MB, and nothing is sent', async () => {
    const large = { ...receipt, name: 'large.pdf', bytes: Buffer.alloc(4_000_001) };
    expect(await submit({ ...evidence, files: [large] })).toEqual({
      refused: 'braintree takes files of up to 4 MB, and large.pdf is larger',
    });
    expect(braintree.requests).toEqual([]);
  });

  it('is refused for a user who may not change disputes, for one that is accepted, and for one that does not exist', async () => {
    expect(await submit(evidence, braintree.readOnlyKey)).toEqual({ refused: 'braintree AUTHORIZATION' });
    dispute['status'] = 'ACCEPTED';
    expect(await submit()).toEqual({ refused: 'braintree VALIDATION 95701' });
    expect(await portAs(braintree.publicKey).submit?.('unknown', evidence)).toEqual({ refused: 'braintree NOT_FOUND' });
  });

  it('is in doubt while Braintree does not answer', async () => {
    braintree.fail('never', /DisputeEvidence/, 2);
    expect(await submit()).toEqual({ unknown: 'braintree did not answer' });
    expect(sentTo()).toBeUndefined();
  });
});

describe('a dispute at Braintree', () => {
  it('is accepted once', async () => {
    expect([await accept(), await accept()]).toEqual(['done', 'done']);
    expect(dispute['status']).toBe('ACCEPTED');
  });

  it('counts as accepted when the answer was lost', async () => {
    braintree.fail('lost', /AcceptDispute/, 1);
    expect(await accept()).toBe('done');
  });

  it('cannot be accepted after it was finalized', async () => {
    await submit();
    expect(await accept()).toEqual({ refused: 'braintree VALIDATION 95701' });
  });
});
