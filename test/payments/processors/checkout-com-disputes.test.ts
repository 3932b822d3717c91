import { beforeEach, describe, expect, it } from 'vitest';
import { checkoutComDisputes } from '#payments/processors/checkout-com/checkout-com-disputes-client.ts';
import { type AskCheckoutCom, askCheckout } from '#payments/processors/checkout-com/checkout-com-exchange-client.ts';
import type { DisputeDone, DisputeEvidence } from '#payments/processors/ports/dispute.ts';
import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import type { FakeCheckoutComDispute } from '#test/support/fake-checkout-com-disputes.ts';
import { useServer } from '#test/support/use-server.ts';
import { evidenceWith, killAfter, parcel } from './dispute-evidence.ts';

/** The response to disputes of an account at Checkout.com. */

const checkout = await useServer(startFakeCheckoutCom());

let dispute: FakeCheckoutComDispute;
beforeEach(() => {
  checkout.mend();
  checkout.files.clear();
  dispute = checkout.dispute(checkout.payment({ minor: 6400 }).id);
  checkout.requests.splice(0);
});

const askAs = (secret_key: string): AskCheckoutCom =>
  askCheckout({ secret_key, prefix: '12345678', base_url: checkout.url });
const aFile = <K extends DisputeEvidence['files'][number]['kind']>(kind: K) => ({
  kind,
  name: `${kind}.pdf`,
  type: 'application/pdf' as const,
  bytes: Buffer.from(`%PDF-1.7 ${kind}`),
});
const evidence = evidenceWith({
  statement: 'The parcel was delivered to the cardholder. '.repeat(20),
  files: [aFile('receipt'), parcel, aFile('signature'), aFile('other')],
  renderLetter: async (files) => ({
    bytes: Buffer.from(`%PDF-1.7 the letter, ${files.map(({ name }) => name).join(', ')}`),
  }),
});
const submit = (told: DisputeEvidence = evidence, secret = checkout.secretKey): Promise<DisputeDone> | undefined =>
  checkoutComDisputes(askAs(secret)).submit?.(dispute.id, told);
/** Submits the evidence in a process that ends before the request after so many. */
const submitUntilKilled = (calls: number): Promise<DisputeDone> | undefined => {
  const killed = killAfter(calls, askAs(checkout.secretKey));
  return checkoutComDisputes(killed).submit?.(dispute.id, evidence);
};
const accept = (): Promise<DisputeDone> | undefined =>
  checkoutComDisputes(askAs(checkout.secretKey)).accept?.(dispute.id, 'accept-1');
/** The submitted evidence, with the content of the files in place of their ids. */
const submitted = (): Record<string, string> | null =>
  dispute.submitted &&
  Object.fromEntries(
    Object.entries(dispute.submitted).map(([name, value]) => [name, checkout.files.get(value)?.content ?? value]),
  );
const posted = (path: RegExp): number =>
  checkout.requests.filter((request) => request.method === 'POST' && path.test(request.path)).length;
const whole = {
  additional_evidence_file: '%PDF-1.7 the letter, signature.pdf, other.pdf',
  invoice_or_receipt_file: '%PDF-1.7 receipt',
  proof_of_delivery_or_service_file: 'a parcel',
  proof_of_delivery_or_service_text: 'UPS, tracking number 1Z999, shipped 2026-05-01',
};

describe('evidence at Checkout.com', () => {
  it('is submitted as one file in each field, with the response and further files in the additional evidence', async () => {
    expect(await submit()).toBe('done');
    expect(submitted()).toEqual(whole);
    expect(dispute.status).toBe('evidence_under_review');
  });

  it('is submitted once', async () => {
    expect([await submit(), await submit()]).toEqual(['done', 'done']);
    expect(posted(/evidence$/)).toBe(1);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    'is submitted whole by the next call when a process ended after %s requests',
    async (calls) => {
      await expect(submitUntilKilled(calls)).rejects.toThrow('killed');
      expect(submitted()).toBeNull();
      expect(await submit()).toBe('done');
      expect(submitted()).toEqual(whole);
    },
  );

  it.each([
    ['an upload', /POST \/files/],
    ['saving', /PUT/],
    ['the submission', /POST .*evidence/],
  ])('is reported as submitted after the answer to %s was lost, and submitted once', async (_, request) => {
    checkout.fail('lost', request);
    await submit();
    expect(await submit()).toBe('done');
    expect(submitted()).toEqual(whole);
    expect(dispute.status).toBe('evidence_under_review');
  });

  it('is saved again when a file was replaced after a try that did not submit it', async () => {
    await expect(submitUntilKilled(5)).rejects.toThrow('killed');
    expect(await submit({ ...evidence, files: [{ ...aFile('receipt'), bytes: Buffer.from('another receipt') }] })).toBe(
      'done',
    );
    expect(submitted()).toMatchObject({ invoice_or_receipt_file: 'another receipt' });
  });

  it('counts as submitted when a person submitted it and the dispute was decided', async () => {
    await submit();
    for (const status of ['won', 'lost']) {
      dispute.status = status;
      expect(await submit()).toBe('done');
    }
    expect(posted(/evidence$/)).toBe(1);
  });

  it.each(['won', 'lost', 'expired', 'accepted', 'canceled', 'resolved', 'arbitration_lost'])(
    'is refused for a dispute that is %s without evidence',
    async (status) => {
      dispute.status = status;
      expect(await submit()).toEqual({ refused: 'checkout.com accepts no evidence for this dispute now' });
      expect(checkout.files.size).toBe(0);
    },
  );

  it('is refused for a file of more than 4 MB and for one that cannot be read, and nothing is uploaded', async () => {
    const large = { ...aFile('receipt'), bytes: Buffer.alloc(4_000_001) };
    expect(await submit({ ...evidence, files: [large] })).toEqual({
      refused: 'checkout.com accepts files of up to 4 MB, and receipt.pdf is larger',
    });
    const refusal = { refused: 'other.pdf cannot be made part of a PDF.', isOurs: true } as const;
    const renderLetter = async () => refusal;
    expect(await submit({ ...evidence, renderLetter })).toEqual(refusal);
    expect(checkout.files.size).toBe(0);
  });

  it('is refused for a key without the right and for a dispute that does not exist', async () => {
    expect(await submit(evidence, checkout.readOnlyKey)).toEqual({ refused: 'checkout.com 403' });
    const port = checkoutComDisputes(askAs(checkout.secretKey));
    expect(await port.submit?.('dsp_unknown', evidence)).toEqual({ refused: 'checkout.com 404' });
    expect(await port.submit?.('../payments', evidence)).toEqual({ refused: 'checkout.com 404' });
  });

  it.each([429, 500])('is in doubt while Checkout.com answers %s, and is submitted later', async (status) => {
    for (const request of [/GET \/disputes/, /POST \/files/, /PUT/, /POST .*evidence/]) {
      checkout.fail(status, request);
      expect(await submit()).toEqual({ unknown: `checkout.com ${status}` });
    }
    expect(submitted()).toBeNull();
    expect(await submit()).toBe('done');
  });
});

describe('a dispute at Checkout.com', () => {
  it('is accepted once', async () => {
    expect([await accept(), await accept()]).toEqual(['done', 'done']);
    expect(dispute.status).toBe('accepted');
    expect(posted(/accept$/)).toBe(1);
  });

  it('counts as accepted when the answer was lost', async () => {
    checkout.fail('lost', /accept/);
    expect(await accept()).toBe('done');
  });

  it('is in arbitration, under review, once evidence was submitted for that', async () => {
    dispute.status = 'arb_evidence_submitted';
    expect(await checkoutComDisputes(askAs(checkout.secretKey)).look(dispute.id)).toMatchObject({
      found: { stage: 'arbitration', status: 'under_review' },
    });
  });

  it('cannot be accepted after evidence was submitted', async () => {
    await submit();
    expect(await accept()).toEqual({ refused: 'checkout.com 403' });
  });
});
