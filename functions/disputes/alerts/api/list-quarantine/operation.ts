import * as v from 'valibot';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { OneOrMore, pageFields, pageReply } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { signingProviderNames } from '#disputes/providers/providers.ts';
import { quarantineStates } from '../../quarantine/quarantine.ts';
import { QuarantinedDto } from '../../quarantine/schemas.ts';

export const listQuarantineOperation = defineOperation('alerts/list-quarantine', {
  summary: 'List provider messages that could not be read',
  description:
    'Messages with a valid signature that were answered with 400, kept so that no alert is lost. One that the provider sends again stays one ' +
    'entry, which counts how often it came.',
  method: 'POST',
  path: '/api/v3/service_alerts/quarantine',
  auth: 'admin',
  body: v.object({
    state: describeField(
      v.optional(OneOrMore(quarantineStates)),
      'Where the provider’s outcome stands: PENDING, ACCEPTED, REFUSED, EXPIRED, SUPERSEDED or MANUAL.',
    ),
    provider: describeField(v.optional(OneOrMore(signingProviderNames)), 'The alert provider.'),
    ...pageFields,
  }),
  reply: pageReply(QuarantinedDto),
  errors: [],
  grants: { indexes: ['list1', 'list1f'] },
});
