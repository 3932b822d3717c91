import type { BadCalls } from '#test/support/bad-calls.ts';

const line = { line: 2, case_id: 'C-1', amount: '25.00', currency: 'USD' };
const body = { provider: 'provider_a', month: '2026-01', lines: [line], dry_run: true };

export const badCalls = (): BadCalls => ({
  as: 'admin',
  body,
  wrongBody: {
    provider: ['provider_z'],
    month: ['2026-13'],
    lines: ['x'],
  },
  wrong: [
    ...['25,00', '25.001', '1e3', ''].map((amount) => ({
      ...{ body: { ...body, lines: [{ ...line, amount }] }, names: 'lines.0.amount' },
    })),
    { body: { ...body, lines: [{ ...line, kind: 'fee' }] }, names: 'lines.0.kind' },
    { body: { ...body, unread: [{ line: 0, problem: 'x' }] }, names: 'unread.0.line' },
  ],
  refused: { changed_meanwhile: 'race' },
});
