/** A record with a value for each of these names, in their order. */
export const makeRecord = <Name extends string, T>(names: readonly Name[], make: (name: Name) => T): Record<Name, T> =>
  // Every name is present, which the compiler cannot see.
  Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;

/** The names of a record, all of which are known. */
export const recordNames = <Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] =>
  // The type allows more names than it lists; these records are constants of Forewarn.
  Object.keys(record) as Name[];
