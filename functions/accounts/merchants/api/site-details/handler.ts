import { endpoint } from '#core/platform/http/http.ts';
import { readMailFaults } from '#core/platform/mail/mail-address-store.ts';
import type { Reply } from '#core/platform/operation/operation.ts';
import { siteDetails as shown, siteAddresses } from '../../site/site-details.ts';
import { siteForCaller } from '../../site/site-store.ts';
import { siteDetailsOperation } from './operation.ts';

export const handler = endpoint(siteDetailsOperation, async ({ params: { sid }, caller }) => {
  const site = await siteForCaller(sid, caller);
  const details = { ...shown(site), mail_faults: await readMailFaults(siteAddresses(site)) };
  // The profile's fields were checked when the site was made.
  return details as Reply<typeof siteDetailsOperation>;
});
