import { toMerchantItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { putItem } from '#core/platform/table/table.ts';
import { handler as lookAtDisputes } from '#disputes/chargebacks/jobs/look-at-disputes/handler.ts';
import { lookAtDisputesWorker } from '#disputes/chargebacks/jobs/look-at-disputes/worker.ts';
import type { Tenant } from '#test/accounts/merchants/tenant.ts';
import { seedEnrolledSite } from '#test/disputes/alerts/seed.ts';
import { newShop } from '#test/payments/transactions/shop.ts';
import { runWorker } from '#test/support/operations.ts';

/** Merchants whose processors report disputes, and the worker that checks these. */

export type DisputedMerchant = { shop: Tenant; alertSite: Site; descriptor: string };

/** A merchant with a payment site and an alert site that has enrolled `descriptor`; with chargeback management, unless told otherwise. */
export const newDisputedMerchant = async (cbm = true): Promise<DisputedMerchant> => {
  const shop = await newShop();
  const merchant = { mid: shop.mid, name: 'A merchant', createdAt: nowIso() };
  await putItem(toMerchantItem({ ...merchant, profile: cbm ? { cbm: true } : {} }));
  const alertSite = await seedEnrolledSite(shop.mid, { max_daily_refunds: 1000 });
  return { shop, alertSite, descriptor: `SHOP ${alertSite.sid}` };
};

type Batch = Parameters<typeof lookAtDisputes>[0];
/** Has the worker handle messages within its grants; returns those that are to come again. */
export const lookAt = async (...bodies: object[]) => {
  const Records = bodies.map((body, index) => ({ messageId: String(index), body: JSON.stringify(body) }));
  return (await runWorker(lookAtDisputesWorker, () => lookAtDisputes({ Records } as Batch))).batchItemFailures;
};
