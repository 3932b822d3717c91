import type { ServiceCharge } from '#test/support/fake-merchant-service.ts';
import { credentialsAt, openService, serviceHost } from './actors/service.ts';
import type { OperationName } from './functions.ts';
import { type Call, callUntilKnown } from './gateway.ts';
import type { Importing } from './outside-events.ts';
import type { Means } from './scenes.ts';
import { type Random, seedRandom } from './world/random.ts';

/** A merchant that connects its own service, has orders, and imports the charges of the past weeks. */

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 24 * 3_600_000];
const admin = { scope: 'admin', subject: 'operator', freshUntil: '2999-01-01T00:00:00.000Z' };
const toIso = (time: number): string => new Date(time).toISOString();

type Answer = Record<string, unknown>;
/** Calls an operation until its result is known; any other than 200 and those of `also` is a surprise. */
export const askUntilKnown = (
  { world, observed }: Means,
  name: OperationName,
  make: () => Call,
  then: (status: number, body: Answer) => void,
  also: readonly number[] = [],
): void =>
  callUntilKnown(
    world,
    name,
    () => ({ caller: admin, ...make() }),
    ({ status, body }) => {
      if (status === 200 || also.includes(status)) return then(status, body);
      observed.surprises.push(`${name} was answered ${status} ${JSON.stringify(body)}`);
    },
  );

/** Charges at the service, most with a reference of their own: few a week, and in one week sometimes more than a page has. */
const makeCharges = ({ observed: { service } }: Means, { from, to }: { from: number; to: number }, random: Random) => {
  const made: ServiceCharge[] = [];
  const charge = (at: number): void => {
    const minor = 1000 + random.int(5000);
    const refunded = random.chance(0.2) ? random.pick([minor, 300]) : 0;
    const course = random.chance(0.1) ? { captured: 0 } : { refunded, isChargedBack: random.chance(0.1) };
    const refundedAt = refunded > 0 ? at + hour : null;
    const one = service.charge({ minor, at, orderReference: `R-${made.length}`, refundedAt, ...course });
    made.push(one);
    // If the second charge has the same amount, the order may mean either of them.
    const { orderReference } = one;
    const other = random.pick([undefined, undefined, undefined, undefined, undefined, undefined, 0, 1]);
    if (other !== undefined) service.charge({ minor: minor + other, at: at + 1, orderReference });
  };
  const busyWeek = random.int(8);
  for (let [week, begin] = [0, from]; begin < to; week += 1, begin += 7 * day) {
    for (let left = random.int(5); left > 0; left -= 1)
      charge(Math.min(begin + random.next() * 6.9 * day, to + minute));
    if (week !== busyWeek) continue;
    // Between those, so that no page ends between the two halves of a double charge.
    const many = random.int(140);
    for (let one = 0; one < many; one += 1) {
      service.charge({ minor: 100 + one, at: begin + 6.95 * day + one, orderReference: `B-${one}` });
    }
  }
  for (const edge of [from - 1, from, to - 1, to]) {
    made.push(service.charge({ minor: 4200, at: edge, orderReference: `E-${edge - from}` }));
  }
  return made;
};

/** An order that a charge names; some differ from it in amount, currency or card. */
const orderFor = ({ orderReference, minor, at }: ServiceCharge, random: Random): Answer => ({
  reference: orderReference,
  order_date: toIso(at),
  amount: (minor / 100).toFixed(2),
  currency: 'USD',
  card_type: 'VISA',
  card_firstsix: '411111',
  card_lastfour: '1111',
  items: [{ name: 'Tea', quantity: 1, amount_unit: '1.00' }],
  ...random.pick([{}, {}, {}, { amount: '9.99' }, { currency: 'EUR' }, { card_lastfour: '2222' }]),
});

/** Pauses, resumes and cancels, one after another, so that what each was promised can be checked; in the end nothing is paused. */
const interfere = (means: Means, importing: Importing, importId: string, random: Random): void => {
  const { world, plan } = means;
  const params = { mid: importing.mid, id: importing.connection, import_id: importId };
  const act = (action: string, then: (status: number) => void): void =>
    askUntilKnown(means, 'history/change-import', () => ({ params, body: { action } }), then, [409]);
  const stateNow = (): unknown => {
    const row = world.table.items.get(`IMPORT#${importId}\nIMPORT`);
    return (row?.['import'] as Answer | undefined)?.['state'];
  };
  const soon = (): number => world.timeline.now + random.next() ** 2 * random.pick([10 * second, minute, 5 * hour]);
  const cancel = (): void => {
    importing.cancelAsked.add(importId);
    act('cancel', (status) => {
      if (status === 200) importing.cancelled.add(importId);
    });
  };
  const pause = (): void =>
    act('pause', (status) => {
      plan(soon(), () => {
        const state = stateNow();
        if (status === 200 && state !== 'PAUSED') importing.overruns.push(`${importId} was paused, and is ${state}`);
        if (random.chance(0.2)) return cancel();
        act('resume', () => {
          if (random.chance(0.3)) plan(soon(), pause);
        });
      });
    });
  if (random.chance(0.5)) plan(soon(), pause);
  else if (random.chance(0.2)) plan(soon(), cancel);
};

/** Requests the import, once all orders are known. Whoever gets no answer may have begun one. */
const beginImport = (means: Means, importing: Importing, random: Random): void => {
  const { mid, connection, from, to } = importing;
  means.observed.importing = importing;
  const params = { mid, id: connection };
  const begin = (): void =>
    askUntilKnown(
      means,
      'history/start-import',
      () => ({ params, body: { from, to } }),
      (status, { import_id: id }) => {
        if (status === 200) return interfere(means, importing, String(id), random);
        const latest = { params: { ...params, import_id: 'latest' } };
        askUntilKnown(
          means,
          'history/import-details',
          () => latest,
          (_, { import_id: known }) => interfere(means, importing, String(known), random),
        );
      },
      [409],
    );
  begin();
  // A second request at once begins no second import.
  if (random.chance(0.2))
    askUntilKnown(
      means,
      'history/start-import',
      () => ({ params, body: { from, to } }),
      () => undefined,
      [409],
    );
};

/** The orders of a site, one after another; then the import. */
const storeOrders = (means: Means, sid: number, orders: readonly Answer[], then: () => void): void => {
  const [first, ...others] = orders;
  const next = (): void => storeOrders(means, sid, others, then);
  // A lost answer: an order that is stored is not stored again.
  if (first) askUntilKnown(means, 'orders/create-order', () => ({ body: { sid, ...first } }), next, [409]);
  else then();
};

export type Opened = { mid: number; sid: number };
/** A merchant with a site. A lost answer: there may be several, and only the last one does what follows. */
export const openMerchant = (means: Means, name: string, then: (opened: Opened) => void): void => {
  let tries = 0;
  const merchant = (): Call => {
    tries += 1;
    return { body: { name, order_insights: true, oi_merchant_id: `${name}-${tries}` } };
  };
  askUntilKnown(means, 'merchants/create-merchant', merchant, (_, made) => {
    const mid = Number(made['mid']);
    const retailer = (): Call => ({ params: { mid }, body: { name: 'History' } });
    askUntilKnown(means, 'merchants/create-retailer', retailer, (_status, { rid }) => {
      const site = (): Call => ({ params: { mid, rid: Number(rid) }, body: { name: 'history', currency: 'USD' } });
      askUntilKnown(means, 'merchants/create-site', site, (_code, { sid }) =>
        // An import finds sites by an index, which lags by seconds.
        means.plan(means.world.timeline.now + 10 * second, () => then({ mid, sid: Number(sid) })),
      );
    });
  });
};

const play = (means: Means, random: Random): void => {
  const { world, observed, start, moods, plan } = means;
  const to = start - hour;
  const from = to - (4 + random.int(6)) * 7 * day - random.int(3) * day;
  const orders = makeCharges(means, { from, to }, random).flatMap((charge) =>
    random.chance(0.6) ? [orderFor(charge, random)] : [],
  );
  const place = { host: serviceHost, fails: '/charges' } as const;
  openService({ world, service: observed.service, moods, until: start + 40 * hour, ...place });
  const connections = [{ kind: 'http', label: 'Own', credentials: credentialsAt(serviceHost) }];
  const known = {
    ...{ from: toIso(from), to: toIso(to), orders: orders.map(({ reference }) => String(reference)) },
    ...{ cancelled: new Set<string>(), cancelAsked: new Set<string>(), overruns: [] },
  };
  const connect = ({ mid, sid }: Opened): void => {
    const connection = (): Call => ({ params: { mid }, body: { connections } });
    askUntilKnown(means, 'connections/set-connections', connection, (_, answer) => {
      const [{ id } = { id: '' }] = answer['connections'] as { id: string }[];
      storeOrders(means, sid, orders, () => beginImport(means, { mid, connection: id, ...known }, random));
    });
  };
  plan(start + random.next() * minute, () => openMerchant(means, 'historian', connect));
};

/** One in eight of the histories without a previous release has an import, in addition to everything else. */
export const playImport = (means: Means): void => {
  const random = seedRandom(means.world.seed, 'import scene');
  if (random.chance(0.125)) play(means, random);
};
