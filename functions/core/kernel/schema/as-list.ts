/** A list; or, as PHP writes one, an object whose names are numbers, also with gaps where entries were removed. */
export const asList = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  const isList = entries.length > 0 && entries.every(([name]) => /^(?:0|[1-9]\d{0,3})$/.test(name));
  return isList ? entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, one]) => one) : value;
};
