import * as v from 'valibot';
import { ChargebackIdReply, CurrencyReply, NextCursorReply, SiteIdReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, nullableCount, nullableText, text } from '#core/kernel/schema/field-words.ts';
import { Id, Nested, WholeNumber } from '#core/kernel/schema/schema.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { AnyActionField, owner, RuleConditionsSchema } from '#disputes/rules/schemas.ts';
import { disputeStatuses } from '#payments/processors/ports/dispute.ts';
import { wouldBeActions } from '../../automatic/past-verdict.ts';

const BackTestBody = v.pipe(
  v.object({
    ...owner,
    about: describeField(
      v.optional(v.picklist(['chargebacks', 'rdr'], 'must be one of chargebacks, rdr'), 'chargebacks'),
      '`rdr`: what rules for Visa’s Rapid Dispute Resolution would have refunded, of Visa’s disputes alone.',
    ),
    rule_id: describeField(v.optional(Id), 'Only this rule of the owner, enabled or not; absent: all in order.'),
    rule: describeField(
      v.optional(Nested({ conditions: RuleConditionsSchema, action: AnyActionField })),
      'A draft rule, tried on its own.',
    ),
    days: describeField(v.optional(WholeNumber(1, 400), 365), 'Days back from now.'),
    size: describeField(v.optional(WholeNumber(1, 50), 25), 'How many to read at most.'),
    cursor: describeField(
      v.optional(v.pipe(AnyText, v.maxLength(2000, 'is not a valid cursor'))),
      'Where the page begins: `next_cursor` of the previous page, with the same filters.',
    ),
  }),
  v.forward(
    v.check(
      ({ rule_id, rule }) => rule_id === undefined || rule === undefined,
      'give either rule_id or rule, not both',
    ),
    ['rule_id'],
  ),
);

export const backTestChargebackRulesOperation = defineOperation('chargebacks/back-test-chargeback-rules', {
  summary: 'Show what rules would have done with past chargebacks',
  description:
    'Oldest first, a page at a time: of a payment site (`sid`), or of a merchant (`mid`) with its connections. Each chargeback is judged as it ' +
    'came in and at the times that conditions name, by the evidence that exists today and by what was decided until then. Nothing is changed.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargebacks',
  auth: 'bearer',
  permission: 'settings:read',
  body: BackTestBody,
  reply: v.object({
    list: describeField(
      v.array(
        v.object({
          chargeback_id: ChargebackIdReply,
          sid: v.nullable(SiteIdReply),
          opened_at: text('When the issuer raised it (ISO 8601, UTC).'),
          reason_code: text('Why the issuer raised it.'),
          amount: text('What is disputed.'),
          currency: CurrencyReply,
          status: describeField(v.picklist(disputeStatuses), 'How it stands, or how it ended.'),
          evidence_submitted_at: nullableText('When evidence was submitted from here.'),
          rule_id: nullableCount('Null: the rule that was sent along.'),
          would: describeField(v.picklist(wouldBeActions), 'What it would have done.'),
          reason: nullableText('Why it would have been left to you: `evidence_below_floor`.'),
          would_at: text('When it would have done that (ISO 8601, UTC).'),
          win_chance: nullableCount('The chance to win in percent, as it was known then.'),
        }),
      ),
      'Chargebacks that a rule matches, the oldest first.',
    ),
    evaluated: count('How many chargebacks this page looked at.'),
    matched: count('How many of them a rule matches.'),
    totals: describeField(
      v.array(
        v.object({
          currency: CurrencyReply,
          submitted: text('The amounts for which evidence would have been submitted.'),
          would_refund: describeField(
            v.optional(v.string()),
            'Of rdr: the amounts that the rules would have refunded.',
          ),
          by_network: describeField(v.optional(v.string()), 'Of rdr: what the network has refunded.'),
          by_network_only: describeField(
            v.optional(v.string()),
            'Of rdr: of what the network has refunded, what these rules would have left alone.',
          ),
          won: text('Of these, what was won.'),
          lost: text('What was lost although evidence was submitted from here.'),
          pending: text('What is not decided yet.'),
          uncontested: text('What was lost or accepted without evidence from here.'),
          expected_of_uncontested: nullableText(
            'Of that, what the chance to win would have brought; null where no chance was known.',
          ),
        }),
      ),
      'Of this page, per currency.',
    ),
    from: text('From when.'),
    to: text('Until when.'),
    next_cursor: v.nullable(NextCursorReply),
  }),
  errors: ['merchant_not_found', 'site_not_found', 'site_not_for_payments', 'rule_not_found'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query'],
    indexes: ['list2', 'list2f', 'list4'],
    secrets: ['encryption'],
  },
  memoryMegabytes: 512,
});
