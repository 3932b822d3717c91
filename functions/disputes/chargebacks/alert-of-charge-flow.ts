import { iso, milliseconds } from '#core/kernel/clock.ts';
import { readPage } from '#core/platform/lists/listing-store.ts';
import { RetryLaterError } from '#core/platform/operation/worker.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItems } from '#core/platform/table/table.ts';
import { isInformational } from '#disputes/alerts/alert.ts';
import { alertEntity } from '#disputes/alerts/alert-row.ts';
import type { AlertSummary } from '#disputes/alerts/schemas.ts';
import { chargeFactsOf } from '#disputes/connections/charge-search.ts';
import { loadConnectedProcessor } from '#disputes/connections/connected-processor-registry-client.ts';
import { connectionOfId } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { isPlausible } from '#disputes/matching/match.ts';
import { fromChargeRefundsItem } from '#disputes/refunds/reservation-row.ts';
import { type ChargeCandidate, isTrouble } from '#payments/processors/ports/connected-processor.ts';
import type { ProcessorDispute } from '#payments/processors/ports/dispute.ts';

/**
 * The alert about a charge at a merchant's own connection: the one for which it was refunded, else the one whose numbers, amount and
 * day match only this charge; of several, the last one before the dispute. Null if none is known. Throws RetryLaterError where the
 * processor could not be asked for the charge.
 */
export const alertOfCharge = async (
  { mid, connection: id }: { mid: number; connection: string },
  { payments, openedAt }: Pick<ProcessorDispute, 'payments' | 'openedAt'>,
): Promise<number | null> => {
  const refunds = await getItems(payments.map((reference) => keys.chargeRefunds(id, reference)));
  const refunded = refunds.flatMap((item) => Object.keys(fromChargeRefundsItem(item)?.refunds ?? {})).map(Number);
  if (refunded.length > 0) return Math.max(...refunded);
  const charge = await findCharge(mid, id, payments);
  return charge ? alertAbout(mid, charge, openedAt) : null;
};

/** A charge at a merchant's connection. Throws RetryLaterError where the processor could not be asked. */
export const findCharge = async (
  mid: number,
  id: string,
  payments: readonly string[],
): Promise<ChargeCandidate | undefined> => {
  const connection = connectionOfId(await readConnections(mid), id);
  const connected =
    connection && (await loadConnectedProcessor(connection, { mid, ring: await keyRing('encryption') }));
  for (const reference of connected ? payments : []) {
    const found = await connected?.look(reference);
    if (found && isTrouble(found)) throw new RetryLaterError(`${connection?.kind}: ${found.detail}`);
    if (found) return found;
  }
  return undefined;
};

const pageSize = 500;
/** Ten thousand alerts: what a large merchant gets in the months within which an issuer may dispute. */
const maxPages = 20;
/** An alert is never much older than its charge; clocks and days of banks differ. */
const skew = 2 * milliseconds.day;

const alertAbout = async (mid: number, charge: ChargeCandidate, openedAt: string): Promise<number | null> => {
  const fits = (alert: AlertSummary) => !alert.test && !isInformational(alert.alert_type) && isAbout(alert, charge);
  let last: number | null = null;
  let cursor: string | undefined;
  const from = iso(Date.parse(charge.date) - skew);
  for (let count = 0; count < maxPages; count += 1) {
    const page = await readPage<AlertSummary>({
      entity: alertEntity,
      scopeIndex: 2,
      scope: `M${mid}`,
      order: 'ASC',
      size: pageSize,
      from,
      cursor,
    });
    for (const alert of page.list.filter(fits)) {
      if (last === null || alert.alert_date <= openedAt) last = alert.alert_id;
    }
    if (page.next_cursor === null) return last;
    cursor = page.next_cursor;
  }
  return last;
};

const isAbout = (alert: AlertSummary, charge: ChargeCandidate): boolean => {
  const { card, arn, auth_code: authCode, amount, currency, transaction_timestamp: transactionAt, descriptor } = alert;
  const disputed = { card, arn, authCode, amount, currency, transactionAt, descriptor };
  return isPlausible(disputed, chargeFactsOf(charge));
};
