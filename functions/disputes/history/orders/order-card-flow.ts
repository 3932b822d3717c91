import { schemeOf } from '#core/kernel/card/card.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { keyRing } from '#core/platform/secrets/secrets.ts';
import { loadConnectedProcessor } from '#disputes/connections/connected-processor-registry-client.ts';
import { type Connection, connectionsFor } from '#disputes/connections/connection.ts';
import { readConnections } from '#disputes/connections/connection-store.ts';
import type { OrderSource, Silence, SourceTrouble } from '#payments/orders/source/order-source.ts';
import {
  type ChargeCandidate,
  type ConnectedProcessor,
  isTrouble,
} from '#payments/processors/ports/connected-processor.ts';
import { cleanText, type OrderCard, type ShopOrder } from './shop-order.ts';

/** A connection at which charges of the shop's orders are looked up. */
type CardPlace = { connection: Connection; connected: ConnectedProcessor | undefined };

/** The connections of a site's merchant that can read a charge by its reference. */
const readPlaces = async ({ mid, sid }: Pick<OrderSource, 'mid' | 'sid'>): Promise<CardPlace[]> => {
  const connections = connectionsFor(await readConnections(mid), sid).filter(({ kind }) => kind !== 'shopify');
  if (connections.length === 0) return [];
  const context = { mid, ring: await keyRing('encryption') };
  const places = await Promise.all(
    connections.map(async (connection) => ({
      connection,
      connected: await loadConnectedProcessor(connection, context),
    })),
  );
  return places.filter(({ connected }) => connected?.isBlind !== true);
};

const toCard = ({ connection }: CardPlace, charge: ChargeCandidate): OrderCard | null => {
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
  captured > 0n && money.currency === total.currency && money.minor === total.minor;

/** An order waits for a silent connection at least this long and for this many runs, because runs may be hours apart. */
const patience = { time: 3 * milliseconds.hour, runs: 5 } as const;
/** The number of orders in a row for which a run asks a connection that does not answer. */
const maxSilences = 3;

/** The key under which the silence of a connection about one order is stored, without card numbers. */
const orderId = (connection: string, { reference }: ShopOrder): string =>
  `${connection} ${cleanText(reference, 65) ?? ''}`;

/** The connections that may know the cards of a page's orders. */
export class CardLookup {
  readonly #places: readonly CardPlace[];
  readonly #before: OrderSource['silences'];
  /** The keys of connections and orders without an answer, with the reason in words, and of those with one. */
  readonly #silent = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #silencesInRow = new Map<string, number>();

  private constructor(places: readonly CardPlace[], before: OrderSource['silences']) {
    this.#places = places;
    this.#before = before;
  }

  /** Prepares the look-ups of one page. */
  static async open(source: OrderSource): Promise<CardLookup> {
    return new CardLookup(await readPlaces(source), source.silences);
  }

  /**
   * Finds the card of an order: shops do not store it, but the processor that charged it states its first and last digits. Null: no
   * connection knows it. Returns the trouble if one did not answer and the order should wait for it.
   */
  async find(order: ShopOrder): Promise<OrderCard | null | SourceTrouble> {
    if (order.card || order.charge === '') return order.card;
    let waiting: SourceTrouble | null = null;
    for (const place of this.#places) {
      const found = await this.#ask(place, order);
      if (found !== null && 'trouble' in found) waiting = this.#isWaitedFor(place, order) ? found : waiting;
      else if (found !== null && isPaidBy(order, found)) return toCard(place, found);
    }
    return waiting;
  }

  async #ask({ connection, connected }: CardPlace, order: ShopOrder): Promise<ChargeCandidate | null | SourceTrouble> {
    const { id, kind, label } = connection;
    const inRow = this.#silencesInRow.get(id) ?? 0;
    const known = this.#silent.get(id);
    if (known !== undefined && inRow >= maxSilences) return { trouble: known };
    const found = connected ? await connected.look(order.charge) : ({ problem: 'credentials', detail: '' } as const);
    const own = orderId(id, order);
    const keys = [id, own];
    if (found === null || !isTrouble(found)) {
      this.#silencesInRow.delete(id);
      for (const key of keys) this.#answered.add(key);
      return found;
    }
    const words = found.problem === 'credentials' ? 'refused its credentials' : 'did not answer';
    const trouble = `The connection ${label} (${kind}) ${words}. It is asked for the cards of the orders.`;
    // Silence about an order that is no longer waited for says nothing about the connection.
    const isKnownBroken = this.#isExhausted(own);
    if (!isKnownBroken) this.#silencesInRow.set(id, inRow + 1);
    for (const key of isKnownBroken ? [own] : keys) this.#silent.set(key, trouble);
    return { trouble };
  }

  #isWaitedFor({ connection: { id } }: CardPlace, order: ShopOrder): boolean {
    return !this.#isExhausted(orderId(id, order)) && (this.#answered.has(id) || !this.#isExhausted(id));
  }

  #isExhausted(key: string): boolean {
    const before = this.#before[key];
    const isLong = before !== undefined && nowMilliseconds() >= Date.parse(before.since) + patience.time;
    return isLong && before.runs + 1 >= patience.runs;
  }

  /** The words for a connection that did not answer; null: all that were asked answered. */
  get trouble(): string | null {
    return [...this.#silent.values()].at(-1) ?? null;
  }

  /** The silences after the page. `isOver`: its orders were stored or left out, so that no single one is waited for any more. */
  silences(isOver: boolean): OrderSource['silences'] {
    const before = Object.entries(this.#before);
    const present = [...this.#silent.keys()].map((key): [string, Silence] => {
      const { since = nowIso(), runs = 0 } = this.#before[key] ?? {};
      return [key, { since, runs: runs + 1 }];
    });
    const left = [...before, ...present].filter(([key]) => !this.#answered.has(key) && !(isOver && key.includes(' ')));
    return Object.fromEntries(left);
  }
}
