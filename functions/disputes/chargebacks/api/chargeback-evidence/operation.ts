import * as v from 'valibot';
import { PlainNameReply } from '#core/kernel/schema/field-schemas.ts';
import { Flag } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { OrderEvidence } from '#disputes/lookups/api/order-evidence/operation.ts';
import { shownFields } from '#payments/transactions/transaction/transaction-dto-schemas.ts';
import { letterFontFiles } from '../../letter/letter-font-files.ts';
import { ChargebackDetails, ChargebackParams, DownloadableFile } from '../../schemas.ts';

const text = v.nullable(v.string());

const EvidenceBody = v.object({
  submit: v.pipe(
    v.optional(Flag, false),
    v.description('Submits it to the processor, once and for all, where that can be done from here.'),
  ),
  fee_acknowledged: v.pipe(
    v.optional(Flag, false),
    v.description(
      'With `submit`: you agree to the fee for contesting a compliance dispute at Stripe, 500 USD that are returned only if it is won.',
    ),
  ),
  archive: v.pipe(v.optional(Flag, false), v.description('Also returns the facts as a ZIP, without files.')),
});

export const chargebackEvidenceOperation = defineOperation({
  area: 'chargebacks',
  name: 'chargeback-evidence',
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
    archive: v.pipe(
      v.nullable(
        v.object({ name: PlainNameReply, content_base64: v.pipe(v.string(), v.description('The file, in base64.')) }),
      ),
      v.description('The evidence as a ZIP, in base64; null unless it is asked for.'),
    ),
    files: v.pipe(v.array(DownloadableFile), v.description('The uploaded files, which are submitted with the rest.')),
    sender: v.pipe(
      v.object({
        name: v.pipe(v.string(), v.description('The shop, or the merchant if the site does not describe its shop.')),
        lines: v.pipe(v.array(v.string()), v.description('The address, and where customers are helped.')),
        policies: v.pipe(v.array(v.string()), v.description('What customers agree to, as the letter names it.')),
      }),
      v.description('The head of the letter, from the order profile of the site.'),
    ),
    response: v.pipe(
      v.object({
        text: v.pipe(v.string(), v.description('The text of the response.')),
        is_edited: v.pipe(
          v.boolean(),
          v.description('True if a user wrote it; false if it is generated from the facts.'),
        ),
        unshown: v.pipe(
          v.array(v.string()),
          v.description('Characters of the letter that no font of the PDF has: it shows a question mark for each.'),
        ),
      }),
      v.description('The response to the issuer.'),
    ),
    chargeback: v.pipe(ChargebackDetails, v.description('The chargeback in its present state.')),
    payment: v.pipe(
      v.nullable(
        v.object({
          ...shownFields,
          descriptor: v.pipe(text, v.description('As it appeared on the statement.')),
          email: v.pipe(text, v.description("The payer's.")),
          refunded: v.pipe(v.string(), v.description('How much of it was refunded.')),
          three_ds: v.pipe(
            v.nullable(v.looseObject({ source: v.pipe(v.string(), v.description('Where the order came from.')) })),
            v.description(
              'How the payer was authenticated, and whether liability was expected to shift; null: not at all.',
            ),
          ),
        }),
      ),
      v.description('The payment that is charged back; null once it is no longer kept.'),
    ),
    order_evidence: v.pipe(
      v.nullable(OrderEvidence),
      v.description('As `…/orders/{id}/evidence` gives it; null where there is no order of the payment.'),
    ),
  }),
  errors: ['chargeback_not_found', 'chargeback_over', 'evidence_refused', 'changed_meanwhile'],
  grants: {
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
    secrets: ['encryption'],
    send: ['chargebacks'],
    objects: ['GetObject evidence'],
  },
  assets: letterFontFiles,
  variables: ['ALLOW_LOOPBACK_HTTP'],
  // Some processors need the response as a PDF, and pictures are decoded to be put on a page.
  memoryMegabytes: 1024,
});
