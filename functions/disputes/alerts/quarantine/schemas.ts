import * as v from 'valibot';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { quarantineStates } from './quarantine.ts';

export const QuarantinePath = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{32}$/, 'must be the id of an entry of the quarantine'),
    v.description('The alert’s number.'),
  ),
});

export const QuarantinedDto = v.object({
  id: v.pipe(v.string(), v.description('The alert’s number.')),
  provider: v.pipe(v.picklist(signingProviderNames), v.description('The alert provider.')),
  state: v.pipe(
    v.picklist(quarantineStates),
    v.description('Where the provider’s outcome stands: PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.'),
  ),
  problems: v.pipe(v.string(), v.description('Why it was refused.')),
  received_at: v.pipe(v.string(), v.description('When it came first (ISO 8601, UTC).')),
  last_at: v.pipe(v.string(), v.description('When it came last (ISO 8601, UTC).')),
  times: v.pipe(v.number(), v.description('How often it came.')),
  settled_by: v.pipe(v.nullable(v.string()), v.description('Who settled it; null while it waits.')),
  settled_at: v.pipe(
    v.nullable(v.string()),
    v.description('When it was settled (ISO 8601, UTC); null while it waits.'),
  ),
  reason: v.pipe(v.nullable(v.string()), v.description('Why.')),
  alert_id: v.pipe(
    v.nullable(v.number()),
    v.description('The alert it became; null also for the withdrawal of a case that has not arrived yet.'),
  ),
});
