import * as v from 'valibot';
import { createUser } from '#accounts/auth/users/user-store.ts';
import type { TestStack } from './stack.ts';

/** A merchant in addition to the demo merchant, with a user, a retailer and a site without a type. */
export type OtherTenant = { mid: number; rid: number; sid: number; rcode: string; token: string };

const user = { username: 'other-tenant', password: 'a password of the other tenant' };
const Made = v.union([v.number(), v.string()]);

/** Makes the other tenant through the gateway; only the user is put into the stack's table, as no operation makes users. */
export const makeOtherTenant = async (service: TestStack): Promise<OtherTenant> => {
  const token = await service.tokenOf('admin');
  const make = async (path: string, body: object) => {
    const reply = await service.call(`/api/v3${path}`, { token, body });
    return (field: string) => v.parse(Made, reply.body[field]);
  };
  const mid = Number((await make('/merchant/create', { name: 'Other tenant' }))('mid'));
  const rid = Number((await make(`/retailer/mid/${mid}/create`, { name: 'Other shop', currency: 'USD' }))('rid'));
  const site = await make(`/site/mid/${mid}/rid/${rid}/create`, { name: 'Other site' });
  await createUser({ ...user, scope: 'merchant', mid });
  const signedIn = await service.call('/api/v2/index.php/gettoken', { body: user });
  return {
    ...{ mid, rid, sid: Number(site('sid')), rcode: String(site('rcode')) },
    token: v.parse(v.string(), signedIn.body['access_token']),
  };
};
