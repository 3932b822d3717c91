import type * as v from 'valibot';
import {
  fromRcodeItem,
  fromSiteItem,
  isNotified,
  type StatusUpdates,
  statusUpdatesOf,
} from '#accounts/merchants/site/site-row.ts';
import { iso, nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { parse } from '#core/platform/http/parse.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { canAccessSite } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, type Item, type Key, transact } from '#core/platform/table/table.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { cancelWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { type Alert, type AlertOwner, isInformational, type UpdatedAlert } from '../alert.ts';
import { fromAlertItem } from '../alert-row.ts';
import { visibleAlert } from '../alert-store.ts';
import { type ChangeSource, entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { ReplyUpdateSchema, type UpdateFields } from '../schemas.ts';
import type { AlertUpdate, RefundedElsewhere, RefundMaker } from './alert-update.ts';
import { implausible } from './answer-plausibility.ts';
import { answerWrites } from './answer-row.ts';
import { statesRefund } from './reason-codes.ts';
import { findRefundMaker, recordedRefundKeys } from './recorded-refund-store.ts';
import { withRefundElsewhere } from './refunded-elsewhere.ts';
import { applyUpdate, namedDuplicates, type StatedElsewhere, toElsewhere, toUpdate } from './update.ts';

/** The sender of an update, and the row that determines which site it comes from and whether that site wants status updates. */
type Sender = {
  key: Key;
  /** Throws if the row does not prove the sender. */
  read: (item: Item | undefined) => { sid: number } & StatusUpdates;
  via: ChangeSource['via'];
  /** The username, if the sender is a person. */
  by?: string;
  /** A person's statement about a refund elsewhere. */
  elsewhere?: RefundedElsewhere | undefined;
  /** True if the person may see the alert, unless that was checked before. */
  maySee?: (owner: AlertOwner) => boolean;
};

/**
 * Records an update. One read and one transaction, both repeated when another write comes in between. Throws what
 * applyUpdate refuses, alert_not_found (also for another site's alert), changed_meanwhile.
 */
const tryToRecord = (alertId: number, update: AlertUpdate, at: string, sender: Sender): Promise<Alert> =>
  retryOnConflict(
    async (_, attempt) => {
      const { before, after, writes } = await plan(alertId, update, attempt === 1 ? at : nowIso(), sender);
      if (!after) return before;
      await transact({ answer: writes });
      return after;
    },
    { onExhausted: changedMeanwhile },
  );

const plan = async (alertId: number, sent: AlertUpdate, time: string, sender: Sender) => {
  const duplicates = namedDuplicates(sent).filter((id) => id !== alertId);
  const isRefund = statesRefund(sent.reason_code);
  const [senderItem, item, deliveryItem, refundItem, holdItem, ...duplicateItems] = await getItems([
    sender.key,
    keys.alert(alertId),
    keys.delivery(newAlertDeliveryId(alertId)),
    ...recordedRefundKeys(alertId),
    ...duplicates.map((id) => keys.alert(id)),
  ]);
  const { sid, ...updates } = sender.read(senderItem);
  const before = item && fromAlertItem(item);
  if (before?.owner?.sid !== sid || sender.maySee?.(before.owner) === false) {
    throw new Refusal('alert_not_found', 'alert_id: the site has no such alert.');
  }
  // The clock of the function that wrote the previous change may have been ahead.
  const at = iso(Math.max(Date.parse(time), Date.parse(before.updatedAt ?? time)));
  const named = duplicateItems
    .flatMap((found) => (found ? [fromAlertItem(found)] : []))
    .filter(({ owner, providerAlert }) => owner?.sid === sid && !isInformational(providerAlert.type));
  const siteAlerts = new Set(named.map(({ alertId: id }) => id));
  const update = sender.elsewhere ? withRefundElsewhere(before, sent, sender.elsewhere) : sent;
  const applied = applyUpdate(before, update, siteAlerts, at, implausible);
  if (!applied) return { before, after: undefined, writes: [] };
  const claim = { rows: [refundItem, holdItem], named, needsProof: sender.via === 'dashboard' } as const;
  const after = isRefund ? withMaker(applied, await findRefundMaker(applied, claim)) : applied;
  const entry = entryOfChange(before, after, 'updated', at, { by: sender.by ?? `site ${sid}`, via: sender.via });
  const delivery = deliveryItem && fromDeliveryItem(deliveryItem);
  const writes = [
    ...changedAlertWrites(after, entry),
    ...(delivery?.state === 'PENDING' ? [cancelWrite(delivery, at)] : []),
    ...answerWrites(after, update, {
      wantsStatus: after.status !== before.status && isNotified(updates, after.status),
      number: newTimedId(),
      at,
    }),
  ];
  return { before, after, writes };
};

const withMaker = (alert: UpdatedAlert, refunded_by: RefundMaker): Alert => ({
  ...alert,
  update: { ...alert.update, refunded_by },
});

type Update = v.InferOutput<typeof UpdateFields>;

/** Records an update sent with a site's rcode. `at`: ISO. Throws rcode_wrong and whatever `record` throws. */
export const recordUpdate = (alertId: number, sent: Update, rcode: string, at: string): Promise<Alert> =>
  tryToRecord(alertId, toUpdate(sent), at, {
    key: keys.rcode(sha256(rcode)),
    read: (item) => {
      const holder = fromRcodeItem(item, at);
      if (!holder) throw new Refusal('rcode_wrong', 'Send the rcode of the site in the header rcode.');
      return holder;
    },
    via: 'update',
  });

/**
 * Records an update by a person with a token, who is named in the history. A caller that knows the alert's site saves a read.
 * `at`: ISO. Throws alert_not_found also for alerts that the caller may not see or that have no owner yet, and refund_first.
 */
export const recordPersonUpdate = async (
  alertId: number,
  {
    sid: known,
    refunded_elsewhere: elsewhere,
    ...sent
  }: Update & { sid?: number | undefined; refunded_elsewhere?: StatedElsewhere | undefined },
  caller: Caller,
  at: string,
): Promise<Alert> => {
  const sid = known ?? (await readAnsweredSite(alertId, caller));
  return tryToRecord(alertId, toUpdate(sent), at, {
    key: keys.site(sid),
    read: siteSender(sid),
    via: 'dashboard',
    by: caller.subject,
    elsewhere: elsewhere && toElsewhere(elsewhere),
    maySee: (owner) => canAccessSite(caller, owner),
  });
};

const readAnsweredSite = async (alertId: number, caller: Caller): Promise<number> => {
  const { owner } = await visibleAlert(alertId, caller);
  if (!owner) throw new Refusal('alert_not_found', 'alert_id: the alert is not assigned to a site yet.');
  return owner.sid;
};

const siteSender = (sid: number) => (item: Item | undefined) => ({
  sid,
  ...statusUpdatesOf(item ? fromSiteItem(item).alert : null),
});

/**
 * Records an update from the reply to the alert's notification, by the same rules. For an invalid one it returns the reason,
 * worded for the merchant. `update` has the reply's fields; `at`: ISO.
 */
export const recordReplyUpdate = async ({
  alertId,
  sid,
  update,
  at,
}: {
  alertId: number;
  sid: number;
  update: Record<string, unknown>;
  at: string;
}): Promise<{ accepted: true } | { accepted: false; reason: string }> => {
  try {
    const { alert_id: named = alertId, ...sent } = parse(ReplyUpdateSchema, update);
    if (named !== alertId) {
      throw new Refusal('request_invalid', 'alert_id: must be the alert that this reply answers');
    }
    await tryToRecord(alertId, toUpdate(sent), at, {
      key: keys.site(sid),
      read: siteSender(sid),
      via: 'webhook_reply',
    });
    return { accepted: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { accepted: false, reason: [error.code, error.details].filter(Boolean).join(': ') };
  }
};
