import { endpoint } from '../../core/http.ts';
import { parentsForCaller } from '../merchant-store.ts';
import { createSite } from '../operations.ts';
import { createSite as store } from '../site-store.ts';

export const handler = endpoint(createSite, async ({ params: { mid, rid }, body, caller }) => {
  const { site, rcode, signingSecret } = await store(await parentsForCaller(mid, rid, caller), body);
  return { sid: site.sid, rcode, signing_secret: signingSecret };
});
