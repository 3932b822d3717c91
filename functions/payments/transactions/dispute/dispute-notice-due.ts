import * as v from 'valibot';
import { defineDue } from '#core/platform/work/due.ts';

/** Ask a processor about a dispute that it reported. */
export const DisputeNoticeMessage = v.object({ noticeId: v.string() });

/** A webhook has named a dispute. Whatever records it sends the first message. */
export const disputeNoticeDue = defineDue({
  kind: 'DISPUTE_NOTICE',
  queue: 'chargebacks',
  message: DisputeNoticeMessage,
  swept: ({ id }) => ({ noticeId: String(id) }),
});
