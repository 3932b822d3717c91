import { describe, expect, it } from 'vitest';
import { listProofs } from '#disputes/chargebacks/automatic/proofs.ts';

/** The proofs of a chargeback of 10.00 USD, by the code of its reason. A test names only the facts that its proofs read. */

type Given = Parameters<typeof listProofs>[0];
const order = (change: object) => ({ order_evidence: { order: { items: [], ...change }, ce3: { qualified: false } } });
const refund = (refunded: string, currency = 'USD') => ({ payment: { refunded, currency } });
const proofsFor = (reason_code: string, facts: object, kinds: readonly string[] = []) =>
  listProofs({
    ...{ payment: null, order_evidence: null, ...facts },
    chargeback: { reason_code, amount: '10.00', currency: 'USD', files: kinds.map((kind) => ({ kind })) },
  } as unknown as Given);

describe('the proofs of a chargeback', () => {
  it.each([
    ['13.3', 'an item list', order({ items: [{ name: 'Lamp' }] }), ['goods']],
    ['C31', 'an item list', order({ items: [{ name: 'Lamp' }] }), ['goods']],
    ['13.6', 'a refund of a cent', refund('0.01'), ['refunded']],
    ['4860', 'a refund short of a cent', refund('9.99'), ['refunded']],
    ['C02', 'a refund in another currency', refund('10.00', 'EUR'), ['refunded']],
    [
      '13.7',
      'a link to the refund policy',
      order({ links: { refund_policy: 'https://x.example' } }),
      ['refund_policy'],
    ],
  ] as const)('for %s with only %s support, and do not decide', (code, _, facts, names) => {
    expect(proofsFor(code, facts)).toEqual({ names, decisive: false });
  });

  it.each([
    ['13.3', 'a description', order({ items: [{ name: 'Lamp' }] }), ['service'], ['goods']],
    ['13.3', 'the conversation', {}, ['customer_communication'], ['conversation']],
    ['13.6', 'the whole refund', refund('10.00'), [], ['refunded']],
    ['13.6', 'more than the disputed amount refunded', refund('100.00'), [], ['refunded']],
    ['13.6', 'part refunded here and a confirmation', refund('1.00'), ['other'], ['refunded']],
    ['13.7', 'the refund policy as a file', {}, ['refund_policy'], ['refund_policy']],
    ['13.1', 'a delivery', order({ deliveries: [{ delivered_at: '2026-05-02T10:00:00.000Z' }] }), [], ['delivered']],
  ] as const)('for %s with %s decide', (code, _, facts, kinds, names) => {
    expect(proofsFor(code, facts, kinds)).toEqual({ names, decisive: true });
  });
});
