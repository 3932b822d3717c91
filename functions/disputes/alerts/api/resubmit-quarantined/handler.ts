import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { ingestMessage } from '../../intake/ingest-store.ts';
import { toQuarantinedDto } from '../../quarantine/quarantine-row.ts';
import { readQuarantined, settleQuarantined } from '../../quarantine/quarantine-store.ts';
import { resubmitQuarantinedOperation } from './operation.ts';

export const handler = endpoint(
  resubmitQuarantinedOperation,
  async ({ params: { id }, body: { message, dismiss }, caller }) => {
    if ((message === undefined) === (dismiss === undefined)) {
      throw new Refusal('request_invalid', 'message, dismiss: send exactly one of them.');
    }
    const found = await readQuarantined(id);
    if (found.state !== 'OPEN') return toQuarantinedDto(found);
    const settled =
      dismiss === undefined
        ? { alertId: (await ingestMessage(found.provider, message)).alert_id }
        : { reason: dismiss };
    return toQuarantinedDto(await settleQuarantined(found, caller.subject, settled));
  },
);
