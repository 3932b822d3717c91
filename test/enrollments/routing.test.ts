import { expect, it } from 'vitest';
import type { Item } from '../../functions/core/table.ts';
import { type Enrollment, newItems, withStatus } from '../../functions/enrollments/enrollment.ts';
import { withNext } from '../../functions/enrollments/enrollment-provider.ts';
import { toEnrollmentItem } from '../../functions/enrollments/enrollment-row.ts';
import { dueMessage } from '../../functions/notifications/due-row.ts';
import { messageFor } from '../../functions/notifications/message-row.ts';

const at = '2026-05-02T10:00:00.000Z';
const [pending] = newItems([{ provider: ['provider_a'], descriptor: 'SHOP', match_type: 'Exact' }], at);
if (!pending) throw new Error('no item');
const rowOf = (item: Enrollment['items'][number], version = 1): Item =>
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
const moving = rowOf(withNext(pending, 'sandbox', at));

it('asks for a look at a request when its next step is due', () => {
  const message = (delaySeconds: number) => ({ queue: 'enrollment', body: { enrollmentId: 7 }, delaySeconds });
  expect(messageFor({ before: undefined, after: moving }, at)).toEqual(message(60));
  expect(messageFor({ before: undefined, after: moving }, '2026-05-02T11:00:00.000Z')).toEqual(message(0));
  expect(messageFor({ before: undefined, after: moving }, '2026-05-02T00:00:00.000Z')).toEqual(message(900));
});

it('asks for nothing when the next step stays as it was, or there is none', () => {
  expect(messageFor({ before: moving, after: moving }, at)).toBeUndefined();
  expect(messageFor({ before: moving, after: rowOf(withStatus(pending, 'ENROLLED', at)) }, at)).toBeUndefined();
  expect(messageFor({ before: undefined, after: rowOf(pending) }, at)).toBeUndefined();
  expect(messageFor({ before: moving, after: undefined }, at)).toBeUndefined();
});

it('is found by the sweep when a message was lost', () => {
  expect(moving).toMatchObject({ entity: 'ENROLLMENT', id: 7, duePk: expect.stringMatching(/^DUE#\d$/) });
  expect(dueMessage(moving, '2026-05-02T12:00:00.000Z')).toEqual({ queue: 'enrollment', body: { enrollmentId: 7 } });
});
