import { siteEntity } from '#accounts/merchants/site/site.ts';
import { crossFacets } from '#core/platform/lists/listing.ts';
import { readFirst } from '#core/platform/lists/listing-store.ts';
import { log } from '#core/platform/log/log.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { candidatesFor } from '#disputes/alerts/intake/candidate-store.ts';
import { readAlertOwner, writeAlert } from '#disputes/alerts/intake/intake-store.ts';
import { matchClaims } from '#disputes/alerts/intake/matching.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import type { DisputePlace, FraudWarning } from '#payments/processors/ports/dispute.ts';
import { getTransaction } from '#payments/transactions/transaction/transaction-store.ts';
import { findManagedMerchant, loadDisputePort } from '../look/port-flow.ts';
import { alertOfWarning, type WarnedPayment } from './warning.ts';

/**
 * Tells the merchant of an issuer's warning, as of any informational alert; only once, however often the warning comes, as its
 * case is then known. Merchants without chargeback management (`cbm`) or without an alert site are not told. Throws RetryLaterError where
 * the processor could not be asked. False: the processor does not know the warning.
 */
export const takeWarning = async (place: DisputePlace): Promise<boolean> => {
  const mid = await findManagedMerchant(place);
  const port = mid === undefined ? undefined : await loadDisputePort(place);
  if (mid === undefined || !port?.lookAtWarning) return true;
  const answer = await port.lookAtWarning(place.reference);
  if ('unknown' in answer) throw new RetryLaterError(`${place.processor}: ${answer.unknown}`);
  if (answer.found) await tell(answer.found, place, mid);
  return answer.found !== null;
};

const tell = async (warning: FraudWarning, place: DisputePlace, mid: number): Promise<void> => {
  // A processor that passes on warnings is declared as their provider.
  const provider = alertProviders.find((name) => name === place.processor);
  if (!provider) throw new Error(`${place.processor} is not declared as a provider of warnings`);
  const providerAlert = alertOfWarning(warning, provider, await findWarnedPayment(warning, place, mid));
  const toldAt = await siteToTell(mid, providerAlert.descriptor);
  const owner = toldAt && (await readAlertOwner({ sid: toldAt.sid, mid }, providerAlert));
  if (!toldAt || !owner) {
    log('info', 'warning_without_alert_site', { mid, processor: place.processor });
    return;
  }
  const ownership = { site: owner.site, matchedDescriptor: toldAt.descriptor };
  try {
    await writeAlert(providerAlert, ownership, owner, { by: place.processor, via: 'intake' });
  } catch (error) {
    // The processor's name of a warning is its own: what it says differently now changes nothing, and would be refused each time.
    if (!(error instanceof Refusal) || error.code !== 'request_invalid') throw error;
    log('error', 'warning_about_another_payment', { mid, processor: place.processor, details: error.details });
  }
};

const findWarnedPayment = async (
  { payments }: FraudWarning,
  place: DisputePlace,
  mid: number,
): Promise<WarnedPayment | undefined> => {
  const rows = await getItems(payments.map((one) => keys.processorReference(place.processor, one)));
  const own = rows.find((row) => row !== undefined && (!('sid' in place) || row['sid'] === place.sid));
  const payment = own && (await getTransaction(Number(own['txid'])));
  return payment?.mid === mid ? payment : undefined;
};

/** The merchant's site that has enrolled the charge's descriptor; else its first alert site; undefined if it has none. */
const siteToTell = async (
  mid: number,
  descriptor: string,
): Promise<{ sid: number; descriptor: string } | undefined> => {
  const claims = descriptor === '' ? [] : await candidatesFor(descriptor);
  const match = matchClaims(claims.filter((claim) => claim.mid === mid));
  if ('candidate' in match) return match.candidate;
  const [first] = await readFirst<{ sid: number }>({
    entity: siteEntity,
    scopeIndex: 2,
    scope: `M${mid}`,
    facets: crossFacets(['alert'], ['-']),
    order: 'ASC',
    size: 1,
  });
  return first && { sid: first.sid, descriptor: '' };
};
