import { indexNames } from '#core/platform/operation/grants.ts';

/**
 * The units that one partition takes in a second. More is throttled, whatever the table as a whole takes.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export const partitionLimits = { write: 1000, read: 3000 } as const;
type Limits = Readonly<Record<keyof typeof partitionLimits, number>>;

/** A write of up to 1 KB takes a unit, and two in a transaction; a read of a row is counted as one. */
export type Charge = { kind: keyof Limits; pk: string; units: number };

type Row = Readonly<Record<string, unknown>>;
type Part = { Item?: Row; Key?: Row };
/** Returns a row of the table as it is now. */
type RowOf = (pk: string, sk: string) => Row | undefined;

const writeUnits = ({ Item }: Part): number => Math.max(1, Math.ceil(JSON.stringify(Item ?? '').length / 1024));
const partPk = ({ Item, Key }: Part): string => String((Item ?? Key)?.['pk']);
const attributes = indexNames.map((name) => `${name}Pk`);

/**
 * A row is written again in each index that has it, and deleted where it was before. An index whose partition takes no more holds up the
 * writes of the table.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
 */
const chargesOfIndexes = (part: Part, isDeletion: boolean, rowOf: RowOf): Charge[] => {
  const { pk, sk } = part.Item ?? part.Key ?? {};
  const before = rowOf(String(pk), String(sk));
  // An update seldom moves a row in an index, so the row is taken to stay where it is.
  const after = isDeletion ? undefined : (part.Item ?? before);
  return attributes.flatMap((attribute) => {
    const places = new Set([before?.[attribute], after?.[attribute]].filter((place) => place !== undefined));
    return [...places].map((place) => ({ kind: 'write' as const, pk: `${attribute} ${place}`, units: 1 }));
  });
};

const chargesOfWrite = (verb: string, part: Part, factor: number, rowOf: RowOf): Charge[] => [
  { kind: 'write', pk: partPk(part), units: factor * writeUnits(part) },
  ...(verb === 'ConditionCheck' ? [] : chargesOfIndexes(part, verb === 'Delete', rowOf)),
];

/** The units of a call, part by part. Queries and scans are not counted: their pages are bounded by the callers. */
export const toCharges = (name: string, input: Record<string, unknown>, rowOf: RowOf = () => undefined): Charge[][] => {
  if (name === 'GetCommand') return [[{ kind: 'read', pk: partPk(input), units: 1 }]];
  if (name === 'TransactWriteCommand') {
    const { TransactItems } = input as { TransactItems: Record<string, Part>[] };
    return TransactItems.flatMap((one) => Object.entries(one)).map(([verb, part]) =>
      chargesOfWrite(verb, part, 2, rowOf),
    );
  }
  const [, verb] = /^(Put|Update|Delete)Command$/.exec(name) ?? [];
  return verb ? [chargesOfWrite(verb, input, 1, rowOf)] : [];
};

/** Counts the units of each partition, second by second. */
export class PartitionMeter {
  private readonly limits: Limits;
  private second = 0;
  private readonly used = new Map<string, number>();

  constructor(limits: Limits = partitionLimits) {
    this.limits = limits;
  }

  /** Takes the units of a call, or none of them. Returns for each part whether a partition takes no more of it. `now`: ms. */
  take(parts: readonly (readonly Charge[])[], now: number): boolean[] {
    const second = Math.floor(now / 1000);
    if (second !== this.second) this.used.clear();
    this.second = second;
    const next = new Map<string, number>();
    const add = ({ kind, pk, units }: Charge): boolean => {
      const name = `${kind} ${pk}`;
      const sum = (next.get(name) ?? this.used.get(name) ?? 0) + units;
      next.set(name, sum);
      return sum > this.limits[kind];
    };
    // All of a part are added, whichever is too much.
    const isOver = parts.map((charges) => charges.map(add).includes(true));
    if (!isOver.includes(true)) for (const [name, sum] of next) this.used.set(name, sum);
    return isOver;
  }
}
