/**
 * The units that one partition takes in a second. More is throttled, whatever the table as a whole takes.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export const partitionLimits = { write: 1000, read: 3000 } as const;
type Limits = Readonly<Record<keyof typeof partitionLimits, number>>;

/** A write of up to 1 KB takes a unit, and two in a transaction; a read of a row is counted as one. */
export type Charge = { kind: keyof Limits; pk: string; units: number };

type Part = { Item?: Record<string, unknown>; Key?: Record<string, unknown> };

const unitsOf = ({ Item }: Part): number => Math.max(1, Math.ceil(JSON.stringify(Item ?? '').length / 1024));
const keyOf = ({ Item, Key }: Part): string => String((Item ?? Key)?.['pk']);

/** The units of a call, part by part. Queries and scans are not counted: their pages are bounded by the callers. */
export const chargesOf = (name: string, input: Record<string, unknown>): Charge[] => {
  if (name === 'GetCommand') return [{ kind: 'read', pk: keyOf(input), units: 1 }];
  if (name === 'TransactWriteCommand') {
    const { TransactItems } = input as { TransactItems: Record<string, Part>[] };
    return TransactItems.flatMap((one) => Object.values(one)).map((part) => ({
      ...{ kind: 'write', pk: keyOf(part), units: 2 * unitsOf(part) },
    }));
  }
  return /^(?:Put|Update|Delete)Command$/.test(name)
    ? [{ kind: 'write', pk: keyOf(input), units: unitsOf(input) }]
    : [];
};

/** Counts the units of each partition, second by second. */
export class PartitionMeter {
  private readonly limits: Limits;
  private second = 0;
  private readonly used = new Map<string, number>();

  constructor(limits: Limits = partitionLimits) {
    this.limits = limits;
  }

  /** Takes the units of a call, or none of them. Returns for each part whether its partition takes no more. `now`: ms. */
  take(charges: readonly Charge[], now: number): boolean[] {
    const second = Math.floor(now / 1000);
    if (second !== this.second) this.used.clear();
    this.second = second;
    const next = new Map<string, number>();
    const isOver = charges.map(({ kind, pk, units }) => {
      const name = `${kind} ${pk}`;
      const sum = (next.get(name) ?? this.used.get(name) ?? 0) + units;
      next.set(name, sum);
      return sum > this.limits[kind];
    });
    if (!isOver.includes(true)) for (const [name, sum] of next) this.used.set(name, sum);
    return isOver;
  }
}
