export type NamesOfKey = { area: string; name: string };

/** The names of an operation or a worker in its key, `area/name`. */
export const toNames = (key: string): NamesOfKey => {
  const [area = '', name = ''] = key.split('/');
  return { area, name };
};
