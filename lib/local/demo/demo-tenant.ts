import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { hashPassword } from '#accounts/auth/users/password.ts';
import { newUser, type User as StoredUser } from '#accounts/auth/users/user.ts';
import { toUserItem } from '#accounts/auth/users/user-row.ts';
import { type SealedSecret, sealContext } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { type KeyRing, open } from '#core/kernel/crypto.ts';
import { readKeyRing } from '#core/kernel/key-ring.ts';
import { makeRecord } from '#core/kernel/record-of.ts';
import { type SecretName, variableOfSecret } from '#core/platform/operation/grants.ts';
import { keys } from '#core/platform/table/keys.ts';
import { signingProviders } from '#disputes/providers/providers.ts';
import { toBinsItem } from '#payments/fraud/bins/bins-row.ts';
import type { Secrets } from '../aws/secrets.ts';
import type { Tables } from '../aws/tables.ts';
import { readBinFile } from '../bins/bin-file.ts';
import type { Clock } from '../clock.ts';
import type { State } from '../state.ts';
import { errorText, UserError } from '../user-error.ts';
import { signIn } from './demo-calls.ts';
import { makeDemoMerchant, makePaymentSite, makeThreeDsSite, pointNotifications, Site } from './demo-sites.ts';

const User = v.object({ username: v.string(), password: v.string() });
const Kept = v.object({
  admin: User,
  merchant: User,
  /** The alert site. */
  site: Site,
  payment_site: Site,
  three_ds_site: Site,
  /** The address whose sink the site's notifications go to. */
  url: v.string(),
});
type Kept = v.InferOutput<typeof Kept>;
/** As data folders have it that were made before there were payments, or authentications. */
const Earlier = v.object({ ...Kept.entries, payment_site: v.optional(Site), three_ds_site: v.optional(Site) });
type Earlier = v.InferOutput<typeof Earlier>;

const text = v.string();

/** The credentials that a person or a test needs to play every part in the demo tenant. */
export const demoCredentialsShape = v.object({
  ...v.omit(Kept, ['url']).entries,
  /** The secrets with which the providers sign what they send in. */
  providers: v.object(
    makeRecord(
      signingProviders.map(({ name }) => name),
      () => text,
    ),
  ),
});
export type DemoCredentials = v.InferOutput<typeof demoCredentialsShape>;

export type DemoParts = {
  state: State;
  secrets: Secrets;
  clock: Clock;
  tables: Tables;
  url: string;
  report: (sentence: string) => void;
};

const key = 'demo-tenant';
const begunKey = 'demo-tenant-begun';
/** The progress of the tenant's past: the number of the next step. */
export const pastKey = 'demo-past';

/** The demo tenant's credentials; undefined while there is none. */
export const demoCredentials = ({
  state,
  secrets,
}: Pick<DemoParts, 'state' | 'secrets'>): DemoCredentials | undefined => {
  const text = state.get(key);
  if (text === undefined) return undefined;
  const { admin, merchant, site, payment_site, three_ds_site } = v.parse(Kept, JSON.parse(text));
  const intake = (name: SecretName) => {
    const { current, keys } = keyRingOf(secrets, name);
    return keys[current] ?? '';
  };
  const kept = signingProviders.map(({ name, secret }) => [name, intake(secret)] as const);
  const providers = v.parse(demoCredentialsShape.entries.providers, Object.fromEntries(kept));
  return { admin, merchant, site, payment_site, three_ds_site, providers };
};

/** The same after a look at the sites, whose secrets may have been rotated. */
export const refreshCredentials = async (
  parts: Pick<DemoParts, 'state' | 'secrets' | 'tables' | 'clock'>,
): Promise<DemoCredentials | undefined> => {
  const { state } = parts;
  const text = state.get(key);
  if (text === undefined) return undefined;
  const { site, payment_site, ...kept } = v.parse(Kept, JSON.parse(text));
  const sites = {
    site: await withPresentSecrets(parts, site),
    payment_site: await withPresentSecrets(parts, payment_site),
  };
  state.set(key, JSON.stringify({ ...kept, ...sites }));
  return demoCredentials(parts);
};

/** A site with its newest rcode and signing secret, read through this stack's own client. */
const withPresentSecrets = async <S extends v.InferOutput<typeof Site>>(
  { secrets, tables }: Pick<DemoParts, 'secrets' | 'tables'>,
  site: S,
): Promise<S> => {
  const TableName = process.env['TABLE_NAME'];
  const { Item } = await tables.client.send(new GetItemCommand({ TableName, Key: marshall(keys.site(site.sid)) }));
  // The person may have removed it.
  if (!Item) return site;
  const { rcodes, signingSecrets } = fromSiteItem(unmarshall(Item));
  const ring = encryptionRing({ secrets });
  const openNewest = (context: string, [newest]: readonly SealedSecret[]) =>
    newest && open(ring, context, newest.sealed);
  return {
    ...site,
    rcode: openNewest(sealContext.rcode(site.sid), rcodes) ?? site.rcode,
    signing_secret: openNewest(sealContext.signingSecret(site.sid), signingSecrets) ?? site.signing_secret,
  };
};

const keyRingOf = (secrets: Secrets, name: SecretName): KeyRing =>
  readKeyRing(secrets.value(process.env[variableOfSecret(name)] ?? ''));

/** The keys that this stack's rows are sealed with. */
export const encryptionRing = ({ secrets }: Pick<DemoParts, 'secrets'>): KeyRing => keyRingOf(secrets, 'encryption');

/** Forgets the demo tenant; what the table holds of it is for the caller to remove. */
export const forgetDemo = ({ state }: Pick<DemoParts, 'state'>): void => {
  state.remove(key);
  state.remove(begunKey);
  state.remove(pastKey);
};

/** Checks whether an earlier start was cut off while it made the demo tenant, and so left a part of it. */
export const isDemoHalfMade = ({ state }: Pick<DemoParts, 'state'>): boolean =>
  state.get(begunKey) !== undefined && state.get(key) === undefined;

/**
 * Makes sure that the demo tenant is there, through the service's own operations: an administrator, a merchant with a
 * user, a retailer, an alert site with enrolled descriptors, whose notifications go to the sink `demo` of this stack, a payment
 * site, whose payments go to the sandbox, and a 3DS site, whose authentications go there too.
 */
export const ensureDemo = async (parts: DemoParts): Promise<void> => {
  const { state, url } = parts;
  const text = state.get(key);
  const kept = text === undefined ? undefined : await completeTenant(parts, v.parse(Earlier, JSON.parse(text)));
  if (kept?.url === url) return;
  if (kept) return moveTenant(parts, kept);
  state.set(begunKey, '1');
  state.set(key, JSON.stringify(await makeTenant(parts)));
};

const completeTenant = async ({ state, url }: DemoParts, kept: Earlier): Promise<Kept> => {
  const { payment_site, three_ds_site } = kept;
  if (payment_site && three_ds_site) return { ...kept, payment_site, three_ds_site };
  try {
    const token = await signIn(url, kept.admin);
    const complete = {
      ...kept,
      payment_site: payment_site ?? (await makePaymentSite(url, token, kept.site)),
      three_ds_site: three_ds_site ?? (await makeThreeDsSite(url, token, kept.site)),
    };
    state.set(key, JSON.stringify(complete));
    return complete;
  } catch (error) {
    const words = `The demo tenant of this data folder is of an earlier version, and cannot get the sites that it lacks: ${errorText(error)}`;
    throw new UserError(`${words}. Start with another DATA_DIR, or remove this one.`);
  }
};

/** The stack answers at another address than last time: the demo site's notifications follow it. */
const moveTenant = async ({ state, url, report }: DemoParts, kept: Kept): Promise<void> => {
  try {
    await pointNotifications(url, await signIn(url, kept.admin), kept.site);
    state.set(key, JSON.stringify({ ...kept, url }));
  } catch (error) {
    // The person may have changed the demo tenant, which belongs to them.
    report(`The demo site still notifies ${kept.url}: ${errorText(error)}`);
  }
};

const newPassword = (): string => randomBytes(15).toString('base64url');

type NewUser = Pick<StoredUser, 'username' | 'scope' | 'mid' | 'role' | 'name'> & { password: string };

/**
 * No operation makes users. Written through this stack's own client, for the store's would stay with the first of several
 * stacks in one process.
 */
const putUser = async ({ tables, clock }: DemoParts, { password, ...user }: NewUser): Promise<void> => {
  const at = new Date(clock.now()).toISOString();
  const passwordHash = await hashPassword(password);
  const item = toUserItem({ ...newUser({ email: '', ...user }, at), passwordHash });
  const TableName = process.env['TABLE_NAME'];
  await tables.client.send(new PutItemCommand({ TableName, Item: marshall(item, { removeUndefinedValues: true }) }));
};

/** Where the sandbox's test cards were issued, for the fraud check; elsewhere an operator imports a table. */
const putTestBins = async ({ tables }: DemoParts): Promise<void> => {
  const { ranges } = readBinFile(fileURLToPath(new URL('../bins/test-bins.csv', import.meta.url)));
  const TableName = process.env['TABLE_NAME'];
  for (const [first6, own] of ranges) {
    await tables.client.send(new PutItemCommand({ TableName, Item: marshall(toBinsItem(first6, own)) }));
  }
};

/** The providers' name for the demo merchant when they ask for its orders. */
export const demoClientId = 'demo';

const makeTenant = async (parts: DemoParts): Promise<Kept> => {
  const { url } = parts;
  const admin = { username: 'admin', password: newPassword() };
  await putUser(parts, { ...admin, scope: 'admin', mid: null, role: null, name: 'Olga Operator' });
  await putTestBins(parts);
  const token = await signIn(url, admin);
  const { mid, ...sites } = await makeDemoMerchant(url, token, { clientId: demoClientId });
  const merchant = { username: 'demo', password: newPassword() };
  await putUser(parts, { ...merchant, scope: 'merchant', mid, role: 'manager', name: 'Mara Manager' });
  return { admin, merchant, ...sites, url };
};
