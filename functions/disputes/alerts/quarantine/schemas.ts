import * as v from 'valibot';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { quarantineStates } from './quarantine.ts';

export const QuarantinePath = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/, 'must be the id of an entry of the quarantine')),
});

export const QuarantinedDto = v.object({
  id: v.string(),
  provider: v.picklist(signingProviderNames),
  state: v.picklist(quarantineStates),
  problems: v.pipe(v.string(), v.description('Why it was refused.')),
  received_at: v.string(),
  last_at: v.string(),
  times: v.pipe(v.number(), v.description('How often it came.')),
  settled_by: v.nullable(v.string()),
  settled_at: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  alert_id: v.pipe(v.nullable(v.number()), v.description('The alert it became.')),
});
