import { expect, it } from 'vitest';
import { findBodyFormat, readBoundary } from '#core/platform/http/body.ts';
import { readMultipart } from '#core/platform/http/multipart.ts';
import { Refusal } from '#core/platform/operation/errors.ts';

const part = (head: string, value: string, boundary = 'abc') => `--${boundary}\r\n${head}\r\n\r\n${value}\r\n`;
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const end = '--abc--\r\n';

it('reads what senders write: other headers, empty values, lines and dashes within, what comes twice', () => {
  const text = [
    'a preamble\r\n',
    field('authtype', 'SMS'),
    part('content-type: text/plain; charset=utf-8\r\ncontent-disposition: form-data; name=authvalue', '1\r\n--ab\r\n2'),
    field('miscdata', ''),
    field('ref[]', 'a'),
    field('ref[]', 'b'),
    part('Content-Disposition: form-data; name="file"; filename="a.txt"', 'left out'),
    end,
    'an epilogue',
  ].join('');
  expect(readMultipart(text, 'abc')).toEqual({
    authtype: 'SMS',
    authvalue: '1\r\n--ab\r\n2',
    miscdata: '',
    'ref[]': ['a', 'b'],
  });
});

it('keeps names that JavaScript has a meaning for as names', () => {
  const fields = readMultipart(`${field('__proto__', 'x')}${field('constructor', 'y')}${field('a', '1')}${end}`, 'abc');
  expect(Object.entries(fields)).toEqual([
    ['__proto__', 'x'],
    ['constructor', 'y'],
    ['a', '1'],
  ]);
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
});

it('accepts a field and a list of the same name', () => {
  const text = `${field('a', '1')}${field('a[]', '2')}${field('a[b]', '3')}${end}`;
  expect(readMultipart(text, 'abc')).toEqual({ a: '1', 'a[]': '2', 'a[b]': '3' });
});

it.each([
  ['nothing', ''],
  ['no end', field('a', '1')],
  ['another boundary', field('a', '1') + end.replace('abc', 'abd')],
  ['no name', part('Content-Disposition: form-data', '1') + end],
  ['no headers', `--abc\r\n1\r\n${end}`],
  ['a boundary that goes on', `--abcd\r\n\r\n1\r\n${end}`],
  ['too many fields', field('a', '1').repeat(51) + end],
])('refuses %s', (_, text) => {
  expect(() => readMultipart(text, 'abc')).toThrow(Refusal);
});

it.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data;boundary=a_b.c', 'a_b.c'],
  ['multipart/form-data; boundary="7b1a9f2c-0000"', '7b1a9f2c-0000'],
  ['Multipart/Form-Data; charset=utf-8; boundary=----WebKitFormBoundaryAbC', '----WebKitFormBoundaryAbC'],
  ['multipart/form-data; boundary=abc; charset=utf-8', 'abc'],
])('knows the boundary of %s', (contentType, boundary) => {
  expect(readBoundary(contentType)).toBe(boundary);
  expect(findBodyFormat(contentType, ['multipart', 'json'])).toBe('multipart');
});

it.each([
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'a'.repeat(71)}`,
  'multipart/mixed; boundary=abc',
])('knows none of %s', (contentType) => {
  expect(readBoundary(contentType)).toBeUndefined();
  expect(() => findBodyFormat(contentType, ['multipart', 'json'])).toThrow(Refusal);
});
