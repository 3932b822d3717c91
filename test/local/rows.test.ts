import { expect, it } from 'vitest';
import { nestFields, readLines } from '#lib/local/imports/rows.ts';

it('nests dotted columns as objects and lists, and leaves out empty ones', () => {
  expect(nestFields({ 'customer.email': ' a@b.co ', 'items.0.name': 'Tea', 'items.1.name': 'Pot', note: ' ' })).toEqual(
    {
      customer: { email: 'a@b.co' },
      items: [{ name: 'Tea' }, { name: 'Pot' }],
    },
  );
});

it.each(['__proto__.polluted', 'constructor.polluted', 'constructor.prototype.polluted'])(
  'changes no object but its own for a column %s',
  (column) => {
    nestFields({ [column]: 'yes' });
    expect(Object.hasOwn(Object.prototype, 'polluted') || Object.hasOwn(Object, 'polluted')).toBe(false);
  },
);

it('reports a line whose columns give one field a text and parts', () => {
  const fields = { customer: 'Ann', 'customer.email': 'a@b.co' };
  expect(readLines([{ line: 2, fields }], nestFields)).toEqual([
    { line: 2, problem: 'customer.email: customer is a text in another column' },
  ]);
  const reversed = { 'customer.email': 'a@b.co', customer: 'Ann' };
  expect(readLines([{ line: 2, fields: reversed }], nestFields)).toEqual([
    { line: 2, problem: 'customer: has parts in other columns' },
  ]);
});
