import * as v from 'valibot';
import { AlertIdReply, AmountReply, CurrencyReply, MsgReply, NameReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AlertParams } from '#disputes/alerts/schemas.ts';
import { MatchEvidenceReply } from '#disputes/matching/schemas.ts';
import { connectionKinds } from '#payments/processors/ports/processors.ts';
import { wordsOfKind } from '../../schemas.ts';

const ChargeDto = v.object({
  connection: nullableText('Null: it was taken here.'),
  kind: describeField(v.picklist(['forewarn', ...connectionKinds]), wordsOfKind),
  txid: nullableCount('Of one that was taken here.'),
  reference: text("The processor's own."),
  reference2: text('The processor’s second identifier of it.'),
  type: text('What was done: a sale or a refund, as the processor names it.'),
  date: text('When it was made.'),
  amount: AmountReply,
  currency: CurrencyReply,
  refunded: text('How much of it has been refunded.'),
  refundable: nullableText(
    'What is left of it; null: there are refunds of the card that may be of this charge or of another, or its disputes could not be read.',
  ),
  charged_back: flag('Whether an issuer has charged it back.'),
  refunded_by_network: flag(
    'Whether the network refunded the cardholder instead of a chargeback: nothing is refundable.',
  ),
  settled: flag('Whether it is settled.'),
  matches: flag('Whether the alert can be about it.'),
  evidence: describeField(
    v.nullable(MatchEvidenceReply),
    'How well it fits the alert; null if something rules it out.',
  ),
});

export const alertTransactionsOperation = defineOperation('connections/alert-transactions', {
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
    match: describeField(
      v.picklist(['none', 'one', 'many', 'uncertain']),
      '`one`: the evidence for exactly one is strong enough for a rule to refund it. `many`: several fit, or not all could be ' +
        'asked. `uncertain`: no candidate has enough evidence.',
    ),
    transactions: describeField(v.array(ChargeDto), 'What was found, the most likely first.'),
    unasked: describeField(
      v.array(
        v.object({
          connection: text('The connection.'),
          kind: describeField(v.picklist(connectionKinds), wordsOfKind),
          label: NameReply,
          problem: describeField(
            v.picklist(['credentials', 'unavailable', 'unreadable', 'test_alert']),
            'Why it could not be asked. `unreadable`: it was asked, and `msg` names what could not be read. `test_alert`: ' +
              'only connections to the sandbox are asked about test alerts.',
          ),
          msg: MsgReply,
        }),
      ),
      'Connections that could not be asked, or not read completely, and why.',
    ),
  }),
  errors: ['alert_not_found'],
  grants: { table: ['GetItem', 'BatchGetItem', 'Query'], indexes: ['list3f'], secrets: ['encryption'] },
  variables: ['ALLOW_SANDBOX', 'ALLOW_LOOPBACK_HTTP', 'EXTRA_WEBHOOK_PORTS'],
});
