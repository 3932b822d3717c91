import { describe, expect, it } from 'vitest';
import { parseExpression } from '#lib/local/aws/schedule-expression.ts';
import { durationMilliseconds, instantMilliseconds } from '#lib/local/duration.ts';
import { fits } from '#lib/local/events/pattern.ts';

const at = Date.parse('2026-05-02T10:07:30Z');
const next = (expression: string, timezone = 'UTC') => {
  const time = parseExpression(expression, timezone, at)?.(at);
  return time === undefined ? undefined : new Date(time).toISOString();
};

describe('a schedule expression', () => {
  it.each([
    ['cron(0 0/12 * * ? *)', '2026-05-02T12:00:00.000Z'],
    ['cron(15 10 ? * 6L 2026)', '2026-05-29T10:15:00.000Z'],
    ['cron(0 8 ? * SUN *)', '2026-05-03T08:00:00.000Z'],
    ['cron(0 8 ? * 1 *)', '2026-05-03T08:00:00.000Z'],
    ['cron(0 8 1 1 ? 2025)', undefined],
    ['rate(5 minutes)', '2026-05-02T10:12:30.000Z'],
    ['rate(1 day)', '2026-05-03T10:07:30.000Z'],
    ['at(2026-05-02T10:07:31)', '2026-05-02T10:07:31.000Z'],
    ['at(2026-05-02T10:07:30)', undefined],
  ])('%s comes next at %s', (expression, expected) => expect(next(expression)).toBe(expected));

  it('goes by its timezone', () =>
    expect(next('cron(0 12 * * ? *)', 'Europe/Berlin')).toBe('2026-05-03T10:00:00.000Z'));

  it.each([
    'cron(* * * *)',
    'cron(x y z ? * *)',
    'rate(0 minutes)',
    'rate(5 moons)',
    'at(tomorrow)',
    'at(2026-05-02)',
    '',
  ])('is none: %s', (expression) => expect(parseExpression(expression, 'UTC', at)).toBeUndefined());
});

describe('a duration', () => {
  it.each([
    ['PT12H', 43_200_000],
    ['P1DT1M0.5S', 86_460_500],
    ['P2W', 1_209_600_000],
    ['PT0S', 0],
  ])('%s is %i milliseconds', (text, expected) => expect(durationMilliseconds(text)).toBe(expected));
  it.each(['', 'P', 'PT', '12H', 'PT-1H', 'P1M', 'PT1H '])('is none: %j', (text) =>
    expect(durationMilliseconds(text)).toBeUndefined(),
  );
});

describe('an instant', () => {
  it('is UTC', () => expect(instantMilliseconds('2026-05-02T12:00:00Z')).toBe(Date.parse('2026-05-02T12:00:00Z')));
  it.each(['2026-05-02T12:00:00', '2026-05-02T12:00:00+02:00', '2026-13-02T12:00:00Z', 'now'])('is none: %s', (text) =>
    expect(instantMilliseconds(text)).toBeUndefined(),
  );
});

describe('an event pattern', () => {
  const record = { dynamodb: { NewImage: { entity: { S: 'ALERT' }, n: { N: '1' } } }, eventName: 'INSERT' };
  it.each([
    [{ eventName: ['INSERT', 'MODIFY'] }, true],
    [{ eventName: ['REMOVE'] }, false],
    [{ dynamodb: { NewImage: { entity: { S: ['ALERT'] } } } }, true],
    [{ dynamodb: { OldImage: { entity: { S: ['ALERT'] } } } }, false],
    [{ dynamodb: { NewImage: { entity: { S: [{ prefix: 'AL' }] } } } }, true],
    [{ dynamodb: { NewImage: { ttl: { N: [{ exists: false }] } } } }, true],
    [{ dynamodb: { NewImage: { entity: { S: [{ 'anything-but': ['ALERT'] }] } } } }, false],
    [{ $or: [{ eventName: ['REMOVE'] }, { dynamodb: { NewImage: { n: { N: ['1'] } } } }] }, true],
  ])('%j', (pattern, expected) => expect(fits(pattern, record)).toBe(expected));
  it('is not understood by halves', () =>
    expect(() => fits({ eventName: [{ cidr: '10.0.0.0/8' }] }, record)).toThrow('cidr'));
});
