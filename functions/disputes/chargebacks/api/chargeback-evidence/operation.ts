import * as v from 'valibot';
import { PlainNameReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag } from '#core/kernel/schema/field-words.ts';
import { Flag } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderEvidence } from '#disputes/lookups/api/order-evidence/operation.ts';
import { shownFields } from '#payments/transactions/transaction/transaction-dto-schemas.ts';
import { letterFontFiles } from '../../letter/letter-font-files.ts';
import { ChargebackDetails, ChargebackParams, DownloadableFile, EstimateReply } from '../../schemas.ts';

const text = v.nullable(v.string());

const EvidenceBody = v.object({
  submit: describeField(
    v.optional(Flag, false),
    'Submits it to the processor, once and for all, where that can be done from here.',
  ),
  fee_acknowledged: describeField(
    v.optional(Flag, false),
    'With `submit`: you agree to the fee for contesting a compliance dispute at Stripe, 500 USD that are returned only if it is won.',
  ),
  archive: describeField(v.optional(Flag, false), 'Also returns the facts as a ZIP, without files.'),
});

export const chargebackEvidenceOperation = defineOperation('chargebacks/chargeback-evidence', {
  summary: 'Assemble evidence against a chargeback, and submit it',
  description:
    'What is known of the payment, how its payer was authenticated, how fraud checks judged it, and what its order and the earlier ' +
    "of the same card prove under Visa's Compelling Evidence 3.0. With `submit`, it goes to Stripe, Adyen, Braintree, PayPal, Shopify or " +
    'Checkout.com, once; others accept it only in their portals, before `due_by`: `…/packet` makes a PDF or a ZIP of it, with the uploaded files.',
  method: 'POST',
  path: '/api/v3/service_alerts/chargeback/{id}/evidence',
  auth: 'bearer',
  permission: 'chargebacks',
  // All roles may read it; the handler lets only analysts and managers submit.
  roles: ['analyst', 'developer', 'manager'],
  params: ChargebackParams,
  body: EvidenceBody,
  reply: v.object({
    archive: describeField(
      v.nullable(v.object({ name: PlainNameReply, content_base64: describeField(v.string(), 'The file, in base64.') })),
      'The evidence as a ZIP, in base64; null unless it is asked for.',
    ),
    files: describeField(v.array(DownloadableFile), 'The uploaded files, which are submitted with the rest.'),
    sender: describeField(
      v.object({
        name: describeField(v.string(), 'The shop, or the merchant if the site does not describe its shop.'),
        lines: describeField(v.array(v.string()), 'The address, and where customers are helped.'),
        policies: describeField(v.array(v.string()), 'What customers agree to, as the letter names it.'),
      }),
      'The head of the letter, from the order profile of the site.',
    ),
    response: describeField(
      v.object({
        text: describeField(v.string(), 'The text of the response.'),
        is_edited: flag('True if a user wrote it; false if it is generated from the facts.'),
        unshown: describeField(
          v.array(v.string()),
          'Characters of the letter that no font of the PDF has: it shows a question mark for each.',
        ),
      }),
      'The response to the issuer.',
    ),
    estimate: EstimateReply,
    chargeback: describeField(ChargebackDetails, 'The chargeback in its present state.'),
    payment: describeField(
      v.nullable(
        v.object({
          ...shownFields,
          descriptor: describeField(text, 'As it appeared on the statement.'),
          email: describeField(text, "The payer's."),
          refunded: describeField(v.string(), 'How much of it was refunded.'),
          three_ds: describeField(
            v.nullable(v.looseObject({ source: describeField(v.string(), 'Where the order came from.') })),
            'How the payer was authenticated, and whether liability was expected to shift; null: not at all.',
          ),
        }),
      ),
      'The payment that is charged back; null once it is no longer kept.',
    ),
    order_evidence: describeField(
      v.nullable(OrderEvidence),
      'As `…/orders/{id}/evidence` gives it; null where there is no order of the payment.',
    ),
  }),
  errors: ['chargeback_not_found', 'chargeback_over', 'evidence_refused', 'changed_meanwhile'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    indexes: ['list2f'],
    secrets: ['encryption'],
    send: ['chargebacks'],
    objects: ['GetObject evidence'],
  },
  assets: letterFontFiles,
  variables: ['ALLOW_LOOPBACK_HTTP'],
  // Some processors need the response as a PDF, and pictures are decoded to be put on a page.
  memoryMegabytes: 1024,
});
