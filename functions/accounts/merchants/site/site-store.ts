import { nowIso } from '#core/kernel/clock.ts';
import { type KeyRing, open } from '#core/kernel/crypto.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { changedRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { nextNumber } from '#core/platform/table/number-store.ts';
import { getItem, getItems, tryTransact, type Write } from '#core/platform/table/table.ts';
import { givenFields, type Merchant, type Retailer } from '../merchant/merchant.ts';
import { firstOrderProfileWrites } from '../settings/order-profile-row.ts';
import { type ChatUrls, rotateSecret, type SealedSecret, type Site, sealContext, validAt } from './site.ts';
import { fromSiteItem, siteVisibleTo, toRcodeItem, toSiteItem } from './site-row.ts';
import { type Fresh, freshRcode, freshSigningSecret } from './site-secrets.ts';

/** A site by its number; undefined if there is none. */
export const getSite = async (sid: number): Promise<Site | undefined> => {
  const item = await getItem(keys.site(sid));
  return item && fromSiteItem(item);
};

/** Throws site_not_found if there is none, or the caller may not see it. */
export const siteForCaller = async (sid: number, caller: Caller): Promise<Site> =>
  siteVisibleTo(caller, await getItem(keys.site(sid)));

/** A site's secrets that are valid at a time (ISO), in the clear, newest first. */
export const openSecrets = async (
  site: Site,
  at: string,
): Promise<{ rcodes: string[]; signingSecrets: string[]; token: string | null; chatUrls: ChatUrls }> => {
  const ring = await keyRing('encryption');
  const openAll = (secrets: readonly SealedSecret[], context: string) =>
    validAt(secrets, at).map(({ sealed }) => open(ring, context, sealed));
  const [token = null] = site.alert?.token ? openAll([site.alert.token], sealContext.token(site.sid)) : [];
  const chatUrl = (name: 'slack_webhook_url' | 'teams_webhook_url'): string | null => {
    const kept = site.alert?.[name];
    return kept ? open(ring, sealContext.chat(site.sid, name), kept.sealed) : null;
  };
  return {
    rcodes: openAll(site.rcodes, sealContext.rcode(site.sid)),
    signingSecrets: openAll(site.signingSecrets, sealContext.signingSecret(site.sid)),
    token,
    chatUrls: { slack: chatUrl('slack_webhook_url'), teams: chatUrl('teams_webhook_url') },
  };
};

/**
 * Returns the valid rcodes of a site. If there is no site, the same work is done for an unknown rcode, so that the time an answer takes
 * does not reveal which sites exist.
 */
export const openRcodes = async (site: Site | undefined, at: string): Promise<string[]> => {
  const ring = await keyRing('encryption');
  const sid = site?.sid ?? 0;
  const sealed = site ? validAt(site.rcodes, at) : [freshRcode(ring, sid).kept];
  return sealed.map((one) => open(ring, sealContext.rcode(sid), one.sealed));
};

export type SiteWithSecrets = { site: Site; rcode: string; signingSecret: string };
type NewSite = { name: string } & Readonly<Record<string, string | number | undefined>>;

/** A new site with its own number, and its secrets in the clear; nothing is written yet. */
export const newSite = async (
  { merchant, retailer }: { merchant: Merchant; retailer: Retailer },
  { name, ...fields }: NewSite,
): Promise<SiteWithSecrets> => {
  const [sid, ring, at] = [await nextNumber('sid'), await keyRing('encryption'), nowIso()];
  const rcode = freshRcode(ring, sid);
  const signingSecret = freshSigningSecret(ring, sid);
  const { currency } = retailer.profile;
  const site: Site = {
    sid,
    mid: merchant.mid,
    rid: retailer.rid,
    name,
    merchantName: merchant.name,
    retailerName: retailer.name,
    createdAt: at,
    type: null,
    profile: { ...(currency !== undefined && { currency }), ...givenFields(fields) },
    alert: null,
    payment: null,
    threeDs: null,
    rcodes: [rcode.kept],
    signingSecrets: [signingSecret.kept],
    version: 1,
  };
  return { site, rcode: rcode.text, signingSecret: signingSecret.text };
};

/** The parts of a transaction that write a new site. Nothing else has its number and rcode, so no condition is needed. */
export const newSiteWrites = (merchant: Merchant, site: Site): Write[] => [
  ...[toSiteItem(site), ...site.rcodes.map((rcode) => toRcodeItem(site, rcode))].map((Item) => ({ Put: { Item } })),
  ...firstOrderProfileWrites(merchant, site),
];

/** Makes a site without a type. The rcode and the signing secret are in the clear only this once. */
export const createSite = async (
  parents: { merchant: Merchant; retailer: Retailer },
  fields: NewSite,
  claim?: KeyClaim,
): Promise<SiteWithSecrets> => {
  const made = await newSite(parents, fields);
  const conflict = await tryTransact({
    site: newSiteWrites(parents.merchant, made.site),
    key: claim?.write(made.site.sid),
  });
  if (conflict) throw claim?.overtaken() ?? conflict;
  return made;
};

/** A site that an interrupted call has made, with its secrets. */
export const siteMade = async (sid: number): Promise<SiteWithSecrets> => {
  // By the call that its function is granted.
  const [item] = await getItems([keys.site(sid)]);
  if (!item) throw new Error(`The site ${sid} is gone`);
  const site = fromSiteItem(item);
  const { rcodes, signingSecrets } = await openSecrets(site, nowIso());
  const [[rcode], [signingSecret]] = [rcodes, signingSecrets];
  if (rcode === undefined || signingSecret === undefined) throw new Error(`Site ${sid} has no secrets`);
  return { site, rcode, signingSecret };
};

/** The writes that take a site from one state to the next: the site and the rows of its rcodes. */
const siteWrites = (before: Site, after: Site, at: string) => {
  const kept = new Map(before.rcodes.map((rcode) => [rcode.digest, JSON.stringify(toRcodeItem(before, rcode))]));
  const staying = new Set(after.rcodes.map(({ digest }) => digest));
  const changed = validAt(after.rcodes, at)
    .map((rcode) => ({ digest: rcode.digest, Item: toRcodeItem(after, rcode) }))
    .filter(({ digest, Item }) => kept.get(digest) !== JSON.stringify(Item));
  const gone = [...kept.keys()].filter((digest) => !staying.has(digest));
  return {
    site: changedRow(toSiteItem(after), before.version, 'site'),
    rcodes: [
      ...changed.map(({ Item }) => ({ Put: { Item } })),
      ...gone.map((digest) => ({ Delete: { Key: keys.rcode(digest) } })),
    ],
  };
};

/** Writes the next state of a site. Throws ConditionFailedError if it was changed since it was read. */
const saveSite = async (before: Site, change: Site, at: string): Promise<void> => {
  const conflict = await trySaveSite(before, change, at);
  if (conflict) throw conflict;
};

const trySaveSite = (before: Site, change: Site, at: string) =>
  tryTransact(siteWrites(before, { ...change, version: before.version + 1 }, at));

/**
 * Changes a site as read now; after a conflict, the change is applied again to the new state. All three numbers must belong together.
 * Throws site_not_found, changed_meanwhile, and whatever `change` throws.
 */
export const changeSite = (
  { mid, rid, sid }: { mid: number; rid: number; sid: number },
  caller: Caller,
  change: (site: Site) => Site,
): Promise<Site> => {
  return retryOnConflict(
    async () => {
      const site = await siteForCaller(sid, caller);
      if (site.mid !== mid || site.rid !== rid)
        throw new Refusal('site_not_found', 'sid: the retailer has no such site.');
      const changed = change(site);
      await saveSite(site, changed, nowIso());
      return changed;
    },
    { onExhausted: changedMeanwhile },
  );
};

type Rotation = { text: string; previousValidUntil: string | null; mid: number };

/** Gives a site a new rcode; the previous one ends in 24 hours. Throws site_not_found, changed_meanwhile. */
export const rotateRcode = (sid: number, caller: Caller): Promise<Rotation> =>
  rotate(sid, caller, 'rcodes', freshRcode);

/** Gives a site a new signing secret; the previous one ends in 24 hours. Throws site_not_found, changed_meanwhile. */
export const rotateSigningSecret = (sid: number, caller: Caller): Promise<Rotation> =>
  rotate(sid, caller, 'signingSecrets', freshSigningSecret);

/** Never tried again after a conflict: the caller did not know of the secret that is now current. */
const rotate = async <N extends 'rcodes' | 'signingSecrets'>(
  sid: number,
  caller: Caller,
  name: N,
  make: (ring: KeyRing, sid: number) => Fresh<Site[N][number]>,
): Promise<Rotation> => {
  const site = await siteForCaller(sid, caller);
  const fresh = make(await keyRing('encryption'), sid);
  const at = nowIso();
  const secrets = rotateSecret<Site[N][number]>(site[name], fresh.kept, at);
  const conflict = await trySaveSite(site, { ...site, [name]: secrets }, at);
  // A write repeated after a lost answer fails on its own condition; the secret in the table shows that it succeeded.
  const present = conflict?.itemOf('site');
  if (conflict && (!present || fromSiteItem(present)[name][0]?.sealed !== fresh.kept.sealed)) {
    throw new Refusal('changed_meanwhile', 'The site was changed at the same time. Read it before you rotate again.');
  }
  return { text: fresh.text, previousValidUntil: secrets[1]?.validUntil ?? null, mid: site.mid };
};
