import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import type { Item } from './item.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Converts a row of one version to the next. It may meet rows that have that form already. */
export type Upgrade = (before: Fields) => Fields;

type Declared<T> = {
  entity: string;
  /** The attribute that holds it; null: its fields are at the top level, with the keys. */
  attribute: string | null;
  /** From each version to the next, in order. Rows from before versions were introduced are of the first. */
  upgrades?: readonly Upgrade[];
} & Checked<T>;

/**
 * The checked part of a row. `schema`: all of it; loose objects keep what a later release has added. `fields`: only what identifies it or
 * what decisions and conditions depend on; the others are read as their only writer left them.
 */
type Checked<T> =
  | { schema: v.GenericSchema<unknown, T> }
  | { fields: { readonly [Name in keyof T]?: v.GenericSchema } };

export type RowReader<T> = {
  /** The fields that each written row carries: `{entity, schemaVersion}`. */
  stamp: { entity: string; schemaVersion: number };
  /** Reads a row back. Throws an Error that names the entity and the wrong fields, but no values. */
  read(item: Item): T;
  /** The same; undefined where there is no row, or none of this kind in it. */
  find(item: Item | undefined): T | undefined;
};

/** Declares the reader for the rows of one entity, of every version that any release has written. See docs/decisions/0054. */
export const defineRow = <T extends object>({
  entity,
  attribute,
  upgrades = [],
  ...checked
}: Declared<T>): RowReader<T> => {
  const schema = 'schema' in checked ? checked.schema : v.object(checked.fields as Record<string, v.GenericSchema>);
  const read = (item: Item): T => {
    const kept: unknown = attribute === null ? item : item[attribute];
    const row = isObject(kept)
      ? upgrades.slice(versionOf(item) - 1).reduce((before, step) => step(before), kept)
      : kept;
    const { issues, output } = v.safeParse(schema, row);
    if (issues) throw new Error(`A row ${entity} cannot be read: ${issues.map(wordsOf).join(', ')}`);
    // A row that is checked in part stays as it is: the schemas of its fields may cover less than these hold.
    return ('schema' in checked ? output : row) as T;
  };
  return {
    stamp: { entity, schemaVersion: upgrades.length + 1 },
    read,
    find: (item) =>
      item === undefined || (attribute !== null && item[attribute] === undefined) ? undefined : read(item),
  };
};

const versionOf = ({ schemaVersion }: Item): number => Number(schemaVersion) || 1;

/** The field and what was expected, not the value, which may be confidential. */
const wordsOf = ({ path, expected }: v.BaseIssue<unknown>): string =>
  `${path?.map(({ key }) => key).join('.') ?? 'all of it'} should be ${expected}`;
