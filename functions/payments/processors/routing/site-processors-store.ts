import { siteVisibleTo } from '#accounts/merchants/site/site-row.ts';
import { checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { open, seal } from '#core/kernel/crypto.ts';
import { randomText } from '#core/kernel/ids.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { requireNew, requireVersion } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { ConditionFailedError, getItems, putItem } from '#core/platform/table/table.ts';
import { credentialsContext, type SiteProcessors } from './routing.ts';
import { type WantedRoute, withRoutes } from './site-processors.ts';
import { fromSiteProcessorsItem, toSiteProcessorsItem } from './site-processors-row.ts';

/** A payment site's routes. Throws site_not_found, site_not_for_payments. */
const readForCaller = async (sid: number, caller: Caller): Promise<{ mid: number; processors: SiteProcessors }> => {
  const [siteItem, item] = await getItems([keys.site(sid), keys.siteProcessors(sid)]);
  const site = siteVisibleTo(caller, siteItem);
  checkTakesPayments(site);
  return { mid: site.mid, processors: fromSiteProcessorsItem(item) };
};

export const processorsForCaller = async (sid: number, caller: Caller): Promise<SiteProcessors> =>
  (await readForCaller(sid, caller)).processors;

const idCharacters = 12;

/** Replaces a payment site's routes. Throws what processorsForCaller and withRoutes do, and changed_meanwhile. */
export const setProcessors = async (
  sid: number,
  caller: Caller,
  wanted: readonly WantedRoute[],
): Promise<{ mid: number; before: SiteProcessors; processors: SiteProcessors }> => {
  const { mid, processors: before } = await readForCaller(sid, caller);
  const ring = await keyRing('encryption');
  const after = withRoutes(before, wanted, {
    allowSandbox: optional('ALLOW_SANDBOX') === 'true',
    allowLoopbackHttp: optional('ALLOW_LOOPBACK_HTTP') === 'true',
    newId: () => `rt_${randomText(idCharacters)}`,
    seal: (id, text) => seal(ring, credentialsContext(sid, id), text),
    open: ({ id, sealed }) => JSON.parse(open(ring, credentialsContext(sid, id), sealed ?? '')),
  });
  await save(sid, before, after);
  return { mid, before, processors: after };
};

const save = async (sid: number, before: SiteProcessors, after: SiteProcessors): Promise<void> => {
  const isAsRead = before.version === 0 ? requireNew : requireVersion(before.version, 'processors');
  try {
    await putItem(toSiteProcessorsItem(sid, after), isAsRead);
  } catch (error) {
    if (!(error instanceof ConditionFailedError)) throw error;
    // A write repeated after a lost answer fails on its own condition; its sealed text is in no other version.
    const { routes, version } = fromSiteProcessorsItem(error.item);
    const sealedOf = (list: readonly { sealed: string | null }[]) => JSON.stringify(list.map((route) => route.sealed));
    if (version === after.version && sealedOf(routes) === sealedOf(after.routes)) return;
    throw new Refusal('changed_meanwhile', 'The routes were changed at the same time. Read them before you set them.');
  }
};
