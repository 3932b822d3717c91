import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { gatewayKinds } from '#payments/processors/ports/processors.ts';

const ChargeDto = v.object({
  connection: v.pipe(v.nullable(v.string()), v.description('Null: it was taken here.')),
  kind: v.picklist(['forewarn', ...gatewayKinds]),
  txid: v.pipe(v.nullable(v.number()), v.description('Of one that was taken here.')),
  reference: v.pipe(v.string(), v.description("The processor's own.")),
  reference2: v.string(),
  type: v.string(),
  date: v.string(),
  amount: v.string(),
  currency: v.string(),
  refunded: v.string(),
  refundable: v.pipe(
    v.nullable(v.string()),
    v.description('What is left of it; null: there are refunds of the card that may be of this charge or of another.'),
  ),
  charged_back: v.pipe(v.boolean(), v.description('Only known of charges at processors.')),
  settled: v.boolean(),
  matches: v.pipe(v.boolean(), v.description('Whether the alert can be about it.')),
});

export const alertTransactions = defineOperation({
  area: 'connections',
  name: 'alert-transactions',
  summary: "Look for an alert's transaction here and at the merchant's own processors",
  description:
    'Asks every active connection that is for its site, now, and looks through the payments that were taken here. Connections that could not be ' +
    'asked are named. Changes nothing. A test alert is looked for at sandbox connections alone.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/transactions',
  auth: 'bearer',
  params: AlertParams,
  reply: v.object({
    alert_id: v.number(),
    match: v.pipe(
      v.picklist(['none', 'one', 'many']),
      v.description('`one` only if all could be asked: exactly one transaction fits.'),
    ),
    transactions: v.array(ChargeDto),
    unasked: v.array(
      v.object({
        connection: v.string(),
        kind: v.picklist(gatewayKinds),
        label: v.string(),
        problem: v.picklist(['credentials', 'unavailable']),
        msg: v.string(),
      }),
    ),
  }),
  errors: ['alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'], indexes: ['list3f'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX'],
});
