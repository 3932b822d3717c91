import type * as v from 'valibot';
import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof } from '#accounts/merchants/site/site-type.ts';
import { iso, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { contentWriter, digestContent, isDigestOf } from '#core/kernel/content-digest.ts';
import { type KeyRing, sha256 } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { type Money, parseAmount } from '#core/kernel/money/money.ts';
import type { KeyClaim } from '#core/platform/idempotency/idempotency-store.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { newRow } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, tryTransact, updateItem } from '#core/platform/table/table.ts';
import { keptMoney } from '#payments/payments/kept-money.ts';
import { orderHashes, orderHashWords } from '#payments/payments/order/hashes.ts';
import {
  isSigned,
  proofTimestampProblem,
  proofWrong,
  rcodeOfProof,
  type SiteProof,
} from '#payments/payments/order/site-proof.ts';
import { stateProblems } from '#payments/payments/states.ts';
import type { Create3dsBody } from '../api/create3ds/operation.ts';
import { clientTokenMilliseconds, newClientToken, tokenDigest } from '../payer/client-token.ts';
import { pageOriginProblem } from '../payer/page-origin.ts';
import { payerDetailsOf } from '../payer/payer-details.ts';
import {
  defaultCurrency,
  isSkipped,
  problemsOfSettings,
  readSettings,
  type SettingsRules,
} from '../three-ds-settings.ts';
import type { Authentication } from './authentication.ts';
import { fromAuthenticationItem, newAuthenticationWrite } from './authentication-row.ts';
import { newAuthentication } from './beginning.ts';

type Body = v.InferOutput<typeof Create3dsBody>;
type Call = { sid: number; body: Body; proof: SiteProof };

export type CreatedAuthentication = { authentication: Authentication; clientToken: string; expiresAt: string };

const rules = (): SettingsRules => ({
  allowSandbox: optional('ALLOW_SANDBOX') === 'true',
  allowLoopbackHttp: optional('ALLOW_LOOPBACK_HTTP') === 'true',
});

const invalid = (problems: readonly string[]): Refusal => new Refusal('request_invalid', problems.join('; '));

/** Describes the problems of a call, whatever the site is. */
const listProblems = ({ body, proof }: Call): string[] => {
  const time = proofTimestampProblem(proof, body.timestamp, nowMilliseconds());
  const origin = pageOriginProblem(body.page_origin, rules().allowLoopbackHttp);
  return [
    ...(time ? [`timestamp: ${time}`] : []),
    ...(origin ? [`page_origin: ${origin}`] : []),
    ...stateProblems(body),
  ];
};

const wrong = (proof: SiteProof, money?: Money): Refusal =>
  proofWrong(
    proof,
    money ? orderHashWords(money) : 'hash: must be md5 of sid, timestamp, amount, currency and rcode, joined.',
  );

/** The amount in the currency that was sent, or else in the site's; the signer knows which. */
const moneyOfCall = ({ body: { amount, currency }, proof }: Call, site: Site | undefined): Money => {
  const code = currency ?? (site?.threeDs ? defaultCurrency(site.threeDs) : undefined);
  if (code === undefined) throw site ? invalid(['currency: is required']) : wrong(proof);
  const money = parseAmount(amount, code);
  if (typeof money === 'string') throw invalid([`amount: ${money}`]);
  return money;
};

const checkHash = async (site: Site | undefined, { sid, body, proof }: Call, money: Money): Promise<Site> => {
  const rcodes = await openRcodes(site, nowIso());
  const signed = { sid, timestamp: body.timestamp ?? '', total: money };
  if (rcodeOfProof(proof, rcodes, (rcode) => orderHashes(signed, rcode)) === undefined || !site) {
    throw wrong(proof, money);
  }
  checkProof(site, { isSigned: isSigned(proof) });
  return site;
};

/** Throws site_not_for_3ds, with what to do about it. */
const checkAuthenticates = ({ type }: Site): void => {
  if (type === '3ds') return;
  throw new Refusal(
    'site_not_for_3ds',
    type === null
      ? 'sid: the site has no 3DS settings yet; set them with …/sid/{sid}/3ds first.'
      : `sid: this is a site of type ${type}, and types are permanent; use a 3DS site.`,
  );
};

/** Returns the new authentication; if the site authenticates no payers, it is done immediately. */
const beginAuthentication = (site: Site, body: Body, money: Money): Authentication => {
  const stored = site.threeDs ?? { settings: {}, servicesettings: {}, secrets: {} };
  const problems = isSkipped(stored) ? [] : problemsOfSettings(stored, rules());
  if (problems.length > 0) throw new Refusal('three_ds_settings_missing', problems.join('; '));
  const settings = readSettings(stored, rules());
  if (money.minor === 0n && settings.messageCategory !== '02') throw invalid(['amount: must be above 0']);
  return newAuthentication({
    id: newTimedId(),
    sid: site.sid,
    mid: site.mid,
    rid: site.rid,
    settings,
    pageOrigin: body.page_origin,
    tid: body.tid ?? null,
    money: keptMoney(money),
    challenge: body.challenge,
    exemption: body.exemption ?? 'none',
    payer: payerDetailsOf(body),
    isSkipped: isSkipped(stored),
    at: nowIso(),
  });
};

const withToken = (authentication: Authentication, ring: KeyRing): CreatedAuthentication => {
  const expiry = nowMilliseconds() + clientTokenMilliseconds;
  const clientToken = newClientToken(ring, authentication, expiry);
  const clients = [...authentication.clients, tokenDigest(clientToken)];
  return { authentication: { ...authentication, clients }, clientToken, expiresAt: iso(expiry) };
};

const refuseReuse = (): Refusal =>
  new Refusal('tid_reused', 'tid: was used for another authentication; send the same body again, or another tid.');

/** The authentication that a `tid` made before. */
const sameAgain = (row: Item, call: Call, ring: KeyRing): Promise<CreatedAuthentication> => {
  if (!isDigestOf(ring, String(row['digest']), contentWriter('create3ds', call.body)())) throw refuseReuse();
  return again(Number(row['authenticationId']), call, ring);
};

/** An authentication that was made before, which gets another token. */
const again = async (id: number, { sid, body }: Call, ring: KeyRing): Promise<CreatedAuthentication> => {
  const owner = { id, sid, pageOrigin: body.page_origin };
  const expiry = nowMilliseconds() + clientTokenMilliseconds;
  const clientToken = newClientToken(ring, owner, expiry);
  const item = await updateItem({
    Key: keys.authentication(owner.id),
    UpdateExpression: 'ADD #clients :client',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#clients': 'clients' },
    ExpressionAttributeValues: { ':client': new Set([tokenDigest(clientToken)]) },
  });
  return { authentication: fromAuthenticationItem(item), clientToken, expiresAt: iso(expiry) };
};

/** Makes sure that the caller has signed the call: before an idempotency key is looked up. Throws request_invalid, hash_wrong. */
export const checkCreator = async (call: Call): Promise<void> => {
  const [item] = await getItems([keys.site(call.sid)]);
  const site = item && fromSiteItem(item);
  await checkHash(site, call, moneyOfCall(call, site));
  const problem = proofTimestampProblem(call.proof, call.body.timestamp, nowMilliseconds());
  if (problem) throw invalid([`timestamp: ${problem}`]);
};

/**
 * Begins an authentication, or returns the one that the same `tid` or idempotency key began. Two calls of the table. Throws
 * request_invalid, hash_wrong, site_not_for_3ds, three_ds_settings_missing, tid_reused.
 */
export const createAuthentication = async (call: Call, claim?: KeyClaim): Promise<CreatedAuthentication> => {
  const { sid, body } = call;
  const problems = listProblems(call);
  if (problems.length > 0) throw invalid(problems);
  const ring = await keyRing('encryption');
  const tidKey = body.tid === undefined ? null : keys.tid(sid, sha256(body.tid));
  const [siteItem, known] = await getItems([keys.site(sid), ...(tidKey ? [tidKey] : [])]);
  const found = siteItem && fromSiteItem(siteItem);
  const money = moneyOfCall(call, found);
  const site = await checkHash(found, call, money);
  checkAuthenticates(site);
  if (claim?.made !== undefined) return again(claim.made, call, ring);
  if (known) return sameAgain(known, call, ring);
  const made = withToken(beginAuthentication(site, body, money), ring);
  const digest = digestContent(ring, contentWriter('create3ds', body)());
  const authenticationId = made.authentication.id;
  const tid = tidKey && newRow({ ...tidKey, entity: 'TID', authenticationId, sid, digest });
  const conflict = await tryTransact({
    authentication: newAuthenticationWrite(made.authentication),
    tid: tid ?? undefined,
    key: claim?.write(authenticationId),
  });
  if (!conflict) return made;
  const present = conflict.itemOf('tid');
  if (present && Number(present['authenticationId']) !== authenticationId) return sameAgain(present, call, ring);
  if (claim && conflict.on('key')) throw claim.overtaken();
  if (!present) throw conflict;
  return made;
};
