import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { handlerFile } from '#functions/declaration-files.ts';
import { operations } from '#functions/operations.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Json;

/** Returns every field and parameter under a part of the document that has no description. */
const undescribed = (value: unknown, where: string): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => undescribed(one, where));
  if (!isObject(value)) return [];
  const isParameter = typeof value['name'] === 'string' && typeof value['in'] === 'string';
  const own = isParameter && !value['description'] && !value['$ref'] ? [`${where} ?${value['name']}`] : [];
  const properties = isObject(value['properties']) ? Object.entries(value['properties']) : [];
  const silent = properties.filter(
    ([, property]) => isObject(property) && !property['description'] && !property['$ref'],
  );
  // Examples are data: what looks like a schema in them is none.
  const inner = Object.entries(value).filter(([name]) => name !== 'example' && name !== 'examples');
  return [
    ...own,
    ...silent.map(([name]) => `${where} ${name}`),
    ...inner.flatMap(([name, one]) => undescribed(one, name.startsWith('/') || where === '' ? name : where)),
  ];
};

/** The declarations whose text has a field of this name. */
const declaredBy = (field: string): string => {
  const names = operations
    .filter((one) =>
      new RegExp(`\\b${field}\\b`).test(readFileSync(handlerFile(one).replace('handler.ts', 'operation.ts'), 'utf8')),
    )
    .map(({ area, name }) => `${area}/${name}`);
  return names.length > 0 ? ` (${names.join(', ')})` : '';
};

it('describes every field and parameter', () => {
  const silent = undescribed(document, '');
  const told = silent.map((field) => `${field}${declaredBy(field.split(' ').at(-1)?.replace('?', '') ?? '')}`);
  expect(told, 'Describe each with v.description() in its schema').toEqual([]);
});
