import * as v from 'valibot';
import { count, describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { quarantineStates } from './quarantine.ts';

export const QuarantinePath = v.object({
  id: v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{32}$/, 'must be the id of an entry of the quarantine'),
    v.description('The entry of the quarantine.'),
  ),
});

export const QuarantinedDto = v.object({
  id: text('The entry of the quarantine.'),
  provider: describeField(v.picklist(signingProviderNames), 'The alert provider.'),
  state: describeField(
    v.picklist(quarantineStates),
    'OPEN while it waits; RESUBMITTED once it became an alert; DISMISSED if it is to become none.',
  ),
  problems: text('What is wrong with the message.'),
  received_at: text('When it came first (ISO 8601, UTC).'),
  last_at: text('When it came last (ISO 8601, UTC).'),
  times: count('How often it came.'),
  settled_by: nullableText('Who settled it; null while it waits.'),
  settled_at: nullableText('When it was settled (ISO 8601, UTC); null while it waits.'),
  reason: nullableText('Why it was dismissed.'),
  alert_id: nullableCount('The alert it became; null also for the withdrawal of a case that has not arrived yet.'),
});
