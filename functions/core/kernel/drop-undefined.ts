/** An object without the fields that are undefined. */
export const dropUndefined = <T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } =>
  // Only the undefined fields are gone, which the compiler cannot see.
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
