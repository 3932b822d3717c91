import { auditedEndpoint } from '#core/platform/audit/audit-store.ts';
import { toRateDto } from '../../rates/rate.ts';
import { setRate as store } from '../../rates/rate-store.ts';
import { setRateOperation } from './operation.ts';

export const handler = auditedEndpoint(setRateOperation, async ({ body, caller }) =>
  toRateDto(await store(body, caller.subject)),
);
