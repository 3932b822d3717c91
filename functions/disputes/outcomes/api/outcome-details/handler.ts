import { endpoint } from '#core/platform/http/http.ts';
import { outcomeForCaller } from '../../outcome-access-store.ts';
import { toOutcomeDetailsDto } from '../../outcome-row.ts';
import { outcomeDetailsOperation } from './operation.ts';

export const handler = endpoint(outcomeDetailsOperation, async ({ params, caller }) =>
  toOutcomeDetailsDto(await outcomeForCaller(params.id, caller)),
);
