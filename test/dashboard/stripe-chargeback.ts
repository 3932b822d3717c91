import { expect } from 'vitest';
import { transact } from '#core/platform/table/table.ts';
import { chargebackAfter } from '#disputes/chargebacks/chargeback.ts';
import { chargebackWrite } from '#disputes/chargebacks/chargeback-row.ts';
import type { FakeStripe } from '#test/support/fake-stripe.ts';
import type { TestStack } from '#test/support/stack.ts';

/** Has the demo merchant's payments go to Stripe, and one of them charged back. Returns the chargeback's id and Stripe's name for it. */
export const makeStripeChargeback = async (service: TestStack, stripe: FakeStripe) => {
  const { sid } = service.credentials.payment_site;
  const credentials = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret, base_url: stripe.url };
  const set = await service.call(`/api/v3/site/${sid}/processors`, {
    token: await service.tokenOf('merchant'),
    body: { routes: [{ processor: 'stripe', credentials }] },
  });
  expect(set.status, set.text).toBe(200);
  const [route] = set.body['routes'] as { id: string }[];
  const dispute = stripe.disputes.open({ id: 'pi_1', amount: 21_800, currency: 'usd' });
  const at = service.clock.now().toISOString();
  const place = { sid, processor: 'stripe', routeId: route?.id ?? '', reference: dispute.id } as const;
  const { chargeback } = chargebackAfter(
    undefined,
    place,
    {
      ...({ reference: dispute.id, payments: ['pi_1'], stage: 'chargeback', status: 'open', isTaken: true } as const),
      ...{ money: { minor: 21_800n, currency: 'USD' }, reasonCode: '13.1', network: 'visa', openedAt: at },
      dueBy: new Date(Date.parse(at) + 7 * 86_400_000).toISOString(),
    },
    { mid: service.credentials.site.mid, txid: null, alertId: null },
    at,
  );
  await transact({ row: chargebackWrite({ ...chargeback, nextLookAt: null }) });
  return { id: chargeback.id, disputeId: dispute.id };
};
