import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { counters as countersProgram } from '#bin/commands/counters.ts';
import { listNameOf } from '#core/platform/lists/listing.ts';
import { putItem } from '#core/platform/table/table.ts';
import { useCommand } from '#test/support/command.ts';
import { useEmulator } from '#test/support/table.ts';
import { count, countedItem, spoil } from './counted-rows.ts';

useEmulator();

describe('npm run counters', () => {
  const run = useCommand('bin/counters.ts');
  const waited = vi.fn(async (milliseconds: number) => void vi.advanceTimersByTime(milliseconds));
  /** The commands that need no program of their own: one of each kind is one. Its waits move the clock of what says how far it is. */
  const call = run.callHere(countersProgram(waited));
  const counters = (...args: string[]) => call(args);

  it('says what differs, of a merchant or of all, sets it right, and then finds nothing', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const mid of [77, 78]) {
      const items = Array.from({ length: 3 }, (_, n) => ({ ...countedItem('SITE', n, 'OPEN', mid), summary: { mid } }));
      for (const item of items) await putItem(item);
      await count(...items);
    }
    const costsAgree = 'What each alert costs and saved agrees with the alerts.\n';
    for (const scope of ['all', 'M77', 'R780']) await spoil(listNameOf('SITE', scope), 'ALL', '2026-05|OPEN|X', 2);
    const one = await run(['check', '--mid', '77']);
    expect(one).toMatchObject({ status: 1, out: expect.stringContaining('1 counts differ; 0 items') });
    expect(one.out).toContain('COUNT#SITE#M77 ALL 2026-05|OPEN|X: counted ');
    const asJson = await counters('check', '--mid', '77', '--json');
    expect(asJson.status).toBe(1);
    expect(JSON.parse(asJson.out)).toMatchObject({
      agree: false,
      differences: [{ key: { pk: 'COUNT#SITE#M77', sk: 'ALL' }, attribute: '2026-05|OPEN|X' }],
      to_be_counted: 0,
    });
    const all = await counters('check', '--all');
    expect(all).toMatchObject({ status: 1, out: expect.stringContaining('3 counts differ; 0 items') });
    expect(all.out).toContain('COUNT#SITE#all ALL 2026-05|OPEN|X: counted ');
    expect(await counters('rebuild', '--all')).toMatchObject({
      status: 0,
      // Work that takes longer than two seconds reports its progress.
      err: expect.stringMatching(/^\d+ items read, \d+ lists compared …\n/),
      out: `${costsAgree}3 counts were set right, 0 items counted anew.\n`,
    });
    // Longer than counts take to follow.
    expect(waited.mock.calls).toEqual([[5000]]);
    expect(await run(['check', '--all'])).toMatchObject({ status: 0, out: 'All counts agree.\n' });
    const rebuilt = await run(['rebuild', '--mid', '77', '--json']);
    expect(JSON.parse(rebuilt.out)).toEqual({ corrected: 0, counted: 0, changed_meanwhile: 0 });
    expect(await counters('rebuild', '--mid', '77')).toMatchObject({
      status: 0,
      out: `${costsAgree}0 counts were set right, 0 items counted anew.\n`,
    });
  });

  it('makes the rows of merchants findable', async () => {
    expect(await counters('search', '--mid', '77')).toMatchObject({ status: 0, out: 'The search finds 0 rows.\n' });
    expect(JSON.parse((await counters('search', '--all', '--json')).out)).toEqual({ rows: 0 });
  });

  it.each([
    [['check'], 'Say whose lists: --mid <N>, or --all.'],
    [['check', '--all', '--mid', '1'], 'Say whose lists: --mid <N>, or --all.'],
    [['mend', '--mid', '1'], 'There is no command mend; npm run counters -- --help lists them.'],
  ])('refuses %j', async (args, words) =>
    expect(await counters(...args)).toMatchObject({ status: 1, err: expect.stringContaining(words) }),
  );
});
