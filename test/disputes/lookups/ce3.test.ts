import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ce3, historicOrders, judgeCe3 } from '#disputes/lookups/evidence/ce3.ts';
import { addressElement, readElements } from '#disputes/lookups/evidence/ce3-elements.ts';
import { toCe3 } from '#disputes/lookups/evidence/evidence.ts';
import { judgeReady } from '#disputes/lookups/evidence/readiness.ts';
import type { Order } from '#payments/orders/order.ts';
import { content, earlier, now, order } from '#test/payments/orders/samples.ts';

const time = Date.parse(now);
const toResult = (ce3: Ce3) => (ce3.qualified ? [...ce3.matched] : ce3.reason);
/** Judges a disputed purchase of three days ago, with earlier ones. */
const judged = (disputed: Order, priors: readonly Order[]) => toResult(judgeCe3(disputed, [disputed, ...priors]));
const disputed = (fields: Record<string, unknown> = {}, change: Partial<Order> = {}) => earlier(3, fields, change);
const everything = ['ip', 'device_id', 'device_fingerprint', 'account_id', 'shipping_address'];
const nothing = { customer: {}, device: {}, shipping: null };
const device = { ip: '203.0.113.7' };

describe('Compelling Evidence 3.0', () => {
  it.each<[string, Order, Order[], string[] | string]>([
    ['qualifies with two purchases alike', disputed(), [earlier(150), earlier(200)], everything],
    ['needs two', disputed(), [earlier(150)], 'too_few'],
    [
      'takes none of 122 days that was 119 before the disputed one',
      disputed(),
      [earlier(122), earlier(200)],
      'too_few',
    ],
    ['takes one of 123 days, 120 before it', disputed(), [earlier(123), earlier(200)], everything],
    ['takes one of 365 days before the disputed one', disputed(), [earlier(368), earlier(200)], everything],
    ['takes none of 366 days before it', disputed(), [earlier(369), earlier(200)], 'too_few'],
    [
      'takes none that was disputed',
      disputed(),
      [earlier(150), earlier(200, {}, { disputes: [{ alertId: 1, type: 'FRAUD_NOTICE', at: now }] })],
      'too_few',
    ],
    ['takes none that its merchant reported', disputed(), [earlier(150), earlier(200, { reported: true })], 'too_few'],
    [
      'takes none that was refunded',
      disputed(),
      [earlier(150), earlier(200, { refunds: [{ amount: '361.56', currency: 'USD', at: now }] })],
      'too_few',
    ],
    [
      'takes one that was refunded in part',
      disputed(),
      [earlier(150), earlier(200, { refunds: [{ amount: '61.56', currency: 'USD', at: now }] })],
      everything,
    ],
    [
      'takes none that was voided',
      disputed(),
      [
        earlier(150),
        earlier(
          200,
          {},
          { payment: { captured: '0.00', refunded: '0.00', voided: true, processor: null, reference: null } },
        ),
      ],
      'too_few',
    ],
    ['takes none that is unpaid', disputed(), [earlier(150), earlier(200, {}, { state: 'unpaid' })], 'too_few'],
    [
      'knows a card by the merchant’s token',
      disputed(),
      [earlier(150), earlier(200, { card_token: 'tok_bob' })],
      'too_few',
    ],
    [
      'knows a card by its own digest',
      disputed({ card_token: null }, { cardDigest: 'd' }),
      [earlier(150, { card_token: null }, { cardDigest: 'd' }), earlier(200, {}, { cardDigest: 'd' })],
      everything,
    ],
    [
      'does not know a card by its ends',
      disputed({ card_token: null }),
      [earlier(150, { card_token: null }), earlier(200, { card_token: null })],
      'credential_unknown',
    ],
    [
      'takes those of another site with the same text',
      disputed(),
      [earlier(150, {}, { sid: 2 }), earlier(200)],
      everything,
    ],
    [
      'takes none of another shop',
      disputed(),
      [earlier(150, { descriptor: 'TOYS*1' }, { sid: 2 }), earlier(200)],
      'too_few',
    ],
    [
      'takes none of another site without a text',
      disputed({ descriptor: null }),
      [earlier(150, { descriptor: null }, { sid: 2 }), earlier(200)],
      'too_few',
    ],
    ['needs an address or a device', disputed({ device: {} }), [earlier(150), earlier(200)], 'no_device_or_ip'],
    ['requires something as well', disputed({ ...nothing, device }), [earlier(150), earlier(200)], 'one_element'],
    [
      'counts identifier and fingerprint of a device once',
      disputed({
        customer: {},
        shipping: null,
        device: { device_id: 'device-0123456789', device_fingerprint: 'fingerprint-0123456789abcdef' },
      }),
      [earlier(150), earlier(200)],
      'one_element',
    ],
    [
      'is content with address and account',
      disputed({ shipping: null, device }),
      [earlier(150), earlier(200)],
      ['ip', 'account_id'],
    ],
    [
      'wants the same two in each',
      disputed({ shipping: null, device: { ...device, device_id: 'device-0123456789' } }),
      [earlier(150, { customer: {}, device: { ...device } }), earlier(200, { device: {} })],
      'no_device_or_ip',
    ],
    [
      'leaves out a purchase that shares too little',
      disputed({ shipping: null }),
      [earlier(150, nothing), earlier(200), earlier(250)],
      everything.slice(0, 4),
    ],
    [
      'takes private addresses for none',
      disputed({ device: { ip: '192.168.1.5' } }),
      [earlier(150, { device: { ip: '192.168.1.5' } }), earlier(200, { device: { ip: '192.168.1.5' } })],
      'no_device_or_ip',
    ],
    [
      'takes addresses of a carrier for none',
      disputed({ device: { ip: '100.64.0.9' } }),
      [earlier(150, { device: { ip: '100.64.0.9' } }), earlier(200, { device: { ip: '100.64.0.9' } })],
      'no_device_or_ip',
    ],
    [
      'takes short identifiers for none',
      disputed({ device: { device_id: 'iPhone' } }),
      [earlier(150, { device: { device_id: 'iPhone' } }), earlier(200, { device: { device_id: 'iPhone' } })],
      'no_device_or_ip',
    ],
  ])('%s', (_, one, priors, expected) => expect(judged(one, priors)).toEqual(expected));

  it('gives at most five, the newest first', () => {
    const one = disputed();
    const all = [130, 340, 210, 160, 290, 250].map((days) => earlier(days));
    const ce3 = judgeCe3(one, [one, ...all]);
    expect(ce3.qualified && ce3.priors.map(({ content: { reference } }) => reference)).toEqual([
      'A-130',
      'A-160',
      'A-210',
      'A-250',
      'A-290',
    ]);
  });

  it('lends a purchase that the merchant initiated the device of the customer’s own first one', () => {
    const first = earlier(300);
    const recurring = {
      device: {},
      shipping: null,
      subscription: { interval: 'month', first_order_id: first.orderId },
    };
    const [one, again] = [disputed(recurring), earlier(150, recurring)];
    const ce3 = judgeCe3(one, [one, again, first]);
    expect(toResult(ce3)).toEqual(['ip', 'device_id', 'device_fingerprint', 'account_id']);
    expect(ce3.qualified && [ce3.disputed, ...ce3.priors].map(({ content: own }) => own.device?.ip)).toEqual([
      '203.0.113.7',
      '203.0.113.7',
      '203.0.113.7',
    ]);
    const othersOrder = { ...first, content: { ...first.content, card_token: 'tok_bob' } };
    expect(toResult(judgeCe3(one, [one, again, othersOrder]))).toBe('too_few');
  });

  it('compares the addresses of IPv6 with all their bits, however they are written', () => {
    const at = (ip: string) => ({ device: { ip } });
    expect(
      judged(disputed(at('2001:4860:0:0::5')), [earlier(150, at('2001:4860::5')), earlier(200, at('2001:4860::0:5'))]),
    ).toContain('ip');
    expect(
      judged(disputed(at('2001:4860::5')), [earlier(150, at('2001:4860::6')), earlier(200, at('2001:4860::5'))]),
    ).toBe('no_device_or_ip');
  });
});

/** The buyers: each order has its own mix of what can be equal, of whose card, and of when. */
const some = <T>(...values: T[]) => fc.constantFrom<T | null>(null, ...values);
const anyFields = fc.record({
  ip: some('203.0.113.7', '198.51.100.1', '10.0.0.1'),
  device_id: some('device-0123456789', 'device-9876543210'),
  account_id: some('ada-1', 'bob-1'),
  address: some('1 High Street', '2 Low Road'),
  card_token: some('tok_ada', 'tok_bob'),
});
type AnyFields = typeof anyFields extends fc.Arbitrary<infer F> ? F : never;
const toFields = ({ ip, device_id, account_id, address, card_token }: AnyFields) => ({
  device: { ip, device_id },
  customer: { account_id },
  shipping: address === null ? null : { address, suburb_city: 'London', country: 'GB', postcode: 'N1 1AA' },
  card_token,
});
const anyDays = fc.constantFrom(100, 122, 123, 150, 200, 365, 366);
const anyScene = fc.record({
  disputed: anyFields,
  priors: fc.array(fc.record({ fields: anyFields, days: anyDays }), { maxLength: 4 }),
});
const elements = ['ip', 'device_id', 'account_id', 'address', 'card_token'] as const;
/** Values that no other order has. */
const unique = {
  ip: '8.8.8.8',
  device_id: 'device-of-nobody-else',
  account_id: 'nobody',
  address: '99 Nowhere',
  card_token: 'tok_nobody',
} as const;

const judge = (scene: { disputed: AnyFields; priors: readonly { fields: AnyFields; days: number }[] }): Ce3 => {
  const one = disputed(toFields(scene.disputed));
  return judgeCe3(one, [one, ...scene.priors.map(({ fields, days }) => earlier(days, toFields(fields)))]);
};

it.each([
  ...[
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '169.254.1.1',
  ],
  ...['fd00::1', 'fc12:3::1', 'fe80::1', '::1', '::ffff:10.0.0.1'],
])('%s is the address of many', (ip) => expect(readElements(content({ device: { ip } })).ip).toBeNull());
it.each(['11.1.2.3', '172.32.0.1', '172.15.0.1', '192.169.0.1', '100.63.0.1', '100.128.0.1', '2001:4860::1', 'fc::1'])(
  '%s is the address of one',
  (ip) => expect(readElements(content({ device: { ip } })).ip).not.toBeNull(),
);

describe('whatever was bought', () => {
  it('no change of an element to something else qualifies what did not', () => {
    fc.assert(
      fc.property(anyScene, fc.nat(4), fc.constantFrom(...elements), (scene, which, element) => {
        fc.pre(!judge(scene).qualified);
        const damaged = { [element]: unique[element] };
        const after =
          which === 0 || scene.priors.length === 0
            ? { ...scene, disputed: { ...scene.disputed, ...damaged } }
            : {
                ...scene,
                priors: scene.priors.map((prior, index) =>
                  index === which % scene.priors.length ? { ...prior, fields: { ...prior.fields, ...damaged } } : prior,
                ),
              };
        expect(judge(after).qualified).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('what qualifies is two to five purchases of age, that share what is said to match', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const ce3 = judge(scene);
        if (!ce3.qualified) return;
        expect(ce3.priors.length).toBeGreaterThanOrEqual(2);
        for (const prior of ce3.priors) {
          const days = (time - Date.parse(prior.content.transaction_date)) / 86_400_000;
          expect(days >= 123 && days <= 368).toBe(true);
          for (const element of ce3.matched)
            expect(readElements(prior.content)[element]).toBe(readElements(ce3.disputed.content)[element]);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('addresses', () => {
  const at = (address: string, change = {}) =>
    addressElement({ address, suburb_city: 'Köln', country: 'DE', postcode: '50667', ...change });
  it.each([
    ['12 High Street', '12 high st.'],
    ['Hauptstraße 5', 'Hauptstr. 5'],
    ['5 Ave. de l’Opéra', '5 avenue de l opera'],
    ['Unit 4, 9 North Road', 'UNIT 4 9 N RD'],
  ])('%s is %s', (one, other) => expect(at(one)).toBe(at(other)));
  it('differ by house, city, country and postcode, and count only if all are there', () => {
    expect(
      new Set([
        at('1 A St'),
        at('2 A St'),
        at('1 A St', { suburb_city: 'Bonn' }),
        at('1 A St', { country: 'AT' }),
        at('1 A St', { postcode: '50668' }),
      ]).size,
    ).toBe(5);
    expect(at('1 A St', { postcode: '506 67', suburb_city: 'KOLN' })).toBe(at('1 A St'));
    expect([at(''), at('1 A St', { postcode: undefined }), addressElement(undefined)]).toEqual([null, null, null]);
  });
});

describe('earlier orders for the network that judges by itself', () => {
  it('are clean, of the same card or account, and say what matches', () => {
    const one = disputed();
    const [same, account, othersOrder] = [
      earlier(10),
      earlier(20, { card_token: 'tok_2', device: { ip: '8.8.8.8' } }),
      earlier(30, { card_token: 'tok_9', customer: { account_id: 'bob' } }),
    ];
    const shown = historicOrders(
      one,
      [one, same, account, othersOrder, earlier(40, { reported: true }), earlier(366)],
      time,
    );
    expect(shown.map(({ order: { orderId }, ...flags }) => [orderId, flags])).toEqual([
      [same.orderId, { sameCard: true, sameIp: true, sameDevice: true }],
      [account.orderId, { sameCard: false, sameIp: false, sameDevice: false }],
    ]);
  });
  it('are ten at most', () => {
    const one = disputed();
    expect(
      historicOrders(one, [one, ...Array.from({ length: 12 }, (_, index) => earlier(10 + index))], time),
    ).toHaveLength(10);
  });
});

describe('readiness', () => {
  it('names what is missing for each program', () => {
    expect(judgeReady(order())).toEqual({ provider_a: [], provider_b: [], ce3: [] });
    const bare = order(
      {
        links: null,
        descriptor: null,
        arn: null,
        auth_code: null,
        network_transaction_id: null,
        deliveries: null,
        card_token: null,
        ...nothing,
      },
      { profile: {} },
    );
    expect(judgeReady(bare)).toEqual({
      provider_a: [
        'receipt_url',
        'arn',
        'display_name',
        'logo_url',
        'support_contact',
        'refund_policy_url',
        'deliveries',
      ],
      provider_b: ['arn', 'descriptor', 'display_name', 'support_contact', 'deliveries'],
      ce3: ['card_token', 'ip', 'device_id', 'account_id', 'shipping'],
    });
  });
});

describe('evidence', () => {
  it('is also given as Stripe takes it: the disputed purchase and exactly two before it', () => {
    const one = disputed({ processor: { connection: 'stripe', reference: 'ch_3' } });
    const all = [150, 200, 250].map((days) =>
      earlier(days, { processor: { connection: 'stripe', reference: `ch_${days}` } }),
    );
    const { stripe, ...ours } = toCe3(one, [one, ...all]);
    expect(ours).toEqual({
      qualified: true,
      reason: null,
      matched: everything,
      prior_order_ids: all.map(({ orderId }) => orderId),
    });
    const compared = {
      customer_account_id: 'ada-1',
      customer_device_fingerprint: 'fingerprint-0123456789abcdef',
      customer_device_id: 'device-0123456789',
      customer_email_address: 'ada@example.com',
      customer_purchase_ip: '203.0.113.7',
      product_description: '2 × Kettle, 0.5 × Tea',
      shipping_address: {
        line1: '12 St James Square',
        line2: null,
        city: 'London',
        state: 'London',
        postal_code: 'SW1Y 4JH',
        country: 'GB',
      },
    };
    expect(stripe).toEqual({
      disputed_transaction: { ...compared, merchandise_or_services: 'merchandise' },
      prior_undisputed_transactions: [
        { charge: 'ch_150', ...compared },
        { charge: 'ch_200', ...compared },
      ],
    });
  });
  const at = (reference: string) => ({ processor: { connection: 'stripe', reference } });
  const chargesOf = (one: Order, all: readonly Order[]) =>
    toCe3(one, [one, ...all]).stripe?.prior_undisputed_transactions.map(({ charge }) => charge);

  it('has the newest purchases that Stripe knows, not the newest', () => {
    const all = [earlier(150), earlier(160, at('PSP8535')), earlier(200, at('ch_200')), earlier(250, at('pi_250'))];
    expect(chargesOf(disputed(), all)).toEqual(['ch_200', 'pi_250']);
    expect(chargesOf(disputed(), all.slice(0, 3))).toBeUndefined();
  });

  it('lasts as long as the disputed purchase, however late it is disputed', () => {
    const one = earlier(60);
    expect(chargesOf(one, [earlier(400, at('ch_1')), earlier(424, at('ch_2'))])).toEqual(['ch_1', 'ch_2']);
  });

  it('counts an e-mail address at Stripe, and not at Visa', () => {
    const some = { customer: { email: 'Ada@Example.com' }, shipping: null, device };
    const all = [150, 200].map((days) => earlier(days, { ...some, ...at(`ch_${days}`) }));
    const one = disputed({ ...some, customer: { email: 'ada@example.com' } });
    expect(toCe3(one, [one, ...all])).toMatchObject({ qualified: false, reason: 'one_element' });
    expect(chargesOf(one, all)).toEqual(['ch_150', 'ch_200']);
  });

  it('sends Stripe only what counts: no short identifiers, private addresses or incomplete addresses', () => {
    const fields = {
      device: { ip: '203.0.113.7', device_id: 'iPhone', device_fingerprint: 'fp-17' },
      shipping: { address: '1 High Street', suburb_city: 'Singapore', postcode: '018956', country: 'SG' },
    };
    const all = [150, 200].map((days) => earlier(days, { ...fields, ...at(`ch_${days}`) }));
    const one = disputed(fields);
    const { stripe } = toCe3(one, [one, ...all]);
    const none = { customer_device_id: null, customer_device_fingerprint: null, shipping_address: null };
    for (const purchase of [stripe?.disputed_transaction, ...(stripe?.prior_undisputed_transactions ?? [])])
      expect(purchase).toMatchObject({ ...none, customer_purchase_ip: '203.0.113.7', customer_account_id: 'ada-1' });
    const inside = disputed({ device: { ip: '10.0.0.1' } });
    expect(toCe3(inside, [inside, ...all]).stripe).toBeNull();
  });

  it('says why there is none', () => {
    const one = disputed();
    expect(toCe3(one, [one])).toEqual({
      qualified: false,
      reason: 'too_few',
      matched: [],
      prior_order_ids: [],
      stripe: null,
    });
  });
});

it('the sample order has everything that can be compared', () => {
  expect(Object.values(readElements(content())).includes(null)).toBe(false);
});
