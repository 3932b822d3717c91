import { describe, expect, it } from 'vitest';
import {
  correctMessage,
  isPartOf,
  listFields,
  readMessage,
  splitProblems,
} from '#lib/dashboard/screens/quarantined-message.ts';

const message = {
  type: 'X',
  age: 1,
  test: false,
  amount: { value: 'many', currency: 'USD' },
  lines: [{ a: 1 }],
  none: null,
};
const paths = ['missing', 'deep.missing', ...listFields(message).map(([path]) => path)];
const asFilled = { type: 'X', age: '1', test: 'false', 'amount.value': 'many', 'amount.currency': 'USD' };

describe('a message that could not be read', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [
      '{"case":12345678901234567890,"arn":74312345678901234567890}',
      { case: '12345678901234567890', arn: '74312345678901234567890' },
    ],
    ['[1]', undefined],
    ['"text"', undefined],
    ['null', undefined],
    ['a=1&b=2', undefined],
    ['', undefined],
  ])('is taken from %s', (text, wanted) => expect(readMessage(text)).toEqual(wanted));

  it('has its fields by path, without lists', () => {
    expect(paths.slice(2)).toEqual(['type', 'age', 'test', 'amount.value', 'amount.currency', 'none']);
    expect([isPartOf(message, 'amount'), isPartOf(message, 'lines'), isPartOf(message, 'type')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('names its problems by field, also where a problem contains a semicolon', () => {
    expect(splitProblems('type: is required; amount.value: must be a decimal; or empty')).toEqual({
      type: 'is required',
      'amount.value': 'must be a decimal; or empty',
    });
    expect(splitProblems('The body is no JSON')).toEqual({});
  });

  it.each([
    ['nothing', {}, message],
    ['a number as a number', { age: '2' }, { ...message, age: 2 }],
    ['a number as text where it is none', { age: '2 years' }, { ...message, age: '2 years' }],
    ['long digits as text', { age: '74208456119000012345678' }, { ...message, age: '74208456119000012345678' }],
    ['a flag', { test: 'true' }, { ...message, test: true }],
    ['a part of a field', { 'amount.value': '1.00' }, { ...message, amount: { value: '1.00', currency: 'USD' } }],
    ['a field that was missing', { missing: 'here' }, { ...message, missing: 'here' }],
    ['a missing part', { 'deep.missing': 'here' }, { ...message, deep: { missing: 'here' } }],
    ['an empty field', { none: 'now' }, { ...message, none: 'now' }],
  ] as const)('is corrected in %s, and else stays as it came', (_, change, wanted) => {
    expect(correctMessage(message, paths, { ...asFilled, ...change })).toEqual(wanted);
  });

  it('leaves out a field that was emptied', () => {
    const { type: _, ...filled } = asFilled;
    expect(correctMessage(message, paths, filled)).not.toHaveProperty('type');
  });
});
