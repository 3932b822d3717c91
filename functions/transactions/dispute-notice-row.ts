import { dueKeys, keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import { type DisputePlace, disputeIdOf } from '../processors/dispute.ts';

/** That a webhook named a dispute of which its processor is still to be asked. */
export type DisputeNotice = { place: DisputePlace; at: string };

/** Told again before it was asked, it stays one notice, of the later time. */
export const disputeNoticeItem = (notice: DisputeNotice): Item => {
  const id = disputeIdOf(notice.place);
  return {
    ...keys.disputeNotice(id),
    entity: 'DISPUTE_NOTICE',
    id,
    ...dueKeys('DISPUTE_NOTICE', notice.at, id),
    notice,
  };
};

/** Reads one back. */
export const fromDisputeNoticeItem = (item: Item | undefined): DisputeNotice | undefined =>
  item?.['notice'] as DisputeNotice | undefined;

/** The part of a transaction that ends it. Its condition fails if it was told of again since. */
export const endedNoticeWrite = ({ place, at }: DisputeNotice): Write => ({
  Delete: {
    Key: keys.disputeNotice(disputeIdOf(place)),
    ConditionExpression: '#notice.#at = :at',
    ExpressionAttributeNames: { '#notice': 'notice', '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  },
});
