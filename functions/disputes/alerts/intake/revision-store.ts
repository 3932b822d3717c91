import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact, type Write } from '#core/platform/table/table.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { newAlertDeliveryId, oweAnew } from '#messaging/webhooks/delivery/delivery.ts';
import { changedDeliveryWrite, fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { type Alert, isOpen } from '../alert.ts';
import { changedAlertOrderWrite, fromAlertOrderItem, newAlertOrderWrites } from '../alert-order-row.ts';
import { fromAlertItem } from '../alert-row.ts';
import { askedAnewWrite, stillOwedWrite } from '../automatic/decision-row.ts';
import { asksRules, ruleHeadKeys } from '../automatic/rule-row.ts';
import { entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { changedHoldWrite, fromHoldItem } from '../hold-row.ts';
import { revisionMail } from '../outbox/alert-mail.ts';
import { changeMailWrites } from '../outbox/alert-notification-row.ts';
import { newAlertOutboxWrites } from '../outbox/alert-outbox-row.ts';
import { newAlertForm } from '../outbox/alert-payload.ts';
import { changedInformWrites } from '../search/inform-row.ts';
import { type Case, caseAlertWrites, changedCaseWrite, fingerprintAlert } from './case-row.ts';
import { alertFingerprintsOf, fingerprintNames } from './fingerprints.ts';
import { readFirstDisputes } from './first-dispute-store.ts';
import { revise } from './revision.ts';
import { namedTwice, otherCaseOf } from './same-case.ts';

/**
 * Accepts a repeated message of a known case: its changes enter the alert's history, and the merchant is notified of them. Identical to the
 * last one, or older: no write. A merchant who has answered is notified by e-mail only, because nothing is posted about an alert that is
 * over. If the case is open again, the rules are evaluated again. Throws request_invalid for a message about another transaction.
 */
export const takeRevision = ({ alertId, sid }: Case, sent: ProviderAlert): Promise<void> =>
  retryOnConflict(async () => {
    const [item, siteItem, ...around] = await getItems([
      keys.alert(alertId),
      // Without a site, a key that no item has.
      keys.site(sid ?? 0),
      keys.delivery(newAlertDeliveryId(alertId)),
      keys.disputeHold(alertId),
      keys.alertOrder(alertId),
    ]);
    if (!item) throw new Error(`Alert ${alertId} of a known case is gone`);
    const before = fromAlertItem(item);
    refuseOtherCase(before, sent);
    const site = siteItem ? fromSiteItem(siteItem) : null;
    const at = nowIso();
    const revised = revise(before, sent, site, at);
    if (!revised) return;
    const isReopened = revised.revision !== before.revision && revised.revision?.event === 'reopened';
    const { alert: after, writes: fingerprints } =
      site && isReopened ? await fingerprintAgain(revised, site.sid) : { alert: revised, writes: [] };
    const source = { by: sent.provider, via: 'intake' } as const;
    if (after.revision === before.revision) {
      const entry = entryOfChange(before, after, 'confirmed by provider', at, source);
      return transact({ alert: changedAlertWrites(after, entry) });
    }
    if (site && isReopened && arrivedWithdrawn(before) && around.every((row) => row === undefined)) {
      return transact({
        alert: changedAlertWrites(after, entryOfChange(before, after, 'reopened by provider', at, source)),
        firstDisputes: fingerprints.map(({ write }) => write),
        case: after.duplicateOf === before.duplicateOf ? undefined : changedCaseWrite(after),
        disputeCase: caseAlertWrites(after),
        ...(await firstWrites(after, site, at)),
      });
    }
    const asked = site && isReopened ? await askRulesAgain(after, site, at) : [];
    const event = isReopened ? 'reopened by provider' : 'changed by provider';
    await transact({
      alert: changedAlertWrites(after, entryOfChange(before, after, event, at, source)),
      firstDisputes: fingerprints.map(({ write }) => write),
      case: after.duplicateOf === before.duplicateOf ? undefined : changedCaseWrite(after),
      disputeCase: caseAlertWrites(after),
      besides: besides(after, around, at),
      rules: asked,
      informed: site ? changedInformWrites(before, after, site) : [],
      mails: site ? changeMailWrites(site, revisionMail(before, after), at) : [],
    });
  });

/** Checks that a repeated message is about the transaction of its case. Throws request_invalid. */
export const checkSameCase = async ({ alertId }: Case, sent: ProviderAlert): Promise<void> => {
  const item = await getItem(keys.alert(alertId));
  if (!item) throw new Error(`Alert ${alertId} of a known case is gone`);
  refuseOtherCase(fromAlertItem(item), sent);
};

const refuseOtherCase = ({ alertId, providerAlert }: Alert, sent: ProviderAlert): void => {
  const other = otherCaseOf(providerAlert, sent);
  if (other !== undefined) throw new Refusal('request_invalid', namedTwice(alertId, providerAlert, sent, other));
};

/** A reopened alert with its fingerprints: another alert about the payment may have arrived while this one was withdrawn. */
const fingerprintAgain = async (alert: Alert, sid: number) => {
  const fingerprints = alertFingerprintsOf(alert.providerAlert);
  const names = fingerprintNames(fingerprints);
  const items = names.length > 0 ? await getItems(names.map((name) => keys.firstDispute(sid, name))) : [];
  return fingerprintAlert(alert, sid, fingerprints, await readFirstDisputes(names, items));
};

/**
 * Checks whether a case was withdrawn before it arrived: then its site was not notified, and neither its payment nor its order was searched
 * for.
 */
const arrivedWithdrawn = ({ withdrawnAt, receivedAt }: Alert): boolean => withdrawnAt === receivedAt;

/** Returns the writes of a new alert, for one that is open for the first time. */
const firstWrites = async (alert: Alert, site: Site, at: string) => {
  const [profile, ...heads] = await getItems([keys.orderProfile(site.sid), ...ruleHeadKeys(site, alert.providerAlert)]);
  return {
    outbox: newAlertOutboxWrites(alert, site, heads.some(asksRules), at),
    order: newAlertOrderWrites(alert, profile !== undefined, at),
  };
};

type Rows = readonly (Parameters<typeof fromHoldItem>[0] | undefined)[];

/** The notification is due again while an answer is awaited; the payment and the order are searched for again. */
const besides = (after: Alert, [deliveryItem, holdItem, orderItem]: Rows, at: string): Write[] => {
  const delivery = deliveryItem && fromDeliveryItem(deliveryItem);
  const [hold, order] = [fromHoldItem(holdItem), fromAlertOrderItem(orderItem)];
  return [
    ...(delivery && isOpen(after)
      ? [changedDeliveryWrite(delivery, oweAnew(delivery, newAlertForm(after), `${delivery.id}_${after.version}`, at))]
      : []),
    ...(hold ? [changedHoldWrite(hold, hold, at)] : []),
    ...(order ? [changedAlertOrderWrite(order, order, at)] : []),
  ];
};

/** Returns the row by which the rules are due; they do not delay the notification, which is already due again. */
const askRulesAgain = async (after: Alert, site: Site, at: string): Promise<Write[]> => {
  if (!isOpen(after)) return [];
  const [owed, ...heads] = await getItems([keys.decision(after.alertId), ...ruleHeadKeys(site, after.providerAlert)]);
  // A decision that is still due will be made on the alert as it is by then.
  if (owed || !heads.some(asksRules)) return owed ? [stillOwedWrite(owed)] : [];
  return [askedAnewWrite(after.alertId, site.sid, at)];
};
