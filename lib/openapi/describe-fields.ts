import { isFields } from '#core/kernel/is-object.ts';
import { alerts } from './fields/alerts.ts';
import { common } from './fields/common.ts';
import { merchants } from './fields/merchants.ts';
import { orders } from './fields/orders.ts';
import * as others from './fields/others.ts';
import { threeds } from './fields/threeds.ts';
import { transactions } from './fields/transactions.ts';

/**
 * Says what each field means. Names mean the same wherever they stand, so they are described once: for all areas, or for one where
 * it has a meaning of its own. A declaration's own description goes before.
 */
type Words = Readonly<Record<string, string>>;

/** What providers call is of both. */
const providers = { ...alerts, ...orders };
const byTag: Readonly<Record<string, Words>> = {
  alerts,
  merchants,
  providers,
  orders,
  threeds,
  transactions,
  ...others,
  // The evidence against one is about its payment and its order.
  chargebacks: { ...orders, ...others.chargebacks, fraud: transactions.fraud },
};

const commonWords: Words = common;
const wordsFor = (tag: string, name: string): string | undefined => {
  // PHP's spelling of a list in a form.
  const bare = name.replace(/\[\]$/, '');
  return byTag[tag]?.[bare] ?? commonWords[bare];
};

const parts = ['items', 'additionalProperties', 'not', 'anyOf', 'oneOf', 'allOf', 'prefixItems', '$defs'] as const;

const describeAny = (tag: string, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => describeAny(tag, one));
  return isFields(schema) ? describeFields(tag, schema) : schema;
};

/** The schema, with every property described whose name has words. References keep theirs beside them. */
export const describeFields = (tag: string, schema: Record<string, unknown>): Record<string, unknown> => {
  const inner = parts.filter((part) => part in schema).map((part) => [part, inside(tag, part, schema[part])]);
  const properties = isFields(schema['properties']) && {
    properties: Object.fromEntries(
      Object.entries(schema['properties']).map(([name, property]) => [name, describeField(tag, name, property)]),
    ),
  };
  return { ...schema, ...Object.fromEntries(inner), ...properties };
};

const inside = (tag: string, part: (typeof parts)[number], value: unknown): unknown =>
  part === '$defs' && isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, describeAny(tag, one)]))
    : describeAny(tag, value);

const describeField = (tag: string, name: string, property: unknown): unknown => {
  const described = describeAny(tag, property);
  if (!isFields(described) || typeof described['description'] === 'string') return described;
  const description = wordsFor(tag, name);
  return description === undefined ? described : { ...described, description };
};

/** What a parameter means; undefined if nothing is said of it. */
export const describeParameter = wordsFor;
