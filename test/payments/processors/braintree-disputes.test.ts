import { beforeEach, describe, expect, it } from 'vitest';
import { braintreeDisputes } from '#payments/processors/braintree/braintree-disputes-client.ts';
import { type BraintreeMemory, braintreeMemory } from '#payments/processors/braintree/braintree-evidence-client.ts';
import type { DisputeDone, DisputeEvidence } from '#payments/processors/ports/dispute.ts';
import { startFakeBraintree } from '#test/support/fake-braintree.ts';
import { useTable } from '#test/support/table.ts';
import { useServer } from '#test/support/use-server.ts';
import { evidenceWith, parcel, receipt } from './dispute-evidence.ts';

/** The response to disputes of a Braintree account. */

useTable();

const braintree = await useServer(startFakeBraintree());
braintree.settlesAtOnce = true;

let dispute: Record<string, unknown>;
beforeEach(() => {
  const { id } = braintree.charge({ minor: 6400, number: '4111111111111111' });
  dispute = braintree.dispute(id, 'OPEN');
  braintree.requests.splice(0);
});

const memoryOfTable = braintreeMemory('braintree-disputes');
const portAs = (public_key: string, memory: BraintreeMemory = memoryOfTable) => {
  const { privateKey: private_key, url: base_url } = braintree;
  return braintreeDisputes({ public_key, private_key, environment: 'test', base_url }, memory);
};
const evidence = evidenceWith({});
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
    ['a file', /CreateDisputeFileEvidence/],
    ['a text', /CreateDisputeTextEvidence/],
    ['finalizing', /FinalizeDispute/],
  ])('is submitted once when the answer to %s was lost', async (_, document) => {
    braintree.fail('lost', document, 1);
    expect(await submit()).toBe('done');
    expect(sentTo()).toMatchObject([...files, ...texts]);
    expect(sentTo()).toHaveLength(7);
    expect(dispute['status']).toBe('DISPUTED');
  });

  it.each([
    ['before it added anything', 0, 7],
    ['before it recorded the first file, which is then attached twice', 1, 8],
    ['before it recorded a text', 4, 7],
  ])('is submitted by the next call when a process ended %s', async (_, records, pieces) => {
    let left = records;
    const killed: BraintreeMemory = {
      find: memoryOfTable.find,
      keep: (id, name) => {
        left -= 1;
        return left <= 0 ? Promise.reject(new Error('killed')) : memoryOfTable.keep(id, name);
      },
    };
    if (records === 0) braintree.fail('never', /CreateDisputeFileEvidence/, 1);
    await portAs(braintree.publicKey, killed)
      .submit?.(String(dispute['legacyId']), evidence)
      ?.catch(() => undefined);
    expect(dispute['status']).toBe('OPEN');
    expect(await submit()).toBe('done');
    expect(sentTo()).toHaveLength(pieces);
  });

  it('keeps what a person added in the control panel', async () => {
    const note = { __typename: 'DisputeTextEvidence', id: 'by-hand', category: 'GENERAL', content: 'A note by hand.' };
    const picture = { __typename: 'DisputeFileEvidence', id: 'by-hand-2', category: 'GENERAL' };
    dispute['evidence'] = [note, picture];
    expect(await submit()).toBe('done');
    expect(sentTo()).toMatchObject([note, picture, ...files, ...texts]);
  });

  it('is not submitted again when a person finalized the dispute in the control panel', async () => {
    dispute['status'] = 'UNDER_REVIEW';
    expect(await submit()).toBe('done');
    expect(sentTo()).toBeUndefined();
  });

  it.each(['WON', 'LOST'])('is refused for a dispute that is %s without evidence', async (status) => {
    dispute['status'] = status;
    expect(await submit()).toEqual({ refused: 'braintree accepts no evidence for this dispute now' });
  });

  it.each(['WON', 'LOST'])('counts as submitted for a dispute that was disputed and is %s', async (status) => {
    await submit();
    dispute['status'] = status;
    expect(await submit()).toBe('done');
    expect(sentTo()).toHaveLength(7);
  });

  it('of an inquiry does not answer the dispute that is open again, also if its end failed', async () => {
    await submit();
    dispute['status'] = 'OPEN';
    braintree.fail('never', /FinalizeDispute/, 1);
    expect(await submit()).not.toBe('done');
    expect([await submit(), dispute['status']]).toEqual(['done', 'DISPUTED']);
  });

  it('has the file that was added after Braintree refused to finalize the dispute', async () => {
    braintree.fail('never', /FinalizeDispute/, 1);
    await submit({ ...evidence, files: [receipt] });
    expect(await submit()).toBe('done');
    expect(sentTo()).toHaveLength(7);
    expect(sentTo()).toEqual(expect.arrayContaining(files.map((file) => expect.objectContaining(file))));
  });

  it('has only the present response and files when these were changed after a try that did not finalize the dispute', async () => {
    braintree.fail('never', /FinalizeDispute/, 1);
    await submit();
    const another = { ...receipt, bytes: Buffer.from('%PDF-1.7 another receipt') };
    const statement = 'The cardholder signed for the parcel.';
    expect(await submit({ ...evidence, statement, files: [another, parcel] })).toBe('done');
    expect(sentTo()).toHaveLength(7);
    expect(sentTo()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ category: 'GENERAL', content: statement }),
        expect.objectContaining({ file: expect.objectContaining({ content: '%PDF-1.7 another receipt' }) }),
      ]),
    );
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
    expect(await submit()).toEqual({ refused: 'braintree accepts no evidence for this dispute now' });
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
