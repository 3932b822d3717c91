import { beforeEach, describe, expect, it } from 'vitest';
import { payPalDisputes } from '#payments/processors/paypal/paypal-disputes-client.ts';
import { type AskPayPal, askPayPal } from '#payments/processors/paypal/paypal-exchange-client.ts';
import type { DisputeDone, DisputeEvidence, DisputePort } from '#payments/processors/ports/dispute.ts';
import { startFakePayPal } from '#test/support/fake-paypal.ts';
import type { FakePayPalDispute } from '#test/support/fake-paypal-disputes.ts';
import { useServer } from '#test/support/use-server.ts';
import { evidenceWith, killAfter, parcel, receipt as plainReceipt } from './dispute-evidence.ts';

/** The response to disputes of a PayPal account. */

const paypal = await useServer(startFakePayPal());

let dispute: FakePayPalDispute;
beforeEach(() => {
  dispute = paypal.dispute(paypal.capture({ minor: 6400 }).id);
  paypal.requests.splice(0);
});

const askAs = (client_secret: string): AskPayPal => {
  const { clientId: client_id, url: base_url } = paypal;
  return askPayPal({ client_id, client_secret, base_url, environment: 'test' });
};
const portAs = (secret: string): DisputePort => payPalDisputes(askAs(secret));
const receipt = { ...plainReceipt, name: 'Receipt no. 7.pdf' };
const statement = 'The parcel was delivered to the cardholder.';
const evidence = evidenceWith({
  shipping: { address: '1 Main Street, Springfield', carrier: 'FedEx', date: '2026-05-01', trackingNumber: '1Z999' },
  statement,
  files: [receipt, parcel],
});
const submit = (told: DisputeEvidence = evidence, secret = paypal.clientSecret): Promise<DisputeDone> | undefined =>
  portAs(secret).submit?.(dispute.id, told);
/** Submits the evidence in a process that ends before the request after so many. */
const submitUntilKilled = (calls: number): Promise<DisputeDone> | undefined => {
  const killed = killAfter(calls, askAs(paypal.clientSecret));
  return payPalDisputes(killed).submit?.(dispute.id, evidence);
};
const accept = (secret = paypal.clientSecret): Promise<DisputeDone> | undefined =>
  portAs(secret).accept?.(dispute.id, `accept-${dispute.id}`);
const posted = (action: string): number => paypal.requests.filter(({ path }) => path.endsWith(`/${action}`)).length;

describe('evidence at PayPal', () => {
  it('is submitted with the tracking number, the response as a note, and the files', async () => {
    expect(await submit()).toBe('done');
    expect(dispute.evidences).toMatchObject([
      {
        evidence_type: 'PROOF_OF_FULFILLMENT',
        evidence_info: { tracking_info: [{ carrier_name: 'FEDEX', tracking_number: '1Z999' }] },
      },
      { evidence_type: 'OTHER', notes: statement, documents: [{ name: 'receipt.pdf' }, { name: 'shipping.png' }] },
    ]);
    expect(dispute.files).toEqual([
      { file: 'receipt.pdf', type: 'application/pdf', content: '%PDF-1.7 a receipt' },
      { file: 'shipping.png', type: 'image/png', content: 'a parcel' },
    ]);
    expect(dispute.status).toBe('UNDER_REVIEW');
  });

  it('has a file in the type that PayPal asks the merchant for', async () => {
    dispute.evidences = [{ evidence_type: 'PROOF_OF_RECEIPT_COPY', source: 'REQUESTED_FROM_SELLER' }];
    expect(await submit()).toBe('done');
    expect(dispute.evidences.slice(1)).toMatchObject([
      { evidence_type: 'PROOF_OF_FULFILLMENT' },
      { evidence_type: 'PROOF_OF_RECEIPT_COPY', documents: [{ name: 'receipt.pdf' }] },
      { evidence_type: 'OTHER', notes: statement, documents: [{ name: 'shipping.png' }] },
    ]);
  });

  it('names a carrier that PayPal does not know in words', async () => {
    const shipping = { ...evidence.shipping, carrier: 'Pony Express' };
    expect(await submit({ ...evidence, shipping })).toBe('done');
    expect(dispute.evidences[0]?.evidence_info?.tracking_info).toEqual([
      { carrier_name: 'OTHER', carrier_name_other: 'Pony Express', tracking_number: '1Z999' },
    ]);
  });

  it('is the note alone without files and tracking number', async () => {
    const shipping = { ...evidence.shipping, trackingNumber: '' };
    expect(await submit({ ...evidence, shipping, files: [] })).toBe('done');
    expect(dispute.evidences).toEqual([
      {
        evidence_type: 'OTHER',
        notes: statement,
        source: 'SUBMITTED_BY_SELLER',
        dispute_life_cycle_stage: 'CHARGEBACK',
      },
    ]);
  });

  it('is submitted once', async () => {
    expect([await submit(), await submit()]).toEqual(['done', 'done']);
    expect(posted('provide-evidence')).toBe(1);
  });

  it.each(['lost', 'cut', 'done500'] as const)('counts as submitted when the answer was %s', async (fault) => {
    paypal.fail(fault, /provide-evidence/, 1);
    expect(await submit()).toBe('done');
    expect(posted('provide-evidence')).toBe(1);
  });

  it.each([
    ['before it read the dispute', 0],
    ['before it sent anything', 1],
    ['after it sent the evidence', 2],
  ])('is submitted once when the process was killed %s', async (_, calls) => {
    paypal.fail('lost', /provide-evidence/, 1);
    await expect(submitUntilKilled(calls)).rejects.toThrow('killed');
    expect(await submit()).toBe('done');
    expect(dispute.files).toHaveLength(2);
  });

  it('is in doubt until PayPal can be asked again, and is then submitted once', async () => {
    paypal.fail('never', /provide-evidence/, 1);
    expect(await submit()).toEqual({ unknown: 'paypal did not answer' });
    expect(dispute.evidences).toEqual([]);
    expect(await submit()).toBe('done');
    expect(dispute.files).toHaveLength(2);
  });

  it.each([429, 503])('is in doubt when PayPal answers %i', async (status) => {
    paypal.fail(status, /provide-evidence/);
    expect(await submit()).toEqual({ unknown: `paypal ${status}` });
    paypal.fail(status, /GET \/v1\/customer\/disputes/);
    expect(await submit()).toEqual({ unknown: `paypal ${status}` });
    expect(await submit()).toBe('done');
  });

  it('is submitted in addition where a person submitted some and PayPal asks for more', async () => {
    dispute.evidences = [{ evidence_type: 'OTHER', source: 'SUBMITTED_BY_SELLER', notes: 'By hand.' }];
    expect(await submit()).toBe('done');
    expect(dispute.evidences).toHaveLength(3);
  });

  it('is submitted again in arbitration', async () => {
    await submit();
    Object.assign(dispute, { stage: 'PRE_ARBITRATION', status: 'WAITING_FOR_SELLER_RESPONSE' });
    expect(await submit()).toBe('done');
    expect(posted('provide-evidence')).toBe(2);
  });

  it('counts as submitted when a person responded at PayPal and the dispute is over', async () => {
    dispute.evidences = [{ evidence_type: 'OTHER', source: 'SUBMITTED_BY_SELLER', notes: 'By hand.' }];
    Object.assign(dispute, { status: 'RESOLVED', outcome: 'RESOLVED_SELLER_FAVOUR' });
    expect(await submit()).toBe('done');
    expect(posted('provide-evidence')).toBe(0);
  });

  it.each([
    ['lost', { status: 'RESOLVED', outcome: 'RESOLVED_BUYER_FAVOUR' }],
    ['won', { status: 'RESOLVED', outcome: 'RESOLVED_SELLER_FAVOUR' }],
    ['waiting for the buyer', { status: 'WAITING_FOR_BUYER_RESPONSE' }],
  ])('is refused for a dispute that is %s without any of the merchant', async (_, state) => {
    dispute.evidences = [{ evidence_type: 'OTHER', source: 'SUBMITTED_BY_BUYER', notes: statement }];
    Object.assign(dispute, state);
    expect(await submit()).toEqual({ refused: 'paypal accepts no evidence for this dispute now' });
    expect(posted('provide-evidence')).toBe(0);
  });

  it('has a response of more than 2000 characters as a PDF, and its beginning as the note, once', async () => {
    const renderLetter = async () => ({ bytes: Buffer.from('%PDF-1.7 the letter') });
    const long = { ...evidence, statement: `${'It was delivered.\n'.repeat(200)}`, renderLetter };
    expect([await submit(long), await submit(long)]).toEqual(['done', 'done']);
    expect(posted('provide-evidence')).toBe(1);
    const { notes = '', documents } = dispute.evidences.at(-1) ?? {};
    expect(notes).toMatch(/^(?:It was delivered\.\n)+\nThe whole response is in response\.pdf\.$/);
    expect(notes.length).toBeGreaterThan(1900);
    expect(notes.length).toBeLessThanOrEqual(2000);
    expect(documents).toEqual([{ name: 'receipt.pdf' }, { name: 'shipping.png' }, { name: 'response.pdf' }]);
    expect(dispute.files.at(-1)).toMatchObject({ file: 'response.pdf', content: '%PDF-1.7 the letter' });
  });

  it('has a response of 2000 characters as the note alone', async () => {
    const whole = 'a'.repeat(2000);
    expect(await submit({ ...evidence, statement: whole })).toBe('done');
    expect(dispute.evidences.at(-1)).toMatchObject({ notes: whole });
  });

  it('is refused for an app without the right, and for a dispute that does not exist', async () => {
    expect(await submit(evidence, paypal.searchOnlySecret)).toEqual({ refused: 'paypal 403' });
    expect(await portAs(paypal.clientSecret).submit?.('unknown', evidence)).toEqual({ refused: 'paypal 404' });
    expect(await portAs(paypal.clientSecret).submit?.('no/reference', evidence)).toEqual({ refused: 'paypal 404' });
  });
});

describe('a dispute at PayPal', () => {
  it('is accepted once, with a refund of the whole', async () => {
    expect([await accept(), await accept()]).toEqual(['done', 'done']);
    expect(dispute).toMatchObject({ status: 'RESOLVED', acceptedAs: 'REFUND' });
    expect(posted('accept-claim')).toBe(1);
  });

  it('counts as accepted when the answer was lost', async () => {
    paypal.fail('lost', /accept-claim/);
    expect(await accept()).toBe('done');
  });

  it('is in doubt while PayPal does not answer', async () => {
    paypal.fail('never', /accept-claim/);
    expect(await accept()).toEqual({ unknown: 'paypal did not answer' });
    expect(dispute.status).toBe('WAITING_FOR_SELLER_RESPONSE');
  });

  it('cannot be accepted after evidence was submitted, nor by an app without the right', async () => {
    expect(await accept(paypal.searchOnlySecret)).toEqual({ refused: 'paypal 403' });
    await submit();
    expect(await accept()).toEqual({ refused: 'paypal does not let this dispute be accepted now' });
  });
});
