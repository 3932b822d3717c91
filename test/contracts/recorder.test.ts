import { describe, expect, it } from 'vitest';
import type { FakeReply, FakeRequest } from '#test/support/fake-processor.ts';
import { contracts } from './contracts.ts';
import { exchangeProblems } from './recorder.ts';

/** The comparison itself: one unknown field, one value that is not published, one wrong header. */

type Case = [vendor: string, request: Omit<FakeRequest, 'query'>, reply: FakeReply];
const json = { 'content-type': 'application/json' };
const captured = { merchantAccount: 'Shop', reference: 'r', amount: { currency: 'USD', value: 5 } };
const psp = 'ABCDEFGH12345678';
const cases: readonly Case[] = [
  [
    'adyen',
    {
      ...{ method: 'POST', path: `/v71/payments/${psp}/captures`, body: JSON.stringify(captured) },
      headers: { ...json, 'x-api-key': 'k', 'idempotency-key': 'i' },
    },
    { status: 201, body: { ...captured, pspReference: psp, paymentPspReference: psp, status: 'received' } },
  ],
  [
    'stripe',
    {
      ...{ method: 'POST', path: '/v1/payment_intents/pi_1/capture', body: 'amount_to_capture=500' },
      headers: {
        ...{ authorization: 'Bearer sk', 'stripe-version': '2026-10-28.endive', 'idempotency-key': 'i' },
        'content-type': 'application/x-www-form-urlencoded',
      },
    },
    {
      status: 200,
      body: {
        ...{ id: 'pi_1', object: 'payment_intent', amount: 500, currency: 'usd', created: 1, metadata: {} },
        status: 'succeeded',
      },
    },
  ],
  [
    'paypal',
    {
      ...{
        method: 'POST',
        path: '/v1/customer/disputes/PP-1/accept-claim',
        headers: { ...json, authorization: 'Bearer t' },
      },
      body: JSON.stringify({ note: 'n', accept_claim_type: 'REFUND' }),
    },
    { status: 200, body: { links: [{ href: 'https://api-m.paypal.com/x', rel: 'self', method: 'GET' }] } },
  ],
];

describe.each(cases)('the contract of %s', (vendor, request, reply) => {
  const contract = contracts[vendor];
  if (!contract) throw new Error(`no contract of ${vendor}`);
  const problems = (change: Partial<FakeRequest> = {}, answer = reply) =>
    exchangeProblems(vendor, contract, { query: new URLSearchParams(), ...request, ...change }, answer);
  const stray = request.body.startsWith('{')
    ? JSON.stringify({ ...JSON.parse(request.body), stray: 1 })
    : `${request.body}&stray=1`;

  it('admits a call as it is published', () => expect(problems()).toEqual([]));

  it.each<[string, Partial<FakeRequest>, FakeReply, RegExp]>([
    ['an unknown field of a request', { body: stray }, reply, /stray/],
    ['an unknown parameter', { query: new URLSearchParams({ stray: '1' }) }, reply, /query/],
    ['a missing header', { headers: {} }, reply, /header/],
    ['an unknown call', { path: '/v9/elsewhere' }, reply, /no published call/],
    ['an answer without a required field', {}, { ...reply, body: {} }, /answer/],
    ['an answer of an unpublished status', {}, { ...reply, status: 418, body: {} }, /answer 418/],
  ])('refuses %s', (_, change, answer, words) => {
    expect(problems(change, answer)).toContainEqual(expect.stringMatching(words));
  });

  it('names its source and when it was compared', () => {
    expect(contract.source).toMatch(/https:\/\//);
    expect(contract.date).toMatch(/^20\d\d-\d\d-\d\d$/);
  });
});

it('refuses a value that is not in a published list', () => {
  const [, request, reply] = cases[1] as Case;
  const contract = contracts['stripe'] as NonNullable<(typeof contracts)[string]>;
  const answer = { ...reply, body: { ...(reply.body as object), status: 'paid' } };
  const found = exchangeProblems('stripe', contract, { query: new URLSearchParams(), ...request }, answer);
  expect(found).toContainEqual(expect.stringContaining('/status'));
});
