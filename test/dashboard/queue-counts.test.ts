import { signal } from '@preact/signals';
import { expect, it, vi } from 'vitest';
import { countTabs } from '#lib/dashboard/screens/queue-counts.ts';

const readAlerts = vi.hoisted(() => vi.fn());
vi.mock('#lib/dashboard/screens/read-alerts.ts', () => ({ readAlerts }));

const open = { alert_id: 1, status: 'OPEN', deadline: '2999-01-01T00:00:00.000Z' };

it('counts the tabs of those whose alerts are shown, and drops an earlier read that answers later', async () => {
  const counted = signal<Readonly<Record<string, string>>>({});
  const earlier = Promise.withResolvers();
  readAlerts.mockReturnValueOnce(earlier.promise).mockResolvedValueOnce({ rows: [open], isWhole: true });
  const cancel = new AbortController();
  const count = (of: string, stop: AbortSignal) => countTabs(counted, { of, assignee: undefined }, new Set(), stop);
  const slow = count('1', cancel.signal);
  expect(readAlerts.mock.lastCall?.[1]).toBe(cancel.signal);
  cancel.abort();
  await count('2', new AbortController().signal);
  earlier.resolve({ rows: [], isWhole: true });
  await slow;
  expect(counted.value).toEqual({ of: '2', open: '1', progress: '0', late: '0' });
});
