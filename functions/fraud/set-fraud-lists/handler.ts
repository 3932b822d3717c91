import { auditedEndpoint } from '../../core/audit-store.ts';
import { fingerprintOf } from '../../core/card.ts';
import { Refusal } from '../../core/errors.ts';
import { keyRing } from '../../core/secrets.ts';
import { changedLists, toListsDto } from '../list-fields.ts';
import { changeLists } from '../lists-store.ts';
import { setFraudLists } from './operation.ts';

export const handler = auditedEndpoint(setFraudLists, async ({ params: { sid }, body, caller }) => {
  const ring = await keyRing('encryption');
  const lists = await changeLists(sid, caller, (present) => {
    if (body.version !== undefined && body.version !== present.version) {
      throw new Refusal('changed_meanwhile', 'version: the lists have changed since; read them again.');
    }
    return changedLists(present, body, (digits) => fingerprintOf(ring, digits));
  });
  return toListsDto(sid, lists);
});
