import { expect, it } from 'vitest';
import { connectHttp } from '#payments/processors/http/http-connected-client.ts';
import { readRefundResult } from '#payments/processors/http/http-messages.ts';
import { startFakeServer } from '#test/support/fake-processor.ts';

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
  [
    { status: 'refunded', refund_reference: 're_1' },
    { outcome: 'OK', reference: 're_1' },
  ],
  [
    { status: 'In Progress', refund_reference: 're_1' },
    { outcome: 'PEND', reference: 're_1' },
  ],
  [{ status: 'declined' }, { outcome: 'EXC' }],
  [{ status: 'CANCELLED' }, { outcome: 'EXC' }],
  [
    { status: 'Failure', failure: 'no funds' },
    { outcome: 'EXC', detail: 'no funds' },
  ],
  [
    { status: 'failed', failure: 51 },
    { outcome: 'EXC', detail: '51' },
  ],
  [{ status: 'failed', failure: { code: 51 } }, { outcome: 'EXC' }],
  [
    { status: 'failed', failure: 'x'.repeat(600) },
    { outcome: 'EXC', detail: 'x'.repeat(500) },
  ],
  [
    { status: 'failed', failure: '' },
    { outcome: 'EXC', detail: 'the service refused the refund' },
  ],
])('reads the answer %j of a merchant’s service to a refund', (body, expected) =>
  expect(readRefundResult(body)).toMatchObject(expected),
);

it.each([
  [{ status: 'succeeded' }, 'refund_reference is missing'],
  [{ status: 'succeeded', refund_reference: ' ' }, 'refund_reference is missing'],
  [{ status: 'error', refund_reference: 're_1' }, 'status'],
  [{ status: 'refunded?', refund_reference: 're_1' }, 'status'],
  [{ status: 'constructor', refund_reference: 're_1' }, 'status'],
  [{ status: 'succeeded', refund_reference: 1e21 }, 'refund_reference'],
  [{ refund_reference: 're_1' }, 'status is missing'],
  [{ status: true, refund_reference: 're_1' }, 'status'],
])('leaves the result of a refund unknown for %j, and names the field', (body, words) =>
  expect(readRefundResult(body)).toEqual(expect.stringContaining(words)),
);

it.each([
  [200, 'OK'],
  [201, 'OK'],
  [202, 'UNKNOWN'],
  [409, 'UNKNOWN'],
])('takes the status %i of a merchant’s service for %s', async (status, outcome) => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  const body = { status: 'succeeded', refund_reference: 're_1' };
  await using service = await startFakeServer({ answer: () => ({ status, body }), failure: () => ({}) });
  const connected = connectHttp({ base_url: service.url, secret: `whsec_${Buffer.alloc(32).toString('base64')}` });
  const money = { minor: 100n, currency: 'USD' };
  const order = {
    reference: 'ch_1',
    money,
    reason: 'fraud',
    alertId: 5,
    key: 'k',
    begunAt: '2026-05-02T10:00:00.000Z',
  } as const;
  expect(await connected.refund(order)).toMatchObject({ outcome });
  delete process.env['ALLOW_LOOPBACK_HTTP'];
});
