import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toProfileDto } from '../../profile.ts';
import { changeProfile } from '../../profile-store.ts';
import { setOrderProfileOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setOrderProfileOperation,
  async ({ params: { sid }, body, caller }, diversion, comparison) => {
    const { before, profile, source, letterhead } = await changeProfile(sid, body, caller);
    diversion.isReal = body.order_source !== undefined;
    const after = toProfileDto(profile, source, letterhead);
    comparison.compare(toProfileDto(before.profile, before.source, before.letterhead), after);
    return after;
  },
);
