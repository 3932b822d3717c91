import { expect, it } from 'vitest';
import { nowIso } from '#core/kernel/clock.ts';
import { connectNmi } from '#payments/processors/nmi/nmi-connected-client.ts';
import type { ChargeRefundRequest } from '#payments/processors/ports/connected-processor.ts';
import { startFakeNmi } from '#test/support/fake-nmi.ts';

/** NMI knows no keys: an order under a refund's own name with an unknown end is neither refused nor tried again. */
it('leaves a refund unknown of which NMI does not say what became of it', async () => {
  await using nmi = await startFakeNmi();
  const connected = connectNmi({
    security_key: nmi.securityKey,
    environment: 'test',
    base_url: nmi.url,
  });
  const { id: reference } = nmi.charge({ minor: 2000, number: '4111111111111111', condition: 'complete' });
  const request: ChargeRefundRequest = {
    ...{ reference, money: { minor: 2000n, currency: 'USD' }, key: 'fw-alert-1-1', begunAt: nowIso() },
    ...{ reason: 'dispute', alertId: 1 },
  };
  expect(await connected.refund(request)).toMatchObject({ outcome: 'OK' });
  const made = [...nmi.records.values()].find(({ originalId }) => originalId === reference);
  if (!made) throw new Error('There is no refund');
  made.condition = 'unknown';
  for (const action of made.actions) action.isSuccess = false;
  expect(await connected.refund(request)).toMatchObject({ outcome: 'UNKNOWN' });
  expect(await connected.refundState(request)).toMatchObject({ outcome: 'UNKNOWN' });
  expect(nmi.performed.refund).toBe(1);
});
