import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  everybody,
  fewEntities,
  isCountedList,
  listNameOf,
  onDemandEntities,
  uncountedEntities,
} from '#core/platform/lists/listing.ts';
import { listedEntities } from '#jobs/counter/worker.ts';

/** Every entity whose rows are in lists, by its name in the sources. */
const sources = readdirSync('functions', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`functions/${file}`, 'utf8'));
const constants = new Map(
  sources.flatMap((text) => [...text.matchAll(/const (\w+Entity) = '([A-Z_]+)'/g)].map(([, name, is]) => [name, is])),
);
const written = sources.flatMap((text) =>
  [...text.matchAll(/(?<!const )\blistKeys\(\s*(?:'([A-Z_]+)'|(\w+))/g)].map(([, literal, name]) => {
    // Its lists are named by their terms too.
    if (name === 'informEntity') return 'INFORM';
    return literal ?? constants.get(name) ?? `${name}, of which no value is found`;
  }),
);

it.each([...new Set(written)])(
  'lists of %s are counted by the counter, on demand, each time, or are said not to be',
  (entity) => {
    const isForCounter = new Set<string>(listedEntities).has(entity);
    const isNotForCounter = fewEntities.has(entity) || uncountedEntities.has(entity);
    expect(isForCounter).toBe(!isNotForCounter);
    expect(isCountedList(listNameOf(entity, everybody))).toBe(isForCounter && !onDemandEntities.has(entity));
  },
);

it('the functions write every entity that is listed or counted', () =>
  expect(written).toEqual(expect.arrayContaining([...listedEntities, ...fewEntities, ...uncountedEntities])));
