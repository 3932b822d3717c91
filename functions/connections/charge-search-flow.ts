import type { Alert, AlertOwner } from '../alerts/alert.ts';
import { keyRing } from '../core/secrets.ts';
import { type OwnPayment, ownPaymentsOf } from '../transactions/dispute-store.ts';
import { refundable } from '../transactions/ledger.ts';
import {
  askedAbout,
  type Charge,
  chargeOf,
  disputedOf,
  type Searched,
  searchedOf,
  type Unasked,
} from './charge-search.ts';
import { type Connection, connectionsFor } from './connection.ts';
import { connectionsOf } from './connection-store.ts';
import { type Candidate, type Disputed, isTrouble, type Trouble } from './gateway.ts';
import { type GatewayContext, gatewayOf } from './gateway-registry-client.ts';

/** Looks for an alert's charge among the payments that were taken here and at all connections that are for its site, now. */
export const searchCharges = async (alert: Alert): Promise<Searched> => {
  const { owner, providerAlert } = alert;
  const [own, elsewhere] = await Promise.all([ownPaymentsOf(alert), searchElsewhere(alert, disputedOf(providerAlert))]);
  const payments = owner === null ? [] : own.payments.map((payment) => ownCharge(payment, alert.alertId));
  return searchedOf(providerAlert, {
    own: payments,
    elsewhere: elsewhere.flatMap((one) => ('charges' in one ? one.charges : [])),
    unasked: elsewhere.flatMap((one) => ('charges' in one ? [] : [one])),
    isWhole: own.isWhole && elsewhere.every((one) => !('charges' in one) || one.isWhole),
  });
};

/** One charge at a merchant's connection as it stands now; null: there is none, undefined: there is no such connection. */
export const lookAtCharge = async (
  { mid, sid }: Pick<AlertOwner, 'mid' | 'sid'>,
  id: string,
  reference: string,
): Promise<Candidate | Trouble | null | undefined> => {
  const connection = connectionsFor(await connectionsOf(mid), sid).find((one) => one.id === id);
  if (!connection) return undefined;
  const gateway = await gatewayOf(connection, { mid, ring: await keyRing('encryption') });
  return gateway ? gateway.look(reference) : unusable;
};

const unusable: Trouble = { problem: 'credentials', detail: 'The credentials that are kept cannot be used.' };

const ownCharge = ({ transaction, ledger }: OwnPayment, alertId: number): Charge => {
  const { txid, processorReference, createdAt, money, arn, authCode, action } = transaction;
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
    isChargedBack: false,
    isSettled: ledger.captured > 0n,
    isUnclear: false,
    arn,
    authCode,
  };
};

type Answer = { charges: readonly Charge[]; isWhole: boolean } | Unasked;

const searchElsewhere = async (
  { owner, providerAlert, ...alert }: Alert,
  disputed: Disputed | undefined,
): Promise<Answer[]> => {
  if (!owner || !disputed) return [];
  const connections = askedAbout(
    { ...alert, owner, providerAlert },
    connectionsFor(await connectionsOf(owner.mid), owner.sid),
  );
  if (connections.length === 0) return [];
  const context: GatewayContext = { mid: owner.mid, ring: await keyRing('encryption') };
  return Promise.all(connections.map((connection) => searchOne(connection, context, disputed)));
};

const searchOne = async (connection: Connection, context: GatewayContext, disputed: Disputed): Promise<Answer> => {
  const { id, kind, label } = connection;
  const gateway = await gatewayOf(connection, context);
  if (!gateway) {
    return { id, kind, label, ...unusable };
  }
  const found = await gateway.find(disputed);
  if (isTrouble(found)) return { id, kind, label, ...found };
  return { charges: found.candidates.map((one) => chargeOf(connection, one)), isWhole: found.isWhole };
};
