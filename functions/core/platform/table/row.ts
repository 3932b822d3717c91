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
  /** The whole row. Loose objects keep what a later release has added. */
  schema: v.GenericSchema<unknown, Stored<T>>;
};

/**
 * The type that the schema of a row checks. Words of closed sets are read as text: while two releases run, a row may have a word that
 * this release does not know.
 */
type Stored<T> = unknown extends T ? T : T extends string ? string : { [Name in keyof T]: Stored<T[Name]> };

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
  schema,
}: Declared<T>): RowReader<T> => {
  const read = (item: Item): T => {
    const kept: unknown = attribute === null ? item : item[attribute];
    const row = isObject(kept)
      ? upgrades.slice(rowVersion(item) - 1).reduce((before, step) => step(before), kept)
      : kept;
    const { issues, output } = v.safeParse(schema, row);
    if (issues) throw new Error(`A row ${entity} cannot be read: ${issues.map(describeFault).join(', ')}`);
    // Only the words of closed sets are not checked; see Stored.
    return output as T;
  };
  return {
    stamp: { entity, schemaVersion: upgrades.length + 1 },
    read,
    find: (item) =>
      item === undefined || (attribute !== null && item[attribute] === undefined) ? undefined : read(item),
  };
};

const rowVersion = ({ schemaVersion }: Item): number => Number(schemaVersion) || 1;

/** The field and what was expected, not the value, which may be confidential. */
const describeFault = ({ path, expected }: v.BaseIssue<unknown>): string =>
  `${path?.map(({ key }) => key).join('.') ?? 'all of it'} should be ${expected}`;
