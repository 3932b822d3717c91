import { schemeOf } from '#core/kernel/card/card.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { type Connection, connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { loadGateway } from '#disputes/connections/gateway-registry-client.ts';
import type { OrderSource, SourceTrouble } from '#payments/orders/source/order-source.ts';
import { type ChargeCandidate, type Gateway, isTrouble } from '#payments/processors/ports/gateway.ts';
import type { OrderCard, ShopOrder } from './shop-order.ts';

/** A connection at which charges of the shop's orders are looked up. */
export type CardPlace = { connection: Connection; gateway: Gateway | undefined };

/** The connections of a site's merchant that can read a charge by its reference. */
export const readCardPlaces = async ({ mid, sid }: Pick<OrderSource, 'mid' | 'sid'>): Promise<CardPlace[]> => {
  const connections = connectionsFor(await readConnections(mid), sid).filter(({ kind }) => kind !== 'shopify');
  if (connections.length === 0) return [];
  const context = { mid, ring: await keyRing('encryption') };
  const places = await Promise.all(
    connections.map(async (connection) => ({ connection, gateway: await loadGateway(connection, context) })),
  );
  return places.filter(({ gateway }) => gateway?.isBlind !== true);
};

const cardOf = ({ connection }: CardPlace, charge: ChargeCandidate): OrderCard | null => {
  const { first6, last4, brand = schemeOf(first6), arn, authCode, reference } = charge;
  if (first6 === '' || last4 === '' || brand === undefined) return null;
  return {
    ...{ first6, last4, card_type: brand, processor: { connection: connection.id, reference } },
    ...(arn !== null && { arn }),
    ...(authCode !== null && { auth_code: authCode }),
  };
};

/** Checks whether a charge paid an order: references of two processors may be equal, its amount is then another. */
const isPaidBy = ({ total }: ShopOrder, { money, captured }: ChargeCandidate): boolean =>
  total !== null && captured > 0n && money.currency === total.currency && money.minor === total.minor;

/**
 * Finds the card of an order: shops do not store it, but the processor that charged it states its first and last digits. Null: no
 * connection knows it. If one did not answer, so that the order may be found later, returns that.
 */
export const findOrderCard = async (
  order: ShopOrder,
  places: readonly CardPlace[],
): Promise<OrderCard | null | SourceTrouble> => {
  if (order.card || order.charge === '') return order.card;
  let silence: SourceTrouble | null = null;
  for (const place of places) {
    const { kind, label } = place.connection;
    const found = place.gateway
      ? await place.gateway.look(order.charge)
      : ({ problem: 'credentials', detail: '' } as const);
    if (found !== null && isTrouble(found)) {
      const words = found.problem === 'credentials' ? 'refused its credentials' : 'did not answer';
      silence = { trouble: `The connection ${label} (${kind}) ${words}. It is asked for the cards of the orders.` };
    } else if (found !== null && isPaidBy(order, found)) return cardOf(place, found);
  }
  return silence;
};
