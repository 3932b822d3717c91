import * as v from 'valibot';
import { defineOperation } from '#core/platform/operation/operation.ts';
import { shownContent, templateContent } from '#payments/fraud/template/template-schemas.ts';
import { addition } from '../../declarations.ts';
import { EntryAdded, NewEntry } from '../../schemas.ts';

export const NewFraudTemplate = v.object({ ...NewEntry.entries, ...templateContent });

export const FraudTemplateAdded = v.object({ ...EntryAdded.entries, ...shownContent });

export const addFraudTemplateOperation = defineOperation('datasources/add-fraud-template', {
  ...addition,
  summary: 'Add a fraud template',
  description:
    'From then on it is listed, and can be named as `ftid`. Without content it has the local scorer, no rules and the usual ' +
    'thresholds. Its content is version 1.',
  body: NewFraudTemplate,
  reply: FraudTemplateAdded,
  path: '/api/v3/datasource/fraudtemplate/add',
  audit: true,
  auditValues: { sent: { name: 'value' } },
});
