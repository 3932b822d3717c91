import { expect, it } from 'vitest';
import {
  amountFilters,
  type Filter,
  narrowPages,
  networkFilter,
  readAllPages,
} from '#lib/dashboard/parts/narrow-pages.ts';

type Row = { amount: string; card: string };
const rows = Array.from({ length: 2500 }, (_, n): Row => ({ amount: `${n}.00`, card: n % 2 === 0 ? '4111' : '5500' }));
const filters: readonly Filter<Row>[] = [...amountFilters, networkFilter];

const asked: { sent: object; size: number }[] = [];
const load = narrowPages<Row>(filters, async (sent, { size, cursor = '0' }) => {
  asked.push({ sent, size });
  const end = Number(cursor) + size;
  return { list: rows.slice(Number(cursor), end), next_cursor: end < rows.length ? String(end) : null };
});

it.each([
  [{ sid: '2' }, 50, '0.00', '50', 1],
  [{ sid: '2', network: 'Visa' }, 100, '0.00', '200', 1],
  [{ amount_from: '150', amount_to: '250.5' }, 50, '150.00', '200', 1],
  [{ amount_from: '2400' }, 0, undefined, '1000', 5],
  [{ amount_from: 'many' }, 0, undefined, '1000', 5],
])(
  'reads pages for the filters %j until enough rows fit, and a thousand at most',
  async (given, n, first, next, calls) => {
    asked.length = 0;
    const page = await load(given, { size: 50 });
    expect([page.list.length, page.list[0]?.amount, page.next_cursor, asked.length]).toEqual([n, first, next, calls]);
    expect(asked[0]?.sent).toEqual('sid' in given ? { sid: '2' } : {});
  },
);

it('puts each row into a file once, even if two pages have it', async () => {
  const pages: Record<string, string[]> = { first: ['old', 'a'], next: ['b', 'old'] };
  const read = async (_: object, { cursor = 'first' }: { cursor?: string }) => ({
    list: pages[cursor] ?? [],
    next_cursor: cursor === 'first' ? 'next' : null,
  });
  expect(await readAllPages(read, {}, (row) => row)).toEqual({ rows: ['old', 'a', 'b'], isCut: false });
});
