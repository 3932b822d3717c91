import type { Item } from './expressions.ts';

type Partition = Map<string, Item>;

/** Rows by partition and identifier. A copy shares its partitions with what it was made of, until it writes one itself. */
export class Partitions {
  private readonly partitions: Map<string, Partition>;
  private readonly own = new Set<string>();

  constructor(partitions: ReadonlyMap<string, Partition> = new Map()) {
    this.partitions = new Map(partitions);
  }

  copy(): Partitions {
    return new Partitions(this.partitions);
  }

  of(name: string): ReadonlyMap<string, Item> | undefined {
    return this.partitions.get(name);
  }

  /** Sets a row; undefined: removes it. */
  set(name: string, id: string, row: Item | undefined): void {
    const partition = this.ownOf(name);
    if (row) partition.set(id, row);
    else partition.delete(id);
  }

  private ownOf(name: string): Partition {
    const known = this.partitions.get(name);
    if (known && this.own.has(name)) return known;
    const made: Partition = new Map(known);
    this.partitions.set(name, made);
    this.own.add(name);
    return made;
  }
}
