import { expect, it } from 'vitest';
import { readRefundResult } from '#payments/processors/http/http-messages.ts';

it.each([
  [
    { status: 'succeeded', refund_reference: 98_765 },
    { outcome: 'OK', reference: '98765' },
  ],
  [
    { status: 'SUCCEEDED', refund_reference: 're_1' },
    { outcome: 'OK', reference: 're_1' },
  ],
  [
    { status: ' Completed ', refund_reference: 're_1' },
    { outcome: 'OK', reference: 're_1' },
  ],
  [
    { status: 'Success', refund_reference: 0 },
    { outcome: 'OK', reference: '0' },
  ],
  [
    { status: 'PROCESSING', refund_reference: 're_1' },
    { outcome: 'PEND', reference: 're_1' },
  ],
  [{ status: 'Failure', failure: 'no funds' }, { outcome: 'EXC' }],
])('reads the answer %j of a merchant’s service to a refund', (body, expected) =>
  expect(readRefundResult(body)).toMatchObject(expected),
);

it.each([
  [{ status: 'succeeded' }, 'refund_reference is missing'],
  [{ status: 'refunded?', refund_reference: 're_1' }, 'status'],
  [{ status: 'constructor', refund_reference: 're_1' }, 'status'],
  [{ status: 'succeeded', refund_reference: 1e21 }, 'refund_reference'],
  [{ refund_reference: 're_1' }, 'status is missing'],
  [{ status: true, refund_reference: 're_1' }, 'status'],
])('leaves the result of a refund unknown for %j, and names the field', (body, words) =>
  expect(readRefundResult(body)).toEqual(expect.stringContaining(words)),
);
