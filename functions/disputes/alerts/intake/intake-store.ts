import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { optional } from '#core/platform/operation/environment.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems, tryTransact, type Write } from '#core/platform/table/table.ts';
import { claimKeysFor, fromClaimsItem, networkClaimKeys } from '#disputes/enrollments/claims/claim-row.ts';
import type { ProviderDeclaration } from '#disputes/providers/provider.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { type Alert, createAlert, type Ownership, withdraw } from '../alert.ts';
import { newAlertOrderWrites } from '../alert-order-row.ts';
import { asksRules, ruleHeadKeys } from '../automatic/rule-row.ts';
import { type ChangeSource, entryOfChange } from '../history/history.ts';
import { newAlertWrites } from '../history/history-row.ts';
import { unmatchedMail } from '../outbox/alert-mail.ts';
import { newAlertOutboxWrites } from '../outbox/alert-outbox-row.ts';
import { informWrites } from '../search/inform-row.ts';
import {
  type Case,
  caseAlertWrites,
  type EarlyWithdrawal,
  fingerprintAlert,
  fromCaseItem,
  fromEarlyWithdrawalItem,
  isWithdrawalKept,
  type KnownDispute,
  newCaseWrite,
} from './case-row.ts';
import { alertFingerprintsOf, fingerprintNames } from './fingerprints.ts';
import { readFirstDisputes } from './first-dispute-store.ts';
import { type ClaimCandidate, matchClaims } from './matching.ts';
import { isStaleWithdrawal } from './revision.ts';
import { checkSameCase, takeRevision } from './revision-store.ts';

/** The reply to a provider about its case. */
export type IntakeResult = { alert_id: number; is_duplicate: boolean; matched: boolean };

const intakeResultOf = ({ alertId, isDuplicate, sid }: Case): IntakeResult => ({
  alert_id: alertId,
  is_duplicate: isDuplicate,
  matched: sid !== null,
});

/** The keys of all claims that fit an alert. */
export const claimKeys = (
  { enrolledBy }: Pick<ProviderDeclaration, 'enrolledBy'>,
  { provider, descriptor, bin, caid, arn }: ProviderAlert,
) =>
  enrolledBy === 'network'
    ? networkClaimKeys(provider, { bin, caid, arn, descriptor })
    : claimKeysFor(provider, descriptor);

/**
 * Takes a provider's alert: finds its owner, writes the alert and whatever notifies the owner, and answers once all of that is
 * durable. A known case is answered again, without a write unless its provider revises cases and has revised this one. Throws
 * request_invalid for a message about another transaction under the name of a known case.
 * At most three DynamoDB calls, four for a second alert about a transaction, unless another write comes in between.
 */
export const ingestAlert = async (
  sender: Pick<ProviderDeclaration, 'enrolledBy' | 'revises'>,
  providerAlert: ProviderAlert,
): Promise<IntakeResult> => {
  const [known, ...claims] = await getItems([
    keys.providerCase(providerAlert.provider, providerAlert.caseId),
    ...claimKeys(sender, providerAlert),
  ]);
  const before = fromCaseItem(known);
  if (before) {
    await (sender.revises ? takeRevision : checkSameCase)(before, providerAlert);
    return intakeResultOf(before);
  }
  const match = matchClaims(claims.flatMap(fromClaimsItem));
  const found = 'candidate' in match ? await readAlertOwner(match.candidate, providerAlert) : undefined;
  const ownership: Ownership =
    'candidate' in match
      ? found
        ? { site: found.site, matchedDescriptor: match.candidate.descriptor }
        : { unmatchedBecause: 'no_match' }
      : match;
  const source: ChangeSource = { by: providerAlert.provider, via: 'intake' };
  const early = fromEarlyWithdrawalItem(known);
  return writeAlert(providerAlert, ownership, { ...(found ?? nothingKnown()), ...(early && { early }) }, source);
};

/**
 * The rows that a new alert needs: earlier disputes it may duplicate, and whether there are rules to evaluate and orders to search.
 * `early`: the withdrawal of its case, if that arrived first.
 */
type Surroundings = {
  firsts: Map<string, KnownDispute>;
  asksRules: boolean;
  keepsOrders: boolean;
  early?: EarlyWithdrawal;
};

const nothingKnown = (): Surroundings => ({ firsts: new Map(), asksRules: false, keepsOrders: false });

/** A site with what an alert of this kind needs from it; undefined if there is no such site. */
export const readAlertOwner = async (
  { sid, mid }: Pick<ClaimCandidate, 'sid' | 'mid'>,
  providerAlert: ProviderAlert,
): Promise<({ site: Site } & Surroundings) | undefined> => {
  const names = fingerprintNames(alertFingerprintsOf(providerAlert));
  const [site, profile, ownHead, merchantHead, ...fingerprints] = await getItems([
    keys.site(sid),
    keys.orderProfile(sid),
    ...ruleHeadKeys({ sid, mid }, providerAlert),
    ...names.map((name) => keys.firstDispute(sid, name)),
  ]);
  if (!site) return undefined;
  return {
    site: fromSiteItem(site),
    firsts: await readFirstDisputes(names, fingerprints),
    asksRules: asksRules(ownHead) || asksRules(merchantHead),
    keepsOrders: profile !== undefined,
  };
};

/**
 * Writes a new alert in one transaction. If another write was faster, this one is tried again with what that one wrote: a known
 * case is answered from its row, a duplicate names its first alert, and a number already taken is drawn again. Throws request_invalid
 * for another transaction under the name of a known case.
 */
export const writeAlert = async (
  providerAlert: ProviderAlert,
  ownership: Ownership,
  surroundings: Surroundings,
  source: ChangeSource,
): Promise<IntakeResult> => {
  return retryOnConflict(async () => {
    const at = nowIso();
    const planned = planIntake(
      createAlert(newTimedId(), providerAlert, at, ownership),
      ownership,
      surroundings,
      at,
      source,
    );
    const conflict = await tryTransact(planned.writes);
    if (!conflict) return intakeResultOf(planned.taken);
    const known = fromCaseItem(conflict.itemOf('case'));
    const early = fromEarlyWithdrawalItem(conflict.itemOf('case'));
    if (early) surroundings.early = early;
    for (const [name, first] of await readFirstDisputes(planned.fingerprints, conflict.itemsOf('firstDisputes'))) {
      surroundings.firsts.set(name, first);
    }
    if (known) {
      await checkSameCase(known, providerAlert);
      return intakeResultOf(known);
    }
    throw conflict;
  });
};

const planIntake = (
  received: Alert,
  ownership: Ownership,
  { firsts, asksRules: isAsked, keepsOrders, early }: Surroundings,
  at: string,
  source: ChangeSource,
) => {
  const site = 'site' in ownership ? ownership.site : undefined;
  const current = afterWithdrawal(received, early, at);
  const printed = site && fingerprintAlert(current, site.sid, alertFingerprintsOf(current.providerAlert), firsts);
  const alert = printed?.alert ?? current;
  const first = { ...received, duplicateOf: alert.duplicateOf };
  const entry = entryOfChange(null, first, 'received', at, source);
  const withdrawn = current === received ? [] : [entryOfChange(first, alert, 'withdrawn by provider', at, source)];
  const prints = printed?.writes ?? [];
  const writes = {
    case: newCaseWrite(alert, early),
    firstDisputes: prints.map(({ write }) => write),
    disputeCase: caseAlertWrites(alert),
    alert: newAlertWrites(alert, entry, ...withdrawn),
    outbox: site ? newAlertOutboxWrites(alert, site, isAsked, at) : unmatchedMailWrites(alert, at),
    order: site ? newAlertOrderWrites(alert, keepsOrders, at) : [],
    informed: site ? informWrites(alert, site) : [],
  };
  return {
    writes,
    fingerprints: prints.map(({ name }) => name),
    taken: { alertId: alert.alertId, isDuplicate: alert.duplicateOf !== null, sid: site?.sid ?? null } satisfies Case,
  };
};

/** A new alert as it is if its case was withdrawn before it arrived. */
const afterWithdrawal = (alert: Alert, early: EarlyWithdrawal | undefined, at: string): Alert =>
  early && isWithdrawalKept(early, at) && !isStaleWithdrawal(alert, early.order, at)
    ? withdraw(alert, at, early.order)
    : alert;

/** Only the operators' e-mail address is notified of an alert without an owner. */
const unmatchedMailWrites = (alert: Alert, at: string): Write[] => {
  const operations = optional('OPERATIONS_MAIL');
  if (operations === undefined || alert.withdrawnAt !== null) return [];
  const mail = { id: mailIdOf(newTimedId()), kind: 'alert_unmatched', sid: 0, mid: 0, to: [operations] } as const;
  return [newMailWrite(createMail({ ...mail, letter: unmatchedMail(alert), at }))];
};
