import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import type { ConditionGroup } from '#payments/conditions/condition-reader.ts';
import { includedTemplate, type Template } from './template.ts';

const Threshold = v.nullable(v.number());

/** The tree of conditions was checked before it was stored. */
const TemplateRuleShape = v.looseObject({
  name: v.string(),
  conditions: v.custom<ConditionGroup>(isObject),
  effect: v.union([v.looseObject({ score: v.number() }), v.looseObject({ decision: v.string() })]),
  otherCurrencies: v.exactOptional(v.string()),
});

const TemplateShape = v.looseObject({
  ftid: v.number(),
  version: v.number(),
  scorer: v.string(),
  fallbacks: v.exactOptional(v.array(v.string())),
  noAnswer: v.exactOptional(v.string()),
  rules: v.array(TemplateRuleShape),
  thresholds: v.looseObject({ review: Threshold, three_ds: Threshold, reject: Threshold }),
  updatedAt: v.string(),
  by: v.nullable(v.string()),
});

const TemplateRow = defineRow<Template>({
  entity: 'FRAUD_TEMPLATE',
  attribute: 'template',
  schema: TemplateShape,
});

const VersionRow = defineRow<Template>({
  entity: 'FRAUD_TEMPLATE_VERSION',
  attribute: 'template',
  schema: TemplateShape,
});

/** Reads the version in force back; if none was written, it is the one that came with the service. */
export const fromCurrentItem = (ftid: number, item: Item | undefined): Template =>
  TemplateRow.find(item) ?? includedTemplate(ftid);

/** Reads one version back. */
export const fromVersionItem = VersionRow.read;

/**
 * The parts of a transaction that put a version in force and keep it. The first part's condition fails if another version was
 * made meanwhile; `before`: the version this one follows, 0 for none.
 */
export const templateWrites = (template: Template, before: number): Write[] => {
  const { ftid, version } = template;
  return [
    {
      Put: {
        Item: { ...keys.fraudTemplate(ftid), ...TemplateRow.stamp, version, template },
        // The first version of a template that came with the service is in no row.
        ConditionExpression: before > 1 ? '#version = :before' : 'attribute_not_exists(pk) OR #version = :before',
        ExpressionAttributeNames: { '#version': 'version' },
        ExpressionAttributeValues: { ':before': before },
      },
    },
    { Put: { Item: { ...keys.fraudTemplateVersion(ftid, version), ...VersionRow.stamp, template } } },
  ];
};
