import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { changedMeanwhile, retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, transact } from '#core/platform/table/table.ts';
import { type Alert, assignOwner } from '../alert.ts';
import { newAlertOrderWrites } from '../alert-order-row.ts';
import { fromAlertItem } from '../alert-row.ts';
import { asksRules, ruleHeadKeys } from '../automatic/rule-row.ts';
import { type ChangeSource, entryOfChange } from '../history/history.ts';
import { changedAlertWrites } from '../history/history-row.ts';
import { newAlertOutboxWrites } from '../outbox/alert-outbox-row.ts';
import { informWrites } from '../search/inform-row.ts';
import { caseAlertWrites, changedCaseWrite, fingerprintAlert } from './case-row.ts';
import { alertFingerprintsOf, fingerprintNames } from './fingerprints.ts';
import { readFirstDisputes } from './first-dispute-store.ts';
import type { ClaimCandidate } from './matching.ts';

/**
 * Assigns an alert of the unmatched inbox to a site, which is then notified as it is of any new alert. `by`: the administrator.
 * Throws alert_not_found, site_not_found, site_not_for_alerts, alert_already_assigned, changed_meanwhile.
 */
export const assignAlertTo = (alertId: number, sid: number, by: string): Promise<void> =>
  retryOnConflict(() => assignOnce(alertId, sid, by), { onExhausted: changedMeanwhile });

const assignOnce = async (alertId: number, sid: number, by: string): Promise<void> => {
  const { before, site } = await readBoth(alertId, sid);
  // The same call again, for instance after a lost reply: the work is already done.
  if (before.owner) return;
  await write(before, site, '', { by, via: 'assignment' });
};

/**
 * Assigns an unmatched alert, as read, to the site that has since enrolled what matches it; false if that site no longer exists.
 * Throws ConditionFailedError if the alert has changed.
 */
export const assignMatched = async (
  before: Alert,
  { sid, descriptor }: Pick<ClaimCandidate, 'sid' | 'descriptor'>,
): Promise<boolean> => {
  const item = await getItem(keys.site(sid));
  if (!item) return false;
  await write(before, fromSiteItem(item), descriptor, { by: before.providerAlert.provider, via: 'enrollment' });
  return true;
};

const write = async (before: Alert, site: Site, matchedDescriptor: string, source: ChangeSource): Promise<void> => {
  const at = nowIso();
  const owned = assignOwner(before, site, matchedDescriptor, at);
  const { alert, writes, isAsked, keepsOrders } = await checkDuplicate(owned, site);
  const entry = entryOfChange(before, alert, 'assigned', at, source);
  await transact({
    alert: changedAlertWrites(alert, entry),
    case: changedCaseWrite(alert),
    firstDisputes: writes.map(({ write }) => write),
    disputeCase: caseAlertWrites(alert),
    outbox: newAlertOutboxWrites(alert, site, isAsked, at),
    order: newAlertOrderWrites(alert, keepsOrders, at),
    informed: informWrites(alert, site),
  });
};

const readBoth = async (alertId: number, sid: number): Promise<{ before: Alert; site: Site }> => {
  const [item, siteItem] = await getItems([keys.alert(alertId), keys.site(sid)]);
  if (!item) throw new Refusal('alert_not_found', 'alert_id: there is no such alert.');
  const before = fromAlertItem(item);
  if (before.owner && before.owner.sid !== sid)
    throw new Refusal('alert_already_assigned', `It belongs to site ${before.owner.sid}.`);
  if (!siteItem) throw new Refusal('site_not_found', 'sid: there is no such site.');
  const site = fromSiteItem(siteItem);
  if (site.type !== 'alert') throw new Refusal('site_not_for_alerts', 'Give the site its alert settings first.');
  return { before, site };
};

/** The alert checked for duplicates, the writes of its fingerprints, and whether its site has rules to evaluate and keeps orders. */
const checkDuplicate = async (owned: Alert, site: Site) => {
  const fingerprints = alertFingerprintsOf(owned.providerAlert);
  const names = fingerprintNames(fingerprints);
  const [profile, ownHead, merchantHead, ...items] = await getItems([
    keys.orderProfile(site.sid),
    ...ruleHeadKeys(site, owned.providerAlert),
    ...names.map((name) => keys.firstDispute(site.sid, name)),
  ]);
  const isAsked = asksRules(ownHead) || asksRules(merchantHead);
  return {
    ...fingerprintAlert(owned, site.sid, fingerprints, await readFirstDisputes(names, items)),
    isAsked,
    keepsOrders: profile !== undefined,
  };
};
