import { afterAll, describe, expect, it } from 'vitest';
import { collectFacts, listStaleFacts } from './facts.ts';

const fact = (checked: string) => ({ name: 'a limit', source: 'https://example.com', checked });

describe('facts of others', () => {
  const facts = collectFacts();

  it.each([
    ['2026-11-28', '2027-05-27', 0],
    ['2026-11-28', '2027-05-28', 1],
    ['2026-11-28', '2026-11-28', 0],
  ])('that were checked on %s are listed on %s: %i', (checked, today, count) => {
    expect(listStaleFacts([fact(checked)], today)).toHaveLength(count);
  });

  it('name a source and a day, in tables and in comments', () => {
    expect(facts.length).toBeGreaterThan(40);
    const undated = facts.filter(
      ({ source, checked }) => !source.includes('http') || Number.isNaN(Date.parse(checked)),
    );
    expect(undated).toEqual([]);
  });
});

// It warns and does not fail: a date passes without a change of ours.
afterAll(() => {
  const stale = listStaleFacts(collectFacts(), new Date().toISOString().slice(0, 'YYYY-MM-DD'.length));
  for (const { name, source, checked } of stale)
    process.stderr.write(`CHECK AGAIN, not compared since ${checked}: ${name}, ${source}\n`);
});
