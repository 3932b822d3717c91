import type { siteDetails as SiteDetailsOperation } from '../../../functions/merchants/site-details/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';

/** What the screens of one site call. */

export const siteDetails = remote<typeof SiteDetailsOperation>({ path: '/api/v3/site/{sid}/details' });
export type SiteShown = ReplyOf<typeof SiteDetailsOperation>;
