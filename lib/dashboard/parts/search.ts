type Named = { name: string };

/**
 * Reads the text of a search box: `type:FRAUD amount:361.56 4242`. A word with the name of a filter before it belongs to that filter; a
 * word alone belongs to the default field. Quotes keep words together.
 */
export const readSearch = (text: string, filters: readonly Named[], alone: string): Record<string, string> => {
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const [, name = '', quoted, plain] of text.matchAll(/(?:([\w]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? plain ?? '';
    const filter = filters.find((one) => one.name === name || one.name.endsWith(`_${name}`));
    if (name !== '' && filter) fields[filter.name] = value;
    else rest.push(name === '' ? value : `${name}:${value}`);
  }
  const words = rest.join(' ').trim();
  return words === '' ? fields : { ...fields, [alone]: words };
};

const quotedIfNeeded = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);

/** Returns the text that the search box shows for the current filters. */
export const searchText = (fields: Readonly<Record<string, string>>, alone: string): string =>
  Object.entries(fields)
    .map(([name, value]) => (name === alone ? value : `${name}:${quotedIfNeeded(value)}`))
    .join(' ');
