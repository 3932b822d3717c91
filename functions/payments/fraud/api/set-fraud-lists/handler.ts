import { fingerprintOf } from '#core/kernel/card/card.ts';
import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { changedLists, toListsDto } from '../../lists/list-fields.ts';
import { changeLists } from '../../lists/lists-store.ts';
import { setFraudListsOperation } from './operation.ts';

export const handler = auditedEndpoint(
  setFraudListsOperation,
  async ({ params: { sid }, body, caller }, _, comparison) => {
    const ring = await keyRing('encryption');
    const lists = await changeLists(sid, caller, (present) => {
      if (body.version !== undefined && body.version !== present.version) {
        throw new Refusal('changed_meanwhile', 'version: the lists have changed since; read them again.');
      }
      const after = changedLists(present, body, (digits) => fingerprintOf(ring, digits));
      comparison.compare(present, after);
      return after;
    });
    return toListsDto(sid, lists);
  },
);
