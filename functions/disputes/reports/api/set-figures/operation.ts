import * as v from 'valibot';
import { MerchantIdField, MonthField } from '#core/kernel/schema/field-schemas.ts';
import { describeField } from '#core/kernel/schema/field-words.ts';
import { Ok, WholeNumber } from '#core/kernel/schema/schema.ts';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { figureRegions, figureSchemes } from '../../programme.ts';

const Count = WholeNumber(0, 1_000_000_000);

export const SetFigures = v.object({
  mid: v.optional(MerchantIdField),
  month: MonthField,
  scheme: describeField(v.picklist(figureSchemes, `must be one of ${figureSchemes.join(', ')}`), 'The card scheme.'),
  settled_count: describeField(
    Count,
    'How many payments were settled. Visa counts those without the card being present only.',
  ),
  chargeback_count: describeField(Count, 'How many were charged back.'),
  fraud_count: describeField(
    v.optional(Count, 0),
    'How many were reported as fraud (Visa: TC40). A refund does not remove such a report.',
  ),
  region: describeField(
    v.optional(v.picklist(figureRegions, `must be one of ${figureRegions.join(', ')}`)),
    'The region of the acquirer, whose limits hold. MENA: Middle East and North Africa; LAC: Latin America and the Caribbean.',
  ),
  amount_usd: describeField(
    v.optional(Count),
    'What the disputes and reports of fraud amount to, in whole US dollars: Visa has a limit for it in MENA.',
  ),
  fraud_chargeback_count: describeField(
    v.optional(Count),
    'How many of the chargebacks were for fraud (Mastercard: 4837), for the Excessive Fraud Merchant programme.',
  ),
  fraud_chargeback_usd: describeField(
    v.optional(Count),
    'What the chargebacks for fraud amount to, in whole US dollars.',
  ),
  three_ds_percent: describeField(
    v.optional(WholeNumber(0, 100)),
    'The share of payments that were authenticated by 3-D Secure, in percent.',
  ),
  enumerated_count: describeField(
    v.optional(Count),
    'How many authorisations Visa found to test cards (enumeration), approved or declined.',
  ),
  authorisation_count: describeField(
    v.optional(Count),
    'How many authorisations without the card being present there were, approved or declined.',
  ),
});

export const setFiguresOperation = defineOperation('reports/set-figures', {
  summary: 'Supply the figures that an acquirer reports for a month',
  description: 'For the programmes; what was supplied before for the month and scheme is replaced.',
  method: 'POST',
  path: '/api/v3/reports/figures/set',
  auth: 'bearer',
  permission: 'settings',
  roles: ['manager'],
  body: SetFigures,
  reply: Ok,
  errors: ['merchant_not_found'],
  grants: { table: ['BatchGetItem', 'PutItem'] },
  audit: true,
  auditValues: {
    sent: { month: 'value', scheme: 'value' },
    changed: {
      ...{
        settled_count: 'value',
        chargeback_count: 'value',
        fraud_count: 'value',
        region: 'value',
        amount_usd: 'value',
      },
      ...{ fraud_chargeback_count: 'value', fraud_chargeback_usd: 'value', three_ds_percent: 'value' },
      ...{ enumerated_count: 'value', authorisation_count: 'value' },
    },
  },
});
