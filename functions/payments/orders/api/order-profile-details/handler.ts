import { endpoint } from '#core/platform/http/http.ts';
import { toProfileDto } from '../../profile.ts';
import { siteProfileForCaller } from '../../profile-store.ts';
import { orderProfileDetailsOperation } from './operation.ts';

export const handler = endpoint(orderProfileDetailsOperation, async ({ params: { sid }, caller }) => {
  const { profile, source, letterhead } = await siteProfileForCaller(sid, caller);
  return toProfileDto(profile, source, letterhead);
});
