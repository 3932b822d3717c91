import { endpoint } from '#core/platform/http/http.ts';
import { toChargebackDto } from '../../chargeback-row.ts';
import { saveResponseForCaller } from '../../files/evidence-files-flow.ts';
import { saveResponseOperation } from './operation.ts';

export const handler = endpoint(saveResponseOperation, async ({ params: { id }, body, caller }) =>
  toChargebackDto(await saveResponseForCaller(id, body.text, caller)),
);
