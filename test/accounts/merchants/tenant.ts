import { type As, ask } from '#test/support/operations.ts';

type Fields = Record<string, unknown>;
export type Tenant = { mid: number; rid: number; sid: number; rcode: string; signing_secret: string; as: As };

const okAnswer = async <T>(answer: Promise<{ status: number; body: unknown }>): Promise<T> => {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as T;
};

/** A merchant with one retailer and one site without a type, made by an administrator. */
export const newTenant = async (
  fields: { merchant?: Fields; site?: Fields; retailer?: Fields } = {},
): Promise<Tenant> => {
  const { mid } = await okAnswer<{ mid: number }>(
    ask('merchants/create-merchant', { body: { name: 'A merchant', ...fields.merchant } }),
  );
  const { rid } = await okAnswer<{ rid: number }>(
    ask('merchants/create-retailer', { params: { mid }, body: { name: 'A retailer', ...fields.retailer } }),
  );
  const site = await okAnswer<Pick<Tenant, 'sid' | 'rcode' | 'signing_secret'>>(
    ask('merchants/create-site', { params: { mid, rid }, body: { name: 'A site', ...fields.site } }),
  );
  return { mid, rid, ...site, as: { mid } };
};

export const setAlert = ({ mid, rid, sid, as }: Tenant, body: Fields) =>
  ask('merchants/set-alert-settings', { as, params: { mid, rid, sid }, body });

/** The settings as the site's details show them. */
export const readSettings = async ({ sid, as }: Tenant): Promise<Fields> =>
  (await okAnswer<{ settings: Fields }>(ask('merchants/site-details', { as, params: { sid } }))).settings;
