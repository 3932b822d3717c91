import { readFileSync } from 'node:fs';
import { parse as parseForm } from 'node:querystring';
import type * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { gatherLists } from '#core/platform/http/body.ts';
import { canonicalForm } from '#core/platform/http/form.ts';
import { readJson } from '#core/platform/http/json.ts';
import { parse } from '#core/platform/http/parse.ts';
import { samplePath } from '#core/platform/operation/operation.ts';
import { operations } from '#functions/operations.ts';

/** Every operation that takes URLs or amounts says all that is wrong with a body at once. */

type Fields = Record<string, unknown>;
type Schema = v.GenericSchema & {
  entries?: Record<string, Schema>;
  wrapped?: Schema;
  item?: Schema;
  options?: readonly unknown[];
  pipe?: readonly unknown[];
};

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A schema's parts, each with its key (`*` in a list); without the `unknown` that some pipes begin with. */
const schemaParts = (schema: Schema): (readonly [key: string | null, part: Schema])[] => [
  ...Object.entries(schema.entries ?? {}),
  ...(schema.item ? [['*', schema.item] as const] : []),
  ...[schema.wrapped, ...(schema.options ?? []), ...(schema.pipe ?? []).filter((part) => part !== schema)].flatMap(
    (part) => (isSchema(part) && part !== schema && part.type !== 'unknown' ? [[null, part] as const] : []),
  ),
];

const wanted = /url$|amount|^price$|^fixed$|^value$/i;
/** The paths of all URLs and amounts in a schema. */
const placesIn = (schema: Schema, path: readonly string[] = []): string[] => {
  const found = schemaParts(schema).flatMap(([key, part]) => placesIn(part, key === null ? path : [...path, key]));
  const last = path.findLast((key) => key !== '*') ?? '';
  const isLeaf = found.length === 0 && schema.entries === undefined;
  return [...new Set(isLeaf && wanted.test(last) ? [path.join('.')] : found)];
};

/** A copy of a body with something else at a path; undefined where the body has nothing there to put it into. */
const withValue = (body: unknown, path: readonly string[], value: unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (key === '*') {
    const [first, ...others]: unknown[] = Array.isArray(body) ? body : [body];
    const changed = withValue(first, rest, value);
    return changed === undefined ? undefined : [changed, ...others];
  }
  if (!isFields(body)) return undefined;
  const inner = withValue(body[key], rest, value);
  return inner === undefined ? undefined : { ...body, [key]: inner };
};

const parseDetails = (schema: v.GenericSchema, body: unknown): string => {
  try {
    parse(schema, body);
    return '';
  } catch (error) {
    return error instanceof Error && 'details' in error ? String(error.details) : String(error);
  }
};
const splitNames = (details: string): string[] => details.split('; ').map((one) => one.split(': ')[0] ?? '');

/** Look-ups mean what they can, and a network is not told what of its question was no use. The shop only signs what it made. */
const lenient = ['lookups/lookup-provider-a', 'lookups/lookup-provider-b', 'threeds/sandbox-shop-sign'];

const cases = operations.flatMap((operation) => {
  const { area, name, body: schema } = operation;
  const places = schema && !lenient.includes(`${area}/${name}`) ? placesIn(schema) : [];
  return schema && places.length > 0
    ? [{ operation: `${area}/${name}`, schema, places, sample: sampleBody(operation) }]
    : [];
});

/** Fills in what samples leave open; here it only must have the right shape. */
function filledIn(name: string): string {
  if (name === 'now') return '2026-05-02T10:00:00Z';
  if (name === 'now_seconds') return '1777716000';
  if (name.endsWith('hash')) return 'a'.repeat(32);
  return name === 'order_arn' ? '1'.repeat(23) : '1';
}

function sampleBody(operation: (typeof operations)[number]): Fields {
  const sample = readFileSync(samplePath(operation), 'utf8');
  const event = JSON.parse(sample.replace(/\{\{(\w+)\}\}/g, (_, name: string) => filledIn(name)));
  const isForm = String(event.headers['content-type']).includes('form-urlencoded');
  const read = isForm ? parseForm(canonicalForm(event.body)) : readJson(event.body);
  return gatherLists(isFields(read) ? { ...read } : {});
}

/** Another field of the body, put wrong, so that its own schema names it. */
const otherMistake = (schema: v.GenericSchema, sample: Fields, besides: readonly string[]): Fields | undefined => {
  const entries = isSchema(schema) ? Object.keys(schema.entries ?? {}) : [];
  const taken = new Set(besides.map((place) => place.split('.')[0]));
  const names = [...Object.keys(sample), ...entries].filter((name) => !taken.has(name) && !/currency/i.test(name));
  const name = names.find((one) => splitNames(parseDetails(schema, { ...sample, [one]: { x: [[]] } })).includes(one));
  return name === undefined ? undefined : { [name]: { x: [[]] } };
};

/** Returns the name of a place: the first of a list, which some accept without the list. */
const likePlace = (place: string) => expect.stringMatching(new RegExp(`^${place.replace('*', '0')}(\\.0)?$`));
const wrongFor = (place: string): unknown => (/url$/i.test(place) ? 'ftp://shop.example.com/x y' : '10.99999');

describe('what is wrong with a body', () => {
  it('is looked for in every operation that takes URLs or amounts', () =>
    expect(cases.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining([
        'alerts/receive-provider-a',
        'alerts/receive-provider-b',
        'alerts/receive-rdr',
        'costs/set-alert-prices',
        'merchants/set-alert-settings',
        'onboarding/enroll-retailer-site',
        'transactions/singletx',
        'transactions/payout',
        'refunds/requery',
      ]),
    ));

  it.each(cases)('is named at once: $operation', ({ schema, places, sample }) => {
    expect(parseDetails(schema, sample)).toBe('');
    const possible = places.filter((place) => withValue(sample, place.split('.'), 'x') !== undefined);
    expect(possible.length).toBeGreaterThan(0);
    const other = otherMistake(schema, sample, places);
    for (const place of possible) {
      const wrong = withValue(sample, place.split('.'), wrongFor(place));
      const named = splitNames(parseDetails(schema, { ...(isFields(wrong) ? wrong : {}), ...other }));
      const expected = [likePlace(place), ...Object.keys(other ?? {})];
      expect(named, `${place} beside ${Object.keys(other ?? {})}`).toEqual(expect.arrayContaining(expected));
    }
    const all = possible.reduce<unknown>((body, place) => withValue(body, place.split('.'), wrongFor(place)), sample);
    expect(splitNames(parseDetails(schema, all))).toEqual(expect.arrayContaining(possible.map(likePlace)));
  });

  it.each(cases.filter(({ sample, places }) => places.some((one) => !/url$/i.test(one)) && 'currency' in sample))(
    'is named at once where only the currency tells: $operation',
    ({ schema, places, sample }) => {
      const other = otherMistake(schema, sample, places);
      const amounts = places.filter((one) => !/url$/i.test(one) && !one.startsWith('refunds.'));
      for (const place of amounts) {
        const wrong = withValue({ ...sample, currency: 'USD' }, place.split('.'), '10.999');
        if (!isFields(wrong)) continue;
        const details = parseDetails(schema, { ...wrong, ...other });
        expect(splitNames(details)).toEqual(expect.arrayContaining([likePlace(place)]));
        expect(details).toContain(': has more decimals than USD has (2)');
        for (const name of Object.keys(other ?? {})) expect(splitNames(details)).toContain(name);
      }
    },
  );
});
