import type * as v from 'valibot';
import { isSchema, type SchemaParts } from '#core/platform/http/unknown-fields.ts';

/** The fields that a schema declares, by their paths: `customer.email`, `items.*.name` for each entry of a list. */

export type DeclaredField = { path: string; schema: v.GenericSchema };

/** The schemas of which a schema is made, without those of its entries. */
const listInner = ({
  pipe: [first, ...others] = [],
  wrapped,
  options = [],
}: SchemaParts): (v.GenericSchema & SchemaParts)[] =>
  // A pipe begins with its own schema, or with another pipe.
  [...(isSchema(first) && first.pipe ? [first] : []), ...others, wrapped, ...options].filter(isSchema);

const isStructure = (schema: v.GenericSchema & SchemaParts): boolean =>
  schema.entries !== undefined || schema.item !== undefined || listInner(schema).some(isStructure);

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Every field without fields of its own; a value that may be a structure or not is listed by its structure only. */
export const declaredFields = (schema: v.GenericSchema | undefined, path = ''): DeclaredField[] => {
  if (!isSchema(schema)) return [];
  if (!isStructure(schema)) return path === '' ? [] : [{ path, schema }];
  const { entries = {}, item } = schema;
  const found = [
    ...Object.entries(entries).flatMap(([name, one]) => declaredFields(one, joined(path, name))),
    ...(item ? declaredFields(item, joined(path, '*')) : []),
    ...listInner(schema)
      .filter(isStructure)
      .flatMap((one) => declaredFields(one, path)),
  ];
  return [...new Map(found.map((field) => [field.path, field])).values()];
};

/** Why a field accepts what looks like a card number; undefined if it does not say so. */
export const cardReasonOf = (schema: unknown): string | undefined => {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ('metadata' in schema && typeof schema.metadata === 'object' && schema.metadata !== null) {
    const { allowsCardNumbers } = schema.metadata as { allowsCardNumbers?: string };
    if (allowsCardNumbers !== undefined) return allowsCardNumbers;
  }
  const { pipe = [], wrapped, options = [], item, entries = {} } = schema as Partial<SchemaParts>;
  for (const one of [...pipe, wrapped, ...options, item, ...Object.values(entries)]) {
    const reason = one === schema ? undefined : cardReasonOf(one);
    if (reason !== undefined) return reason;
  }
  return undefined;
};
