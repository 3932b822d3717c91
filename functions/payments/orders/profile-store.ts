import * as v from 'valibot';
import { changeLetterhead, type Letterhead } from '#accounts/merchants/settings/letterhead.ts';
import { fromLetterheadItem, letterheadWrite } from '#accounts/merchants/settings/letterhead-row.ts';
import type { OrderProfile } from '#accounts/merchants/settings/order-profile.ts';
import { toOrderProfileItem, unchangedProfile } from '#accounts/merchants/settings/order-profile-row.ts';
import { webhookUrlRules } from '#accounts/merchants/settings/url-rules.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { seal } from '#core/kernel/crypto.ts';
import { rootUrlProblem } from '#core/kernel/webhook-url.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import { orderSiteForCaller } from './order-store.ts';
import { changedProfile } from './profile.ts';
import { type OrderSource, sourceContext, type WantedSource, withSource } from './source/order-source.ts';
import { fromOrderSourceItem, orderSourceWrite } from './source/order-source-row.ts';

type Changes = Parameters<typeof changedProfile>[1] &
  Parameters<typeof changeLetterhead>[1] & { order_source?: WantedSource | null | undefined };

/** A shop's profile, what only letters show of it, and the source of its orders. */
export type SiteProfile = { profile: OrderProfile; letterhead: Letterhead; source: OrderSource | undefined };

/** Throws site_not_found, orders_disabled. */
export const siteProfileForCaller = async (sid: number, caller: Caller): Promise<SiteProfile> => {
  const profile = await orderSiteForCaller(sid, caller);
  const [source, letterhead] = await getItems([keys.orderSource(sid), keys.letterhead(sid)]);
  return { profile, letterhead: fromLetterheadItem(letterhead, sid), source: fromOrderSourceItem(source) };
};

/**
 * Changes what is given of a shop's profile, and the source of its orders. Throws site_not_found, orders_disabled, request_invalid,
 * changed_meanwhile.
 */
export const changeProfile = (
  sid: number,
  { order_source: wanted, checkout_terms, delivery_terms, logo, ...changes }: Changes,
  caller: Caller,
): Promise<SiteProfile & { before: SiteProfile }> =>
  retryOnConflict(
    async () => {
      const before = await siteProfileForCaller(sid, caller);
      const after = changedProfile(before.profile, changes);
      if (typeof after === 'string') throw new Refusal('request_invalid', after);
      const letterhead = changeLetterhead(before.letterhead, { checkout_terms, delivery_terms, logo });
      if (typeof letterhead === 'string') throw new Refusal('request_invalid', letterhead);
      const isLetterChanged = [checkout_terms, delivery_terms, logo].some((one) => one !== undefined);
      const written = { ...after, version: before.profile.version + 1 };
      const source = wanted === undefined ? before.source : wanted && (await chosenSource(before, written, wanted));
      await transact({
        profile: { Put: { Item: toOrderProfileItem(written), ...unchangedProfile(before.profile) } },
        letterhead: isLetterChanged ? letterheadWrite(letterhead) : [],
        source: wanted === undefined ? [] : orderSourceWrite(before.source, source ?? null),
      });
      return { before, profile: written, letterhead, source: source ?? undefined };
    },
    { onExhausted: changedMeanwhile },
  );

const chosenSource = async (
  { source }: SiteProfile,
  { sid, mid, retainDays }: OrderProfile,
  wanted: WantedSource,
): Promise<OrderSource> => {
  const problem = await (wanted.kind === 'shopify' ? connectionProblem(mid, sid, wanted) : addressProblem(wanted));
  if (problem !== undefined) throw new Refusal('request_invalid', `order_source.${problem}`);
  const ring = await keyRing('encryption');
  const chosen = withSource(source, wanted, {
    place: { sid, mid, retainDays },
    at: nowIso(),
    seal: (text) => seal(ring, sourceContext(sid), text),
  });
  if (typeof chosen === 'string') throw new Refusal('request_invalid', chosen);
  return chosen;
};

/** The parts of a merchant's connections that a source needs: their rows belong to an area that is based on orders. */
const ConnectionList = v.object({
  connections: v.object({
    list: v.array(v.object({ id: v.string(), kind: v.string(), sids: v.nullable(v.array(v.number())) })),
  }),
});

/** A connection that is for other sites has the orders of another shop. */
const connectionProblem = async (mid: number, sid: number, wanted: { connection: string }) => {
  const { success, output } = v.safeParse(ConnectionList, await getItem(keys.connections(mid)));
  const list = success ? output.connections.list : [];
  const found = list.find(({ id, kind }) => id === wanted.connection && kind === 'shopify');
  if (!found) return 'connection: the merchant has no such connection to Shopify';
  return found.sids === null || found.sids.includes(sid) ? undefined : 'connection: is for other sites';
};

/** The address of a shop follows the rules of webhooks. */
const addressProblem = ({ base_url }: { base_url: string }): string | undefined => {
  const problem = rootUrlProblem(base_url, webhookUrlRules());
  return problem && `base_url: ${problem}`;
};
