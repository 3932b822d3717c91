import { endpoint } from '../../core/http.ts';
import { settledIfDue } from '../challenge-flow.ts';
import { detailsOf } from '../details-store.ts';
import { toDetailsReply } from '../replies.ts';
import { get3ds } from './operation.ts';

export const handler = endpoint(get3ds, async ({ params: { id: sid }, body: { authentication_id: id, hash } }) => {
  const { rcode, ...known } = await detailsOf(sid, { id, hash });
  const { authentication, value } = await settledIfDue(known);
  return toDetailsReply(authentication, value, rcode);
});
