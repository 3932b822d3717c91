import { endpoint } from '#core/platform/http/http.ts';
import { detailsOf } from '../../authentication/authentication-details-store.ts';
import { settledIfDue } from '../../challenge/challenge-flow.ts';
import { toDetailsReply } from '../../payer/replies.ts';
import { get3ds } from './operation.ts';

export const handler = endpoint(get3ds, async ({ params: { id: sid }, body: { authentication_id: id, hash } }) => {
  const { rcode, ...known } = await detailsOf(sid, { id, hash });
  const { authentication, value } = await settledIfDue(known);
  return toDetailsReply(authentication, value, rcode);
});
