/** `fits`: the form of a word that belongs to the filter without its name. */
type Named = { name: string; fits?: RegExp };

/**
 * Reads the text of a search box: `type:FRAUD amount:361.56 4242`. A word with the name of a filter before it belongs to that filter; a
 * word alone to the one whose form it has. Quotes keep words together. `rest`: words that belong to none, which the search of everything knows.
 */
export const readSearch = (
  text: string,
  filters: readonly Named[],
): { fields: Record<string, string>; rest: string } => {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const [, name = '', quoted, plain] of text.matchAll(/(?:([\w]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? plain ?? '';
    const filter =
      name === ''
        ? filters.find(({ fits }) => fits?.test(value))
        : filters.find((one) => one.name === name || one.name.endsWith(`_${name}`));
    if (filter) fields[filter.name] = value;
    else rest.push(name === '' ? value : `${name}:${value}`);
  }
  return { fields, rest: rest.join(' ').trim() };
};
