import { auditedEndpoint } from '../../core/audit-store.ts';
import { toRateDto } from '../rate.ts';
import { setRate as store } from '../rate-store.ts';
import { setRate } from './operation.ts';

export const handler = auditedEndpoint(setRate, async ({ body, caller }) =>
  toRateDto(await store(body, caller.subject)),
);
