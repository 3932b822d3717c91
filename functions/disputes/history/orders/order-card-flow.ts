import { schemeOf } from '#core/kernel/card/card.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { type Connection, connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import { loadGateway } from '#disputes/connections/gateway-registry-client.ts';
import type { OrderSource, SourceTrouble } from '#payments/orders/source/order-source.ts';
import { type ChargeCandidate, type Gateway, isTrouble } from '#payments/processors/ports/gateway.ts';
import type { OrderCard, ShopOrder } from './shop-order.ts';

/** A connection at which charges of the shop's orders are looked up. */
type CardPlace = { connection: Connection; gateway: Gateway | undefined };

/** The connections of a site's merchant that can read a charge by its reference. */
const readPlaces = async ({ mid, sid }: Pick<OrderSource, 'mid' | 'sid'>): Promise<CardPlace[]> => {
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

/** The time for which orders wait for a connection that does not answer. */
const patience = 3 * milliseconds.hour;
/** The number of orders in a row for which a run asks a connection that does not answer. */
const maxSilences = 3;

/** The connections that may know the cards of a page's orders. */
export class CardLookup {
  readonly #places: readonly CardPlace[];
  readonly #before: OrderSource['silentSince'];
  /** The words for connections that did not answer, by id. */
  readonly #silent = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #silences = new Map<string, number>();

  private constructor(places: readonly CardPlace[], before: OrderSource['silentSince']) {
    this.#places = places;
    this.#before = before;
  }

  /** Prepares the look-ups of one page. */
  static async open(source: OrderSource): Promise<CardLookup> {
    return new CardLookup(await readPlaces(source), source.silentSince);
  }

  /**
   * Finds the card of an order: shops do not store it, but the processor that charged it states its first and last digits. Null: no
   * connection knows it. Returns the trouble if one did not answer and the order should wait for it.
   */
  async find(order: ShopOrder): Promise<OrderCard | null | SourceTrouble> {
    if (order.card || order.charge === '') return order.card;
    let waiting: SourceTrouble | null = null;
    for (const place of this.#places) {
      const found = await this.#ask(place, order.charge);
      if (found !== null && 'trouble' in found) waiting = this.#isWaitedFor(place) ? found : waiting;
      else if (found !== null && isPaidBy(order, found)) return cardOf(place, found);
    }
    return waiting;
  }

  async #ask({ connection, gateway }: CardPlace, charge: string): Promise<ChargeCandidate | null | SourceTrouble> {
    const { id, kind, label } = connection;
    const silences = this.#silences.get(id) ?? 0;
    const known = this.#silent.get(id);
    if (known !== undefined && silences >= maxSilences) return { trouble: known };
    const found = gateway ? await gateway.look(charge) : ({ problem: 'credentials', detail: '' } as const);
    if (found === null || !isTrouble(found)) {
      this.#silences.delete(id);
      this.#answered.add(id);
      return found;
    }
    const words = found.problem === 'credentials' ? 'refused its credentials' : 'did not answer';
    const trouble = `The connection ${label} (${kind}) ${words}. It is asked for the cards of the orders.`;
    this.#silences.set(id, silences + 1);
    this.#silent.set(id, trouble);
    return { trouble };
  }

  #isWaitedFor({ connection }: CardPlace): boolean {
    const since = this.#before[connection.id];
    return since === undefined || nowMilliseconds() < Date.parse(since) + patience;
  }

  /** The words for a connection that did not answer; null: all that were asked answered. */
  get trouble(): string | null {
    return [...this.#silent.values()].at(-1) ?? null;
  }

  /** The connections that have not answered since (ISO), by id: those that answered each time are removed. */
  get silentSince(): OrderSource['silentSince'] {
    const before = Object.entries(this.#before).filter(([id]) => !this.#answered.has(id));
    return Object.fromEntries([...[...this.#silent.keys()].map((id) => [id, this.#before[id] ?? nowIso()]), ...before]);
  }
}
