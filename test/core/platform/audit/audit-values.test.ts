import { expect, it } from 'vitest';
import { type AuditValues, auditChanges, StateComparison } from '#core/platform/audit/audit-values.ts';
import { operations } from '#functions/operations.ts';

const changed = (fields: AuditValues['changed'], before: object, after: object) => {
  const comparison = new StateComparison();
  comparison.compare({ ...before }, { ...after });
  return auditChanges({ ...(fields && { changed: fields }) }, {}, comparison).map((one) => Object.values(one));
};

it.each([
  ['a value, old and new', { a: 'value' }, { a: 1 }, { a: 2 }, [['a', 1, 2]]],
  ['nothing that stayed', { a: 'value', b: 'value' }, { a: [1], b: '' }, { a: [1], b: null }, []],
  ['nothing that is not listed', { a: 'value' }, { token: 'x' }, { token: 'y', b: 1 }, []],
  ['an inner value', { 'a.b': 'value' }, { a: { b: false, c: 1 } }, { a: { b: true, c: 2 } }, [['a.b', false, true]]],
  [
    'a value of each name',
    { 'a.*': 'value' },
    { a: { x: 1 } },
    { a: { x: 2, y: 3 } },
    [
      ['a.x', 1, 2],
      ['a.y', null, 3],
    ],
  ],
  ['a value of each place, from 1', { 'a.*.b': 'value' }, { a: [{ b: 1 }] }, { a: [] }, [['a.1.b', 1, null]]],
  [
    'the fields in the order of the list',
    { b: 'value', a: 'value' },
    { a: 1, b: 1 },
    { a: 2, b: 2 },
    [
      ['b', 1, 2],
      ['a', 1, 2],
    ],
  ],
  [
    'the host of a URL alone',
    { a: 'host' },
    { a: 'https://u:secret@one.example/x?key=secret' },
    { a: 'two.example/y' },
    [['a', 'one.example', 'two.example']],
  ],
  [
    'no URL at the same host',
    { a: 'host' },
    { a: 'https://one.example/?key=1' },
    { a: 'https://one.example/?key=2' },
    [],
  ],
  [
    'the domain of an address alone',
    { a: 'domain' },
    { a: [] },
    { a: ['ann@one.example', 'no address'] },
    [['a', null, ['one.example']]],
  ],
  ['the number of entries', { a: 'count' }, { a: ['ann@one.example'] }, { a: [] }, [['a', 1, 0]]],
  ['no text where only a number is shown', { a: 'count' }, { a: 'secret' }, { a: 'other' }, []],
  ['no sealed secret', { a: 'value' }, { a: null }, { a: { sealed: 'x' } }, []],
  [
    'card numbers masked',
    { a: 'value' },
    { a: '' },
    { a: 'of 4242424242424242' },
    [['a', null, 'of 424242******4242']],
  ],
  ['long texts cut', { a: 'value' }, { a: null }, { a: 'x'.repeat(500) }, [['a', null, 'x'.repeat(200)]]],
] as const)('an audit entry shows %s', (_, fields, before, after, lines) => {
  expect(changed(fields, before, after)).toEqual(lines);
});

it('an audit entry has at most 40 values', () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, index]));
  expect(changed({ 'a.*': 'value' }, { a: {} }, { a: many })).toHaveLength(40);
});

it('a call without a state before shows what it was sent, if it creates something', () => {
  const sent = { name: 'value' } as const;
  expect(auditChanges({ sent }, { name: 'Shop', token: 'x' }, new StateComparison())).toEqual([
    { field: 'name', before: null, after: 'Shop' },
  ]);
  expect(auditChanges({ changed: sent }, { name: 'Shop' }, new StateComparison())).toEqual([]);
});

/** Names that sound like a secret, an address or a text about a person, of fields that hold a choice or a flag. */
const harmless = ['alert_emails', 'alert_triggeremail', 'stop_send_email', 'link_by_email', 'skip_ccv'];
const risky =
  /token|secret|passw|credential|key|mail|phone|remark|note|comment|descri|url|host|holder|user|card|ccv|cvv|(?<![a-z])ip(?!_ranges)/i;

it('no audit entry shows as it is a field that may hold a secret, an address or a text about a person', () => {
  const shown = operations.flatMap(({ auditValues = {} }) =>
    Object.entries({ ...auditValues.sent, ...auditValues.changed }).flatMap(([field, part]) =>
      part === 'value' ? [field] : [],
    ),
  );
  expect(shown.length).toBeGreaterThan(90);
  expect(shown.filter((field) => risky.test(field) && !harmless.includes(field))).toEqual([]);
});
