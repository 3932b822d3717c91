import { beforeEach, describe, expect, it } from 'vitest';
import type { DisputeDone, DisputeEvidence, DisputePort } from '#payments/processors/ports/dispute.ts';
import { shopifyDisputes } from '#payments/processors/shopify/shopify-disputes-client.ts';
import { askShopify, type PostToShopify, shopifyPost } from '#payments/processors/shopify/shopify-exchange-client.ts';
import { startFakeShopify } from '#test/support/fake-shopify.ts';
import type { FakeShopifyDispute } from '#test/support/fake-shopify-disputes.ts';
import { useServer } from '#test/support/use-server.ts';
import { evidenceWith, killAfter, parcel, receipt } from './dispute-evidence.ts';

/** The response to disputes of Shopify Payments. */

const shopify = await useServer(startFakeShopify());

let dispute: FakeShopifyDispute;
beforeEach(() => {
  dispute = shopify.dispute(shopify.sell({ minor: 6400 }).id);
  shopify.requests.splice(0);
});

type Kill = (post: PostToShopify) => PostToShopify;

/** `kill`: changes how requests are sent. */
const portAs = (client_secret: string, kill: Kill = (post) => post): DisputePort => {
  const keys = { shop: 'tea.myshopify.com', client_id: shopify.clientId, client_secret, base_url: shopify.url };
  const post = kill(shopifyPost(keys));
  return shopifyDisputes(askShopify(keys, post), post);
};
const statement = 'The parcel was delivered to the cardholder.\n\n1. It was signed for.';
const evidence = evidenceWith({
  accessLog: 'the customer signed in',
  statement,
});
const submit = (told: DisputeEvidence = evidence, port = portAs(shopify.clientSecret)) =>
  port.submit?.(dispute.id, told);

/** Submits the evidence in a process that ends before the request after so many. */
const submitUntilKilled = (calls: number): Promise<DisputeDone> | undefined => {
  return submit(
    evidence,
    portAs(shopify.clientSecret, (post) => killAfter(calls, post)),
  );
};
const submissions = (): number => shopify.requests.filter(({ body }) => body.includes('"submitEvidence":true')).length;
const attached = (category: string): object => {
  const { id } = dispute.uploads.find((one) => one.document_type === category) ?? {};
  return { id: `gid://shopify/ShopifyPaymentsDisputeFileUpload/${id}`, destroy: false };
};

describe('evidence at Shopify', () => {
  it('is submitted with the response, the log and the files by category', async () => {
    expect(await submit()).toBe('done');
    expect(dispute.uploads).toMatchObject([
      { document_type: 'uncategorized_file', mimetype: 'application/pdf', data: receipt.bytes.toString('base64') },
      { document_type: 'shipping_documentation_file', mimetype: 'image/png', data: parcel.bytes.toString('base64') },
    ]);
    expect(dispute.evidence).toEqual({
      customerEmailAddress: 'jenny.rosen@example.com',
      accessActivityLog: 'the customer signed in',
      uncategorizedText: statement,
      uncategorizedFile: attached('uncategorized_file'),
      shippingDocumentationFile: attached('shipping_documentation_file'),
    });
    expect(dispute).toMatchObject({ isSubmitted: true, status: 'UNDER_REVIEW' });
  });

  it('is submitted once', async () => {
    expect([await submit(), await submit()]).toEqual(['done', 'done']);
    expect(submissions()).toBe(1);
    expect(dispute.uploads).toHaveLength(2);
  });

  it.each(['lost', 'cut', 'done500'] as const)('counts as submitted when the answer was %s', async (fault) => {
    shopify.fail(fault, /UpdateEvidence/, 1);
    expect(await submit()).toBe('done');
    expect(submissions()).toBe(1);
  });

  it.each([
    ['before it read the dispute', 0],
    ['before it sent a file', 1],
    ['between two files', 2],
    ['before it submitted', 3],
    ['after it submitted', 4],
  ])('is submitted once when the process was killed %s', async (_, calls) => {
    shopify.fail('lost', /UpdateEvidence/, 1);
    await expect(submitUntilKilled(calls)).rejects.toThrow('killed');
    expect(await submit()).toBe('done');
    expect(submissions()).toBe(1);
    expect(dispute.uploads).toHaveLength(2);
  });

  it.each([429, 503])('is in doubt when Shopify answers %i', async (status) => {
    for (const name of [/DisputeEvidence/, /dispute_file_uploads/, /UpdateEvidence/]) {
      shopify.fail(status, name);
      expect(await submit()).toEqual({ unknown: `shopify ${status}` });
    }
    expect(await submit()).toBe('done');
    expect(dispute.uploads).toHaveLength(2);
  });

  it('uses a file again whose answer was lost', async () => {
    shopify.fail('lost', /dispute_file_uploads/, 1);
    expect(await submit()).toEqual({ unknown: 'shopify did not answer' });
    expect(await submit()).toBe('done');
    expect(dispute.uploads).toHaveLength(2);
  });

  it('has only the new file when a file was replaced between two tries, and leaves files of a person alone', async () => {
    shopify.fail('never', /UpdateEvidence/, 1);
    expect(await submit()).toEqual({ unknown: 'shopify did not answer' });
    const byHand = { document_type: 'uncategorized_file', filename: 'by-hand.pdf', mimetype: 'application/pdf' };
    dispute.uploads.push({ ...byHand, id: '77', data: '' });
    const replaced = { ...parcel, bytes: Buffer.from('another parcel') };
    expect(await submit({ ...evidence, files: [receipt, replaced] })).toBe('done');
    expect(dispute.uploads).toMatchObject([
      { document_type: 'uncategorized_file', data: receipt.bytes.toString('base64') },
      { filename: 'by-hand.pdf' },
      { document_type: 'shipping_documentation_file', data: replaced.bytes.toString('base64') },
    ]);
    expect(dispute.evidence['shippingDocumentationFile']).toEqual(attached('shipping_documentation_file'));
  });

  it('is not reported as submitted when Shopify only saved it, until a person submits it', async () => {
    dispute.ignoresSubmission = true;
    expect(await submit()).toEqual({
      refused: 'shopify saved the evidence without submitting it: submit it in the admin of the shop',
    });
    Object.assign(dispute, { isSubmitted: true, status: 'UNDER_REVIEW' });
    expect(await submit()).toBe('done');
    expect(submissions()).toBe(1);
  });

  it('is not reported as submitted when a person or Shopify submitted other evidence', async () => {
    Object.assign(dispute, { isSubmitted: true, status: 'LOST' });
    expect(await submit()).toEqual({ refused: 'other evidence was submitted for this dispute at shopify' });
    expect(submissions()).toBe(0);
  });

  it('of an inquiry does not answer the chargeback that it became, with the same text or another', async () => {
    for (const told of [evidence, { ...evidence, statement: 'The parcel was signed for.' }]) {
      Object.assign(dispute, { type: 'INQUIRY', isSubmitted: true, status: 'UNDER_REVIEW' });
      dispute.evidence['uncategorizedText'] = statement;
      Object.assign(dispute, { type: 'CHARGEBACK', status: 'NEEDS_RESPONSE' });
      shopify.fail('lost', /UpdateEvidence/, 1);
      expect(await submit(told)).toBe('done');
      expect(dispute).toMatchObject({ status: 'UNDER_REVIEW', evidence: { uncategorizedText: told.statement } });
    }
    expect(submissions()).toBe(2);
    Object.assign(dispute, { status: 'NEEDS_RESPONSE', ignoresSubmission: true });
    expect(await submit()).toMatchObject({ refused: expect.stringContaining('without submitting it') });
    shopify.fail('never', /UpdateEvidence/, 1);
    expect(await submit()).toEqual({ unknown: 'shopify did not answer' });
  });

  it.each(['UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'CHARGE_REFUNDED'])(
    'is refused for a dispute that is %s without evidence',
    async (status) => {
      dispute.status = status;
      expect(await submit()).toEqual({ refused: 'shopify accepts no evidence for this dispute now' });
      expect(dispute.uploads).toEqual([]);
    },
  );

  it('is refused with the code of Shopify', async () => {
    const kill: Kill = (post) => async (path, body, isRepeatable) => {
      const answer = await post(path, body, isRepeatable);
      dispute.status = 'LOST';
      return answer;
    };
    expect(await submit({ ...evidence, files: [] }, portAs(shopify.clientSecret, kill))).toEqual({
      refused: 'shopify EVIDENCE_PAST_DUE_DATE',
    });
  });

  it('is refused for files of 4 MB in total, and for two files of one category', async () => {
    const half = { ...receipt, bytes: Buffer.alloc(2_000_000) };
    expect(await submit({ ...evidence, files: [half, { ...half, kind: 'shipping' }] })).toEqual({
      refused: 'shopify accepts files of less than 4 MB in total',
    });
    expect(await submit({ ...evidence, files: [receipt, { ...receipt, kind: 'signature' }] })).toEqual({
      refused: 'shopify has one place for files of the kinds receipt, signature: combine them in one file',
    });
    expect(shopify.requests).toEqual([]);
  });

  it('is refused for an app without the scopes, and for a dispute that does not exist', async () => {
    expect(await submit(evidence, portAs(shopify.readOnlySecret))).toEqual({ refused: 'shopify 403' });
    const port = portAs(shopify.clientSecret);
    expect(await port.submit?.('404', evidence)).toEqual({ refused: 'shopify 404' });
    expect(await port.submit?.('no reference', evidence)).toEqual({ refused: 'shopify 404' });
  });
});

describe('a dispute at Shopify', () => {
  it('cannot be accepted from here', () => {
    expect(portAs(shopify.clientSecret).accept).toBeUndefined();
  });
});
