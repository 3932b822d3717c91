import { keyRing } from '#core/platform/secrets/secrets.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import { findOwnPayments, type PaymentWithLedger } from '#disputes/holds/dispute-hold-store.ts';
import { findOrderOfAlert } from '#disputes/lookups/lookup/alert-order-store.ts';
import { knownRates } from '#disputes/matching/known-rates-store.ts';
import { matchEvidenceOf } from '#disputes/matching/match-evidence.ts';
import type { Order } from '#payments/orders/order.ts';
import {
  type ChargeCandidate,
  type ConnectionTrouble,
  type DisputedCharge,
  isTrouble,
} from '#payments/processors/ports/connected-processor.ts';
import { isChargedBack, isRefundedByNetwork, refundable } from '#payments/transactions/ledger/ledger.ts';
import {
  askedAbout,
  chargeFactsOf,
  chargeOfOrder,
  type FoundCharge,
  type Searched,
  toFound,
  toSearch,
  toSought,
  type Unasked,
} from './charge-search.ts';
import { type ConnectionContext, loadConnectedProcessor } from './connected-processor-registry-client.ts';
import { type Connection, connectionsFor } from './connection.ts';
import { readConnections } from './connection-store.ts';

/**
 * Looks for an alert's charge: by the order that the alert's numbers name, which says where the charge is; else among the payments
 * taken here and at all current connections of its site.
 */
export const searchCharges = async (alert: Alert): Promise<Searched> =>
  (await chargeByOrder(alert)) ?? searchEverywhere(alert);

/** The charge that the alert's order names, if it was made with the alert's card; undefined if none is named. */
const chargeByOrder = async (alert: Alert): Promise<Searched | undefined> => {
  const { owner, providerAlert } = alert;
  if (!owner || providerAlert.test) return undefined;
  const connections = connectionsFor(await readConnections(owner.mid), owner.sid);
  const order = connections.length === 0 ? undefined : await findChargeOrder(alert);
  const { connection: id, reference } = order?.content.processor ?? {};
  const connection = connections.find((one) => one.id === id);
  if (!connection || reference === undefined) return undefined;
  const found = await lookThere(connection, reference, alert);
  if (found === null) return undefined;
  const { kind, label } = connection;
  if (isTrouble(found)) {
    return { charges: [], match: { found: 'none' }, unasked: [{ id: connection.id, kind, label, ...found }] };
  }
  const charge = toFound(connection, found);
  const evidence = matchEvidenceOf(providerAlert, chargeFactsOf(charge), { isNamed: true });
  if (evidence.level !== 'certain') return undefined;
  return { charges: [charge], match: { found: 'one', charge, evidence }, unasked: [] };
};

const findChargeOrder = async ({ owner, providerAlert }: Alert): Promise<Order | undefined> => {
  const match = owner ? await findOrderOfAlert(owner.mid, providerAlert) : undefined;
  return match?.found === 'one' && match.order.source === 'merchant' ? match.charged : undefined;
};

const searchEverywhere = async (alert: Alert): Promise<Searched> => {
  const { owner, providerAlert } = alert;
  const [own, elsewhere] = await Promise.all([
    findOwnPayments(alert),
    searchElsewhere(alert, toSought(alert, alert.alertId)),
  ]);
  const payments = owner === null ? [] : own.payments.map((payment) => ownCharge(payment, alert.alertId));
  const charges = elsewhere.flatMap((one) => ('charges' in one ? one.charges : []));
  return toSearch(providerAlert, {
    own: payments,
    elsewhere: charges,
    rateOf: await knownRates(
      providerAlert.currency,
      [...payments, ...charges].map(({ money }) => money.currency),
    ),
    unasked: elsewhere.flatMap((one) => ('charges' in one ? (one.unread ?? []) : one)),
    isWhole: own.isWhole && elsewhere.every((one) => !('charges' in one) || one.isWhole),
  });
};

/**
 * The current state of a charge at a connection that may be asked about an alert; null: there is no such charge; undefined: no such
 * connection. For a test alert, connections with real money do not count.
 */
export const readConnectionCharge = async (
  alert: Alert,
  id: string,
  reference: string,
): Promise<ChargeCandidate | ConnectionTrouble | null | undefined> => {
  const { owner } = alert;
  if (!owner) return undefined;
  const asked = askedAbout(alert, connectionsFor(await readConnections(owner.mid), owner.sid));
  const connection = asked.find((one) => one.id === id);
  return connection && lookThere(connection, reference, alert);
};

const lookThere = async (
  connection: Connection,
  reference: string,
  alert: Alert,
): Promise<ChargeCandidate | ConnectionTrouble | null> => {
  const mid = alert.owner?.mid ?? 0;
  const connected = await loadConnectedProcessor(connection, { mid, ring: await keyRing('encryption') });
  if (!connected) return unusable;
  if (!connected.isBlind) return connected.look(reference);
  const order = await findChargeOrder(alert);
  const named = order?.content.processor;
  return order && named?.connection === connection.id && named.reference === reference ? chargeOfOrder(order) : null;
};

const unusable: ConnectionTrouble = { problem: 'credentials', detail: 'The stored credentials cannot be used.' };

const ownCharge = ({ transaction, ledger }: PaymentWithLedger, alertId: number): FoundCharge => {
  const { txid, processorReference, createdAt, money, arn, authCode, action, card, descriptor } = transaction;
  const left = refundable(ledger, alertId);
  return {
    connection: null,
    txid,
    reference: processorReference ?? '',
    secondReference: String(txid),
    type: action === 'PREAUTH' ? 'authorization' : 'sale',
    date: createdAt,
    money: { minor: BigInt(money.minor), currency: money.currency },
    refunded: ledger.refunded,
    left: left > 0n ? left : 0n,
    isChargedBack: isChargedBack(ledger),
    ...(isRefundedByNetwork(ledger) && { isRefundedByNetwork: true }),
    isSettled: ledger.captured > 0n,
    isUnclear: false,
    first6: card?.first6 ?? '',
    last4: card?.last4 ?? '',
    ...(card && { brand: card.scheme }),
    captured: ledger.captured,
    descriptor: descriptor ?? '',
    arn,
    authCode,
  };
};

/** `unread`: the connection has answered, and some of its charges could not be read. */
type Answer = { charges: readonly FoundCharge[]; isWhole: boolean; unread?: Unasked } | Unasked;

const searchElsewhere = async (
  { owner, providerAlert, ...alert }: Alert,
  disputed: DisputedCharge | undefined,
): Promise<Answer[]> => {
  if (!owner || !(disputed || providerAlert.test)) return [];
  const connections = connectionsFor(await readConnections(owner.mid), owner.sid);
  const asked = askedAbout({ ...alert, owner, providerAlert }, connections);
  const unasked = connections.filter((one) => !asked.includes(one)).map(skipForTest);
  if (asked.length === 0 || !disputed) return unasked;
  const context: ConnectionContext = { mid: owner.mid, ring: await keyRing('encryption') };
  const found = await Promise.all(asked.map((connection) => searchOne(connection, context, disputed)));
  return [...found, ...unasked];
};

const skipForTest = ({ id, kind, label }: Connection): Unasked => ({
  ...{ id, kind, label, problem: 'test_alert' },
  detail: 'A test alert is not searched for among real charges.',
});

const searchOne = async (
  connection: Connection,
  context: ConnectionContext,
  disputed: DisputedCharge,
): Promise<Answer> => {
  const { id, kind, label } = connection;
  const connected = await loadConnectedProcessor(connection, context);
  if (!connected) {
    return { id, kind, label, ...unusable };
  }
  const found = await connected.find(disputed);
  if (isTrouble(found)) return { id, kind, label, ...found };
  const { candidates, isWhole, unread: detail } = found;
  return {
    ...{ charges: candidates.map((one) => toFound(connection, one)), isWhole },
    ...(detail !== undefined && { unread: { id, kind, label, problem: 'unreadable', detail } }),
  };
};
