import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { openRcodes } from '#accounts/merchants/site/site-store.ts';
import { checkProof, checkTakesPayments } from '#accounts/merchants/site/site-type.ts';
import { visibleOrRefuse } from '#core/platform/operation/merchant-access.ts';
import type { Caller } from '#core/platform/operation/operation.ts';
import { retryOnConflict } from '#core/platform/table/conflict-store.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, getItems, tryTransact } from '#core/platform/table/table.ts';
import { orderHashes, orderHashWords } from '#payments/payments/order/hashes.ts';
import { isSigned, proofWrong, rcodeOfProof, type SiteProof } from '#payments/payments/order/site-proof.ts';
import type { RemoteScorers } from '../scorers/scorer.ts';
import { type Assessment, assess, fraudKeys, fraudWrites, maxAssessments, needReview } from './assess-store.ts';
import { type FraudCheck, fromCheckItem } from './check-row.ts';
import type { FraudSubject } from './subject.ts';

/** `timestamp`: of a hash; a signature has its own. */
export type RequestProof = { proof: SiteProof; timestamp: string };

/** Throws hash_wrong, with the same words for a site that does not exist, and site_not_for_payments. */
const authoriseCheck = async (
  site: Site | undefined,
  { sid, money, at }: FraudSubject,
  { proof, timestamp }: RequestProof,
): Promise<Site> => {
  const rcodes = await openRcodes(site, at);
  if (
    rcodeOfProof(proof, rcodes, (rcode) => orderHashes({ sid, timestamp, total: money }, rcode)) === undefined ||
    !site
  ) {
    throw proofWrong(proof, orderHashWords(money));
  }
  checkProof(site, { isSigned: isSigned(proof) });
  checkTakesPayments(site);
  return site;
};

/** Assesses an order outside a payment, and keeps the check. Throws hash_wrong, site_not_for_payments. */
export const checkAlone = async (
  subject: FraudSubject,
  proof: RequestProof,
  remote: RemoteScorers,
): Promise<Assessment> => {
  const [siteItem, ...rows] = await getItems([keys.site(subject.sid), ...fraudKeys(subject)]);
  const site = await authoriseCheck(siteItem && fromSiteItem(siteItem), subject, proof);
  let read = rows;
  let assessment = await assess(subject, read, site, remote);
  let isOvertaken = false;
  return retryOnConflict(async (_, attempt) => {
    if (isOvertaken) {
      read = await getItems(fraudKeys(subject));
      assessment = await assess(subject, read, site, remote);
    }
    // Another process may have drawn the same number in the same millisecond.
    const drawn = { ...assessment, fraudId: assessment.fraudId + attempt - 1 };
    const counted = attempt <= maxAssessments ? drawn : needReview(drawn);
    const conflict = await tryTransact(fraudWrites(subject, counted, read));
    if (!conflict) return counted;
    isOvertaken = conflict.on('velocities');
    throw conflict;
  });
};

/** A check by its number. Throws fraud_check_not_found, also for one that the caller may not see. */
export const fraudCheck = async (fraudId: number, caller: Caller): Promise<FraudCheck> => {
  const item = await getItem(keys.fraudCheck(fraudId));
  const check = item && fromCheckItem(item);
  return visibleOrRefuse(check, caller, 'fraud_check_not_found', 'fraud_id: you have no such fraud check.');
};
