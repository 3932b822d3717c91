import type { Key, Write } from './item.ts';

/** An amount to add to an attribute of a row of sums. `fixed`: the row's other attributes, by name. */
export type Addition = { key: Key; fixed: Readonly<Record<string, unknown>>; attribute: string; n: number };

/** A row's key as text. */
const additionRow = ({ key: { pk, sk } }: Pick<Addition, 'key'>): string => `${pk}\n${sk}`;

/**
 * The most sums that one write may add to in a row: DynamoDB takes 4 KB of an expression, of which three hundred such as
 * `#a100 :n100, ` have 3.6, and what is fixed needs the rest; and it speaks of 300 operators.
 */
export const maxSums = 200;

/** The names of the sums that additions change, by row; `before`: those of additions to be made with them. */
export const sumsByRow = (
  additions: readonly Addition[],
  before: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Map<string, ReadonlySet<string>> => {
  const rows = new Map(before);
  for (const [row, own] of Map.groupBy(additions, additionRow)) {
    rows.set(row, new Set([...(before.get(row) ?? []), ...own.map(({ attribute }) => attribute)]));
  }
  return rows;
};

/** The parts of a transaction that make additions: each row is written once, and none that stays as it is. */
export const additionWrites = (additions: readonly Addition[]): Write[] =>
  [...Map.groupBy(additions, additionRow).values()].flatMap((own) => {
    const sums = new Map<string, number>();
    for (const { attribute, n } of own) sums.set(attribute, (sums.get(attribute) ?? 0) + n);
    const changed = [...sums].filter(([, n]) => n !== 0);
    const [first] = own;
    return first && changed.length > 0 ? [additionWrite(first, changed)] : [];
  });

const additionWrite = ({ key, fixed }: Addition, sums: readonly (readonly [string, number])[]): Write => {
  const values = Object.entries(fixed);
  const [sets, adds] = [
    values.map((_, index) => `#f${index} = :f${index}`),
    sums.map((_, index) => `#a${index} :n${index}`),
  ];
  return {
    Update: {
      Key: key,
      UpdateExpression: `SET ${sets.join(', ')} ADD ${adds.join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries([
        ...values.map(([name], index) => [`#f${index}`, name]),
        ...sums.map(([name], index) => [`#a${index}`, name]),
      ]),
      ExpressionAttributeValues: Object.fromEntries([
        ...values.map(([, value], index) => [`:f${index}`, value]),
        ...sums.map(([, n], index) => [`:n${index}`, n]),
      ]),
    },
  };
};
