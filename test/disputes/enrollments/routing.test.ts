import { expect, it } from 'vitest';
import type { Item } from '#core/platform/table/table.ts';
import { type Enrollment, newItems, withStatus } from '#disputes/enrollments/enrollment.ts';
import { withNext } from '#disputes/enrollments/enrollment-provider.ts';
import { toEnrollmentItem } from '#disputes/enrollments/enrollment-row.ts';
import { dueMessage, messagesFor } from '#jobs/due-routing.ts';

const at = '2026-05-02T10:00:00.000Z';
const [pending] = newItems([{ provider: ['provider_a'], descriptor: 'SHOP', match_type: 'Exact' }], at);
if (!pending) throw new Error('no item');
const makeRow = (item: Enrollment['items'][number], version = 1): Item =>
  toEnrollmentItem({
    enrollmentId: 7,
    sid: 1,
    mid: 2,
    rid: 3,
    merchantName: 'M',
    siteName: 'S',
    emailCcList: [],
    providedBy: 'sandbox',
    createdAt: at,
    updatedAt: at,
    items: [item],
    version,
  });
const moving = makeRow(withNext(pending, 'sandbox', at));

it('asks for a look at a request when its next step is due', () => {
  const message = { queue: 'enrollment', body: { enrollmentId: 7 }, at: '2026-05-02T10:01:00.000Z' };
  expect(messagesFor({ before: undefined, after: moving }, at)).toEqual([message]);
});

it('asks for nothing when the next step stays as it was, or there is none', () => {
  expect(messagesFor({ before: moving, after: moving }, at)).toEqual([]);
  expect(messagesFor({ before: moving, after: makeRow(withStatus(pending, 'ENROLLED', at)) }, at)).toEqual([]);
  expect(messagesFor({ before: undefined, after: makeRow(pending) }, at)).toEqual([]);
  expect(messagesFor({ before: moving, after: undefined }, at)).toEqual([]);
});

it('is found by the sweep when a message was lost', () => {
  expect(moving).toMatchObject({ entity: 'ENROLLMENT', id: 7, duePk: expect.stringMatching(/^DUE#\d+$/) });
  expect(dueMessage(moving, '2026-05-02T12:00:00.000Z')).toEqual({ queue: 'enrollment', body: { enrollmentId: 7 } });
});
