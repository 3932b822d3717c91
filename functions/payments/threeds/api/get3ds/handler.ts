import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { readAuthenticationDetails } from '../../authentication/authentication-details-store.ts';
import { settledIfDue } from '../../challenge/challenge-flow.ts';
import { toDetailsReply } from '../../payer/replies.ts';
import { get3dsOperation } from './operation.ts';

export const handler = endpoint(
  get3dsOperation,
  async ({ params: { id: sid }, body: { authentication_id: id, hash }, ...call }) => {
    const proof = siteProofOf(call, hash, nowMilliseconds());
    const { rcode, ...known } = await readAuthenticationDetails(sid, { id, proof });
    const { authentication, value } = await settledIfDue(known);
    return toDetailsReply(authentication, value, rcode);
  },
);
