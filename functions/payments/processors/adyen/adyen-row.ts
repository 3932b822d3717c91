import * as v from 'valibot';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item, Write } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import {
  type AdyenDecision,
  type AdyenNotice,
  captureDone,
  captureFailed,
  expired,
  isRepeated,
} from './adyen-webhook.ts';

/** Refunds may be returned and captures fail for months; an authorisation is of no use after a year. */
const keptMilliseconds = 400 * milliseconds.day;
const noticeTtl = (at: string): number => Math.ceil((Date.parse(at) + keptMilliseconds) / 1000);

/**
 * Also the payment's reference if its capture failed or was repeated: we know a capture that Adyen made by itself by nothing else. For other
 * notices, except that an authorisation has lapsed, their own references are enough.
 */
const paymentRef = ({ eventCode, originalReference }: AdyenNotice): string =>
  ([captureDone, captureFailed, expired].includes(eventCode) && originalReference) || '';

const NoticeRow = defineRow<AdyenNotice>({
  entity: 'ADYEN_NOTICE',
  attribute: 'notice',
  schema: v.looseObject({
    ...texts('eventCode', 'pspReference', 'merchantReference'),
    success: v.boolean(),
    originalReference: v.nullable(v.string()),
    reason: v.nullable(v.string()),
    at: v.exactOptional(v.string()),
    value: v.exactOptional(v.number()),
    dispute: v.exactOptional(
      v.looseObject({
        value: v.number(),
        ...texts('currency', 'reasonCode', 'network', 'dueBy', 'at'),
        said: v.exactOptional(v.picklist(['responded', 'over'])),
      }),
    ),
    isDefense: v.exactOptional(v.literal(true)),
    isAcceptance: v.exactOptional(v.literal(true)),
  }),
});

const DecisionRow = defineRow<{ decision: AdyenDecision }>({
  entity: 'ADYEN_DECISION',
  attribute: null,
  schema: v.looseObject({ decision: v.picklist(['keep', 'end']) }),
});

/** A notice under each reference by which it may be looked up. The same notice is the same item, so duplicates do no harm. */
export const noticeWrites = (scope: string, notice: AdyenNotice, at: string): Write[] => {
  // The report of a defense and that of its documents have the same code and reference.
  const own = notice.isDefense ? '#defense' : notice.isAcceptance ? '#acceptance' : undefined;
  const kept = own ?? (notice.at ? `#${notice.at}${isRepeated(notice) ? '#again' : ''}` : '');
  const name = `${notice.eventCode}#${notice.pspReference}#${notice.success}${kept}`;
  const names = [notice.pspReference, notice.merchantReference, paymentRef(notice)];
  const references = new Set(names.filter((reference) => reference !== ''));
  return [...references].map((reference) => ({
    Put: {
      Item: { ...keys.adyenNotice(scope, reference, name), ...NoticeRow.stamp, notice, ttl: noticeTtl(at) },
    },
  }));
};

export const toDecisionItem = (scope: string, reference: string, decision: AdyenDecision, at: string): Item => ({
  ...keys.adyenDecision(scope, reference),
  ...DecisionRow.stamp,
  decision,
  ttl: noticeTtl(at),
});

export const fromAdyenDecisionItem = (item: Item | undefined): AdyenDecision | null =>
  DecisionRow.find(item)?.decision ?? null;

/** Notices of earlier releases have no time: that of their receipt, which the end of their row follows from, has them sort where they belong. */
const toDatedNotice = (item: Item): AdyenNotice => {
  const notice = NoticeRow.read(item);
  const ttl = item['ttl'];
  if (notice.at || notice.dispute?.at || typeof ttl !== 'number') return notice;
  return { ...notice, at: iso(ttl * 1000 - keptMilliseconds) };
};

export const fromAdyenItems = (items: readonly Item[]) => ({
  notices: items.flatMap((item) => (item['entity'] === NoticeRow.stamp.entity ? [toDatedNotice(item)] : [])),
  decision: fromAdyenDecisionItem(items.find((item) => item['entity'] === DecisionRow.stamp.entity)),
});
