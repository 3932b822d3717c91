import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isFields } from '#core/kernel/is-object.ts';

/** Texts that are true of fields with different names; of any other, one of the fields means something else. */
const sharedTexts: readonly string[] = JSON.parse(readFileSync('test/openapi/shared-descriptions.json', 'utf8'));

type Json = Record<string, unknown>;
type Described = { text: string; name: string; kinds: ReadonlySet<string> };

const document: Json = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

const followed = (schema: unknown): Json => {
  if (!isFields(schema)) return {};
  const { $ref } = schema;
  if (typeof $ref !== 'string') return schema;
  const steps = $ref.slice(2).split('/');
  return followed(steps.reduce<unknown>((at, step) => Object(at)[step.replaceAll('~1', '/')], document));
};

const kindNames: Readonly<Record<string, string>> = { string: 'text', number: 'text', integer: 'text' };

/** Numbers are sent as text in some places, so both are one kind. */
const findKinds = (schema: unknown): Set<string> => {
  const { anyOf, oneOf, type, enum: words, const: word } = followed(schema);
  const options = anyOf ?? oneOf;
  if (Array.isArray(options)) return new Set(options.flatMap((one) => [...findKinds(one)]));
  const values = Array.isArray(words) ? words : word === undefined ? [] : [word];
  const types = type === undefined ? values.map((value) => typeof value) : [type].flat();
  return new Set(types.filter((one) => one !== 'null').map((one) => kindNames[String(one)] ?? String(one)));
};

/** Every described field and parameter under a part of the document. Examples are data, not schemas. */
const listDescribed = (part: unknown): Described[] => {
  if (Array.isArray(part)) return part.flatMap(listDescribed);
  if (!isFields(part)) return [];
  const { in: place, name, properties } = part;
  const own =
    typeof place === 'string' && typeof name === 'string' ? [[name, { ...part, ...followed(part['schema']) }]] : [];
  const fields = [...own, ...Object.entries(isFields(properties) ? properties : {})] as [string, unknown][];
  const described = fields.flatMap(([field, schema]) => {
    const text = isFields(schema) ? schema['description'] : undefined;
    return typeof text === 'string' ? [{ text, name: field, kinds: findKinds(schema) }] : [];
  });
  const inner = Object.entries(part).filter(([key]) => key !== 'example' && key !== 'examples');
  return [...described, ...inner.flatMap(([, one]) => listDescribed(one))];
};

const byText = Map.groupBy(listDescribed(document), ({ text }) => text);

/** Without what spelling and lists in forms add: `alert_type[]` is `alertType`. */
const plainName = (name: string): string => name.replace(/\W|_/g, '').toLowerCase();

const listNames = (fields: readonly Described[]): string[] => [...new Set(fields.map(({ name }) => name))].sort();

it('describes fields with different names by different texts, unless the text is listed as true of all of them', () => {
  const several = [...byText].filter(([, fields]) => new Set(fields.map(({ name }) => plainName(name))).size > 1);
  const unlisted = several.filter(([text]) => !sharedTexts.includes(text));
  expect(unlisted.map(([text, fields]) => `${text} (${listNames(fields).join(', ')})`)).toEqual([]);
  expect(several.map(([text]) => text).sort()).toEqual([...sharedTexts].sort());
});

it('describes an object, a list, a flag and a value by different texts', () => {
  const clash = ({ kinds }: Described, other: Described): boolean =>
    kinds.size > 0 && other.kinds.size > 0 && ![...kinds].some((kind) => other.kinds.has(kind));
  const several = [...byText].filter(([, fields]) => fields.some((one) => fields.some((other) => clash(one, other))));
  expect(several.map(([text, fields]) => `${text} (${listNames(fields).join(', ')})`)).toEqual([]);
});
