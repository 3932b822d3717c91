import * as v from 'valibot';
import { AlertIdReply, AmountReply, CurrencyReply, MsgReply, NameReply } from '#core/kernel/schema/field-schemas.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { MatchEvidenceReply } from '#disputes/matching/schemas.ts';
import { gatewayKinds } from '#payments/processors/ports/processors.ts';
import { wordsOfKind } from '../../schemas.ts';

const ChargeDto = v.object({
  connection: v.pipe(v.nullable(v.string()), v.description('Null: it was taken here.')),
  kind: v.pipe(v.picklist(['forewarn', ...gatewayKinds]), v.description(wordsOfKind)),
  txid: v.pipe(v.nullable(v.number()), v.description('Of one that was taken here.')),
  reference: v.pipe(v.string(), v.description("The processor's own.")),
  reference2: v.pipe(v.string(), v.description('The processor’s second identifier of it.')),
  type: v.pipe(v.string(), v.description('What was done: a sale or a refund, as the processor names it.')),
  date: v.pipe(v.string(), v.description('When it was made.')),
  amount: AmountReply,
  currency: CurrencyReply,
  refunded: v.pipe(v.string(), v.description('How much of it has been refunded.')),
  refundable: v.pipe(
    v.nullable(v.string()),
    v.description(
      'What is left of it; null: there are refunds of the card that may be of this charge or of another, or its disputes could not be read.',
    ),
  ),
  charged_back: v.pipe(v.boolean(), v.description('Whether an issuer has charged it back.')),
  refunded_by_network: v.pipe(
    v.boolean(),
    v.description('Whether the network refunded the cardholder instead of a chargeback: nothing is refundable.'),
  ),
  settled: v.pipe(v.boolean(), v.description('Whether it is settled.')),
  matches: v.pipe(v.boolean(), v.description('Whether the alert can be about it.')),
  evidence: v.pipe(
    v.nullable(MatchEvidenceReply),
    v.description('How well it fits the alert; null if something rules it out.'),
  ),
});

export const alertTransactionsOperation = defineOperation({
  area: 'connections',
  name: 'alert-transactions',
  summary: "Look for an alert's transaction here and at the merchant's own processors",
  description:
    'Asks every active connection that is for its site, now, and looks through the payments that were taken here. Connections that could not be ' +
    'asked are named. Changes nothing. A test alert is looked for at sandbox connections alone.',
  method: 'POST',
  path: '/api/v3/service_alerts/alert/{alert_id}/transactions',
  auth: 'bearer',
  permission: 'alerts:read',
  tool: { kind: 'read' },
  siteKeys: 'found',
  params: AlertParams,
  reply: v.object({
    alert_id: AlertIdReply,
    match: v.pipe(
      v.picklist(['none', 'one', 'many', 'uncertain']),
      v.description(
        '`one`: the evidence for exactly one is strong enough for a rule to refund it. `many`: several fit, or not all could be ' +
          'asked. `uncertain`: no candidate has enough evidence.',
      ),
    ),
    transactions: v.pipe(v.array(ChargeDto), v.description('What was found, the most likely first.')),
    unasked: v.pipe(
      v.array(
        v.object({
          connection: v.pipe(v.string(), v.description('The connection.')),
          kind: v.pipe(v.picklist(gatewayKinds), v.description(wordsOfKind)),
          label: NameReply,
          problem: v.pipe(
            v.picklist(['credentials', 'unavailable', 'unreadable', 'test_alert']),
            v.description(
              'Why it could not be asked. `unreadable`: it was asked, and `msg` names what could not be read. `test_alert`: ' +
                'only connections to the sandbox are asked about test alerts.',
            ),
          ),
          msg: MsgReply,
        }),
      ),
      v.description('Connections that could not be asked, or not read completely, and why.'),
    ),
  }),
  errors: ['alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'], indexes: ['list3f'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
