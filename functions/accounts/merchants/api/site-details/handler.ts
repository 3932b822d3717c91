import { endpoint } from '#core/platform/http/http.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { siteDetails as shown } from '../../site/site-details.ts';
import { siteForCaller } from '../../site/site-store.ts';
import { siteDetailsOperation } from './operation.ts';

export const handler = endpoint(
  siteDetailsOperation,
  // The profile's fields were checked when the site was made.
  async ({ params: { sid }, caller }) => shown(await siteForCaller(sid, caller)) as Reply<typeof siteDetailsOperation>,
);
