/** The rows that are selected for one action on many. Pure. */

/** A bulk answer sends one call for each row, and the service limits the calls of a user. */
export const maxSelected = 100;

/** `shown`: the keys of the rows in their order. `from`: the other end of a range; absent to select or deselect `key` alone. */
type Toggled = { shown: readonly string[]; key: string; from?: string | undefined };

/** The keys that are selected once a row is toggled, at most a hundred. Rows that are no longer shown do not count. */
export const selectRows = (selected: ReadonlySet<string>, { shown, key, from }: Toggled): ReadonlySet<string> => {
  const present = shown.filter((one) => selected.has(one));
  if (from === undefined && selected.has(key)) return new Set(present.filter((one) => one !== key));
  const added = from === undefined ? [key] : rowRange(shown, from, key);
  return new Set([...new Set([...present, ...added])].slice(0, maxSelected));
};

/** The rows between two, in whichever order; the second alone if the first is no longer shown. */
const rowRange = (shown: readonly string[], from: string, to: string): readonly string[] => {
  const [one, other] = [shown.indexOf(from), shown.indexOf(to)];
  return one < 0 ? [to] : shown.slice(Math.min(one, other), Math.max(one, other) + 1);
};
