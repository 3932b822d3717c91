import jsonBodyParser from '@middy/http-json-body-parser';
import formBodyParser from '@middy/http-urlencode-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalForm } from '#core/platform/http/form.ts';
import { canonicalJson } from '#core/platform/http/json.ts';

const parsers = {
  'application/json': jsonBodyParser(),
  'application/x-www-form-urlencoded': formBodyParser(),
};
const parsedAs = (type: keyof typeof parsers, body: string): unknown => {
  const event: Partial<APIGatewayProxyEvent> = { headers: { 'content-type': type }, body, isBase64Encoded: false };
  parsers[type].before?.({ event } as never);
  return event.body;
};
const fromJson = (text: string) => parsedAs('application/json', canonicalJson(text));
const fromForm = (text: string) => ({ ...Object(parsedAs('application/x-www-form-urlencoded', canonicalForm(text))) });

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('the JSON parser behind its guard', () => {
  it.each([
    ['4000000000000000001', '4000000000000000001'],
    ['1e3', '1e3'],
    ['-0', '-0'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    ['123456789012345', 123_456_789_012_345],
    ['0.0000001', 0.000_000_1],
    ['10.50', 10.5],
  ])('reads the number %s as %j', (sent, read) => {
    expect(fromJson(`{"n":${sent},"list":[${sent}]}`)).toEqual({ n: read, list: [read] });
  });

  it('reads every other value as JSON.parse does', () => {
    const leaves = [fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null), fc.integer()];
    const key = fc.string().filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(fc.object({ key, values: leaves, maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        expect(fromJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '{"__proto__":{"a":1}}',
    '{"a":{"constructor":{"prototype":1}}}',
    '{"a":1',
    '',
    `${'['.repeat(33)}${']'.repeat(33)}`,
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ])('refuses %.40s before the parser reads it', (text) => {
    expect(thrownBy(() => canonicalJson(text))).toMatchObject({ code: 'request_invalid' });
  });
});

describe('the form parser behind its guard', () => {
  it.each([
    ['a=b%20c&a=+d', { a: ['b c', ' d'] }],
    ['rate=100%&mark=%zz', { rate: '100%', mark: '%zz' }],
    ['escaped=%2525&sum=1%2B1', { escaped: '%25', sum: '1+1' }],
    ['a&=b&c=d=e&&', { a: '', '': 'b', c: 'd=e' }],
    ['card_no=4000000000000000001&n=1e3', { card_no: '4000000000000000001', n: '1e3' }],
    ['name=%E2%82%AC%F0%9F%98%80', { name: '€😀' }],
  ])('reads %s', (text, fields) => expect(fromForm(text)).toEqual(fields));

  it('reads all of 1000 fields and refuses one more', () => {
    const form = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&');
    expect(Object.keys(fromForm(form(1000)))).toHaveLength(1000);
    expect(thrownBy(() => canonicalForm(form(1001)))).toMatchObject({ code: 'request_invalid' });
  });

  it.each(['%ff', '%c3%28', '%ed%a0%80'])('refuses the bytes %s, which are not UTF-8', (bytes) => {
    expect(thrownBy(() => canonicalForm(`order=${bytes}`))).toMatchObject({
      code: 'request_invalid',
      details: 'order: must be UTF-8, percent-encoded.',
    });
  });

  it('reads what URLSearchParams writes', () => {
    const texts = fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 10 });
    fc.assert(
      fc.property(texts, (pairs) => {
        const expected = new Map<string, string[]>();
        for (const [name, value] of pairs) expected.set(name, [...(expected.get(name) ?? []), value]);
        const fields = fromForm(new URLSearchParams(pairs).toString());
        expect(new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat()]))).toEqual(expected);
      }),
    );
  });
});
