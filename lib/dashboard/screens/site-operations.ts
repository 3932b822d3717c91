import type { siteDetailsOperation as SiteDetailsOperation } from '#accounts/merchants/api/site-details/operation.ts';
import type { fraudListsOperation as FraudListsOperation } from '#payments/fraud/api/fraud-lists/operation.ts';
import type { setFraudListsOperation as SetFraudListsOperation } from '#payments/fraud/api/set-fraud-lists/operation.ts';
import type { orderProfileDetailsOperation as ProfileOperation } from '#payments/orders/api/order-profile-details/operation.ts';
import type { setOrderProfileOperation as SetProfileOperation } from '#payments/orders/api/set-order-profile/operation.ts';
import type { listFeesOperation as ListFeesOperation } from '#payments/pricing/api/list-fees/operation.ts';
import type { setFeesOperation as SetFeesOperation } from '#payments/pricing/api/set-fees/operation.ts';
import type { setSiteProcessorsOperation as SetProcessorsOperation } from '#payments/processors/api/set-site-processors/operation.ts';
import type { siteProcessorsDetailsOperation as ProcessorsOperation } from '#payments/processors/api/site-processors-details/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';

/** The operations of the screens of one site. */

export const siteDetails = remote<typeof SiteDetailsOperation>({ path: '/api/v3/site/{sid}/details' });
export type SiteDto = ReplyOf<typeof SiteDetailsOperation>;

export const processorsOf = remote<typeof ProcessorsOperation>({ path: '/api/v3/site/{sid}/processors/details' });
export type ProcessorsDto = ReplyOf<typeof ProcessorsOperation>;
export const setProcessors = remote<typeof SetProcessorsOperation>({
  path: '/api/v3/site/{sid}/processors',
  roles: ['manager'],
});

export const feesOf = remote<typeof ListFeesOperation>({ path: '/api/v3/site/{sid}/fees/list' });
export type FeesDto = ReplyOf<typeof ListFeesOperation>;
/** For operators alone, as the operation says. */
export const setFees = remote<typeof SetFeesOperation>({ path: '/api/v3/site/{sid}/fees' });

export const fraudLists = remote<typeof FraudListsOperation>({
  path: '/api/v3/site/{sid}/fraud-lists/details',
  roles: ['analyst', 'manager'],
});
export type ListsDto = ReplyOf<typeof FraudListsOperation>;
export const setFraudLists = remote<typeof SetFraudListsOperation>({
  path: '/api/v3/site/{sid}/fraud-lists',
  roles: ['manager'],
});

export const orderProfile = remote<typeof ProfileOperation>({ path: '/api/v3/site/{sid}/order-profile/details' });
export type ProfileDto = ReplyOf<typeof ProfileOperation>;
export const setOrderProfile = remote<typeof SetProfileOperation>({
  path: '/api/v3/site/{sid}/order-profile',
  roles: ['manager'],
});
