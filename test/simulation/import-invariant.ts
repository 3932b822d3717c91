import { isDeepStrictEqual } from 'node:util';
import { fromFiguresItem } from '#disputes/reports/figures-row.ts';
import type { ServiceCharge } from '#test/support/fake-merchant-service.ts';
import type { Importing } from './outside-events.ts';
import type { Kept } from './table-history.ts';
import type { Item } from './world/expressions.ts';

/** Checks an import when a history is over, against the list of the service, without code of the import. */

type Content = { reference: string; amount: string; currency: string; card_firstsix: string; card_lastfour: string } & {
  processor?: { connection: string; reference: string };
  refunds?: { amount: string }[];
};
type Import = { id: string; state: string; counts: Record<string, number>; statistics: { months: Item; sums: Item } };

const toCents = (amount: string): number => Math.round(Number(amount) * 100);

const chargesIn = (kept: Kept, { from, to }: Importing): ServiceCharge[] =>
  [...kept.observed.service.charges.values()].filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));

/** The charge that an order must have: the only one that was captured of its reference and amount, if its card is the order's. */
const findCharge = (content: Content, charges: readonly ServiceCharge[]): ServiceCharge | undefined => {
  const naming = charges.filter(
    ({ orderReference, minor, captured }) =>
      orderReference === content.reference &&
      captured > 0 &&
      content.currency === 'USD' &&
      minor === toCents(content.amount),
  );
  const [only] = naming;
  const isOwn = only?.number.startsWith(content.card_firstsix) && only.number.endsWith(content.card_lastfour);
  return naming.length === 1 && isOwn ? only : undefined;
};

const countMonths = (charges: readonly ServiceCharge[]): Record<string, { settled: number; charged_back: number }> => {
  const byMonth = Map.groupBy(charges, ({ at }) => new Date(at).toISOString().slice(0, 7));
  const count = (list: readonly ServiceCharge[], counts: (one: ServiceCharge) => boolean) => list.filter(counts).length;
  return Object.fromEntries(
    [...byMonth].map(([month, list]) => [
      `${month}|VISA`,
      {
        settled: count(list, ({ captured }) => captured > 0),
        charged_back: count(list, ({ isChargedBack }) => isChargedBack),
      },
    ]),
  );
};

/** Each import that was not cancelled has counted what the service lists, once. */
const countsAgree = (one: Import, charges: readonly ServiceCharge[], linked: readonly ServiceCharge[]): string[] => {
  const sum = (amountOf: (charge: ServiceCharge) => number) =>
    charges.reduce((total, charge) => total + amountOf(charge), 0);
  const refunds = linked.filter(({ refunded }) => refunded > 0).length;
  const wanted = {
    counts: { charges: charges.length, disputes: 0, orders: linked.length, refunds, unreadable: 0 },
    months: countMonths(charges),
    sums: { USD: { charged: sum(({ captured }) => captured), refunded: sum(({ refunded }) => refunded) } },
  };
  const { months, sums } = one.statistics;
  // An import of the release before does not count them.
  const found = { counts: { unreadable: 0, ...one.counts }, months, sums };
  return isDeepStrictEqual(JSON.parse(JSON.stringify(found)), wanted)
    ? []
    : [`${one.id} counted ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
};

/** The figures of each whole month are what was counted of it. */
const figuresAgree = (kept: Kept, { mid, from, to }: Importing, charges: readonly ServiceCharge[]): string[] =>
  Object.entries(countMonths(charges)).flatMap(([name, { settled, charged_back: chargebacks }]) => {
    const [month = ''] = name.split('|');
    const next = new Date(`${month}-01T00:00:00.000Z`);
    next.setUTCMonth(next.getUTCMonth() + 1);
    const isWhole = from <= `${month}-01T00:00:00.000Z` && to >= next.toISOString();
    const found = fromFiguresItem(kept.world.table.items.get(`MERCHANT#${mid}\nFIGURES#${month}#VISA`));
    const wanted = isWhole ? { settled, chargebacks, fraud: 0 } : undefined;
    return JSON.stringify(found) === JSON.stringify(wanted)
      ? []
      : [`the figures of ${month} are ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  });

/** `isDone`: an import has read everything; before, orders may have no charge yet. */
const ordersAgree = (orders: readonly Content[], charges: readonly ServiceCharge[], isDone: boolean): string[] =>
  orders.flatMap((content) => {
    const { reference, processor, refunds } = content;
    const own = findCharge(content, charges);
    if (!isDone && processor === undefined) return [];
    const refunded = (refunds ?? []).map(({ amount }) => toCents(amount));
    const wanted = own && own.refunded > 0 ? [own.refunded] : [];
    return [
      ...(processor?.reference === own?.reference
        ? []
        : [`order ${reference} has charge ${processor?.reference}, not ${own?.reference}`]),
      ...(isDeepStrictEqual(refunded, wanted) ? [] : [`order ${reference} has refunds of ${refunded}, not ${wanted}`]),
    ];
  });

/** Checks that imports end, count what the service lists, and link orders to the charges that name them. */
export const importsAgree = (kept: Kept): string[] => {
  const { importing } = kept.observed;
  if (!importing) return [];
  const charges = chargesIn(kept, importing);
  const imports = kept
    .of('IMPORT')
    .map((row) => row['import'] as Import & { mid: number })
    .filter(({ mid }) => mid === importing.mid);
  const orders = kept
    .of('ORDER')
    .filter((row) => row['source'] === 'merchant' && row['mid'] === importing.mid)
    .map((row) => row['content'] as Content);
  const linked = orders.flatMap((content) => findCharge(content, charges) ?? []);
  const done = imports.filter(({ state }) => state === 'DONE');
  const { cancelled, cancelAsked } = importing;
  const notEnded = imports.filter(({ id, state }) =>
    cancelled.has(id) ? state !== 'CANCELLED' : state !== 'DONE' && !(state === 'CANCELLED' && cancelAsked.has(id)),
  );
  return [
    ...importing.overruns,
    ...(imports.length === 0 ? ['the import is gone'] : []),
    ...notEnded.map(({ id, state }) => `${id} is ${state}${cancelled.has(id) ? ', though it was cancelled' : ''}`),
    ...(orders.length === importing.orders.length
      ? []
      : [`there are ${orders.length} of ${importing.orders.length} orders`]),
    ...done.flatMap((one) => countsAgree(one, charges, linked)),
    ...(done.length > 0 ? figuresAgree(kept, importing, charges) : []),
    ...ordersAgree(orders, charges, done.length > 0),
  ];
};
