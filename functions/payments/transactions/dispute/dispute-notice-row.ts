import * as v from 'valibot';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type DisputePlace, disputeIdOf } from '#payments/processors/ports/dispute.ts';
import { disputeNoticeDue } from './dispute-notice-due.ts';

/**
 * Records that a webhook named a dispute, or a warning of one, about which its processor must still be asked; that the account has new
 * ones without naming them; or that a refund of a charge at a connection has failed, which `refundFailed` names. `isUnread`: a list of disputes had it in a form that
 * could not be read.
 */
export type DisputeNotice = {
  place: DisputePlace;
  at: string;
  isWarning?: true;
  isAccount?: true;
  isUnread?: true;
  refundFailed?: string;
};

const NoticeRow = defineRow<DisputeNotice>({
  entity: 'DISPUTE_NOTICE',
  attribute: 'notice',
  schema: v.looseObject({
    place: v.union([
      v.looseObject({ sid: v.number(), processor: v.string(), routeId: v.string(), reference: v.string() }),
      v.looseObject({ mid: v.number(), processor: v.string(), connection: v.string(), reference: v.string() }),
    ]),
    at: v.string(),
    isWarning: v.exactOptional(v.literal(true)),
    isAccount: v.exactOptional(v.literal(true)),
    isUnread: v.exactOptional(v.literal(true)),
    refundFailed: v.exactOptional(v.string()),
  }),
});

/** If the dispute is reported again before the processor was asked, it stays one notice, with the later time. */
export const disputeNoticeItem = (notice: DisputeNotice): Item => {
  const id = disputeIdOf(notice.place);
  return {
    ...keys.disputeNotice(id),
    ...NoticeRow.stamp,
    id,
    ...disputeNoticeDue.keys(notice.at, id),
    notice,
  };
};

/** Reads one back. */
export const fromDisputeNoticeItem = NoticeRow.find;

/** The part of a transaction that ends it. Its condition fails if it was reported again since. */
export const endedNoticeWrite = ({ place, at }: DisputeNotice): Write => ({
  Delete: {
    Key: keys.disputeNotice(disputeIdOf(place)),
    ConditionExpression: '#notice.#at = :at',
    ExpressionAttributeNames: { '#notice': 'notice', '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  },
});
