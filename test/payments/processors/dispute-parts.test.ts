import { expect, it } from 'vitest';
import { iso, milliseconds, nowMilliseconds } from '#core/kernel/clock.ts';
import { checkoutComDisputes } from '#payments/processors/checkout-com/checkout-com-disputes-client.ts';
import { askCheckout } from '#payments/processors/checkout-com/checkout-com-exchange-client.ts';
import { payPalDisputes } from '#payments/processors/paypal/paypal-disputes-client.ts';
import { askPayPal } from '#payments/processors/paypal/paypal-exchange-client.ts';
import type { DisputesAnswer } from '#payments/processors/ports/dispute.ts';
import { readNewestPart } from '#payments/processors/ports/dispute-parts.ts';
import { startFakeCheckoutCom } from '#test/support/fake-checkout-com.ts';
import { startFakePayPal } from '#test/support/fake-paypal.ts';
import { useServer } from '#test/support/use-server.ts';

/** Lists of disputes that are longer than what is read at once: each part says where the rest ends, until all were read. */

const checkoutCom = await useServer(startFakeCheckoutCom());
const payPal = await useServer(startFakePayPal());

type Since = ((from: string, before?: string) => Promise<DisputesAnswer>) | undefined;
/** Reads parts until there is no more; returns the references and the number of parts. */
const readAll = async (since: Since, from: string): Promise<{ references: Set<string>; parts: number }> => {
  const references = new Set<string>();
  let before: string | undefined;
  for (let parts = 1; parts < 40; parts += 1) {
    const answer = await since?.(from, before);
    if (!answer || 'unknown' in answer) throw new Error(answer?.unknown ?? 'no list');
    for (const { reference } of answer.found) references.add(reference);
    if (answer.before === undefined) return { references, parts };
    expect(answer.before < (before ?? '9')).toBe(true);
    before = answer.before;
  }
  throw new Error('it does not end');
};
const [days, count] = [30, 2600];
const from = () => iso(nowMilliseconds() - (days + 1) * milliseconds.day);
const times = () =>
  Array.from({ length: count }, (_, index) => nowMilliseconds() - (index / count) * days * milliseconds.day);

it('reads more disputes of Checkout.com than it lists at once', async () => {
  const { id } = checkoutCom.payment({ minor: 1040 });
  for (const at of times()) checkoutCom.dispute(id).at = at;
  const port = checkoutComDisputes(
    askCheckout({ secret_key: checkoutCom.secretKey, base_url: checkoutCom.url } as never),
  );
  const { references, parts } = await readAll(port.since, from());
  expect([references.size, parts > 1]).toEqual([count, true]);
});

it('reads more disputes of PayPal than it lists at once', async () => {
  const { id } = payPal.capture({ minor: 1999 });
  for (const at of times()) payPal.dispute(id, { at });
  const keys = { client_id: payPal.clientId, client_secret: payPal.clientSecret, base_url: payPal.url };
  const { references, parts } = await readAll(payPalDisputes(askPayPal(keys as never)).since, from());
  expect([references.size, parts > 1]).toEqual([count, true]);
});

it('divides a period down to the least, which it reads completely', async () => {
  const asked: boolean[] = [];
  const answer = await readNewestPart(
    '2026-05-01T00:00:00.000Z',
    { before: '2026-05-09T00:00:00.000Z', least: milliseconds.day },
    async (period) => {
      asked.push(period.isLeast);
      return period.isLeast ? { found: [] } : 'more';
    },
  );
  expect([asked, answer]).toEqual([[false, false, false, true], { found: [], before: '2026-05-08T00:00:00.000Z' }]);
});
