import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { historicOrders, judgeCe3 } from '#disputes/lookups/evidence/ce3.ts';
import { audiences, groupsFor, maskEmail, maskPhone, orderFor, visibility } from '#disputes/lookups/lookup/audience.ts';
import { answerOfProviderA, withoutOrderA } from '#disputes/lookups/lookup/provider-a-answer.ts';
import { lookupOfProviderA, ProviderAQuestion } from '#disputes/lookups/lookup/provider-a-lookup.ts';
import { answerOfProviderB, withoutOrderB } from '#disputes/lookups/lookup/provider-b-answer.ts';
import { lookupOfProviderB, ProviderBQuestion } from '#disputes/lookups/lookup/provider-b-lookup.ts';
import type { Order } from '#payments/orders/order.ts';
import { earlier, now, order } from '#test/payments/orders/samples.ts';
import { consumerClarity, type Fact } from './consumer-clarity.ts';

const time = Date.parse(now);
const ids = {
  insightId: '451307df-137b-476c-b5d3-4022df881548',
  transactionRequestId: '82ce1744-2a85-347c-bd86-6a370d756d24',
};

/** Everything wrong with a value by the provider's document. */
const breaches = (value: unknown, fact: Fact, path: string): string[] => {
  if ('list' in fact)
    return Array.isArray(value)
      ? value.flatMap((one, index) => breaches(one, fact.list, `${path}.${index}`))
      : [`${path} is no list`];
  if ('ref' in fact) return objectBreaches(value, fact.ref, path);
  if (fact.type === 'boolean' || fact.type === 'integer')
    return typeof value === (fact.type === 'boolean' ? 'boolean' : 'number') ? [] : [`${path} is no ${fact.type}`];
  if (typeof value !== 'string') return [`${path} is no text`];
  const { length } = value;
  return [
    ...(length < (fact.least ?? 0) || length > (fact.most ?? Infinity) ? [`${path} has ${length} characters`] : []),
    ...(fact.time && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? [`${path} is no time`] : []),
    ...(fact.values && !fact.values.includes(value) ? [`${path} is none of ${fact.values}`] : []),
  ];
};
const objectBreaches = (value: unknown, name: string, path: string): string[] => {
  const { required, fields } = consumerClarity[name] ?? { required: [], fields: {} };
  if (typeof value !== 'object' || value === null) return [`${path} is no object`];
  return [
    ...required.filter((field) => !(field in value)).map((field) => `${path}.${field} is missing`),
    ...Object.entries(value).flatMap(([field, one]) => {
      const fact = fields[field];
      return fact ? breaches(one, fact, `${path}.${field}`) : [`${path}.${field} is unknown`];
    }),
  ];
};
const findBreaches = (answer: unknown) => objectBreaches(answer, 'OrderApiAcknowledgement', 'answer');
const plain = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer));

/** An order in which every field of a person has a word of its own, and what each audience may read of them. */
const told = order({
  customer: {
    account_id: 'ACCOUNT-ID',
    firstname: 'GIVEN-NAME',
    lastname: 'FAMILY-NAME',
    email: 'email-box@mail.example',
    phone: '+1 555 010 9999',
    account_created_at: '2021-01-01T00:00:00Z',
    last_login_at: '2022-02-02T00:00:00Z',
    authentication: 'passkey',
  },
  device: {
    ip: '198.51.100.99',
    device_id: 'DEVICE-ID-0123456',
    device_fingerprint: 'DEVICE-FINGERPRINT-0123456',
    user_agent: 'USER-AGENT',
    type: 'DEVICE-TYPE',
  },
  billing: { address: 'BILLING-LINE', name: 'BILLING-NAME', suburb_city: 'BILLING-TOWN' },
  shipping: {
    name: 'SHIPPING-NAME',
    address: 'SHIPPING-LINE',
    suburb_city: 'SHIPPING-TOWN',
    state: 'SHIPPING-STATE',
    country: 'GB',
    postcode: 'POST-CODE',
  },
  deliveries: [
    {
      type: 'physical',
      status: 'delivered',
      provider: 'CARRIER',
      tracking_number: 'TRACKING',
      signed_by: 'SIGNER',
      ip: '198.51.100.98',
    },
  ],
});
const prior = earlier(150, {
  reference: 'EARLIER-ORDER',
  device: { ip: '198.51.100.97', device_id: 'EARLIER-DEVICE-ID' },
  customer: { account_id: 'ACCOUNT-ID' },
  card_token: 'tok_ada',
});
const everywhere = [
  'A-1001',
  'Kettle',
  '361.56',
  'CARRIER',
  'TRACKING',
  'SHIPPING-TOWN',
  'GIVEN-NAME',
  'Shop Online',
  '24692161070000622606414',
];
const words = {
  cardholder: everywhere,
  agent: [...everywhere, 'FAMILY-NAME', 'SIGNER', 'e***@mail.example', '99'],
  evidence: [
    ...everywhere,
    'FAMILY-NAME',
    'SIGNER',
    'e***@mail.example',
    '99',
    'SHIPPING-LINE',
    'POST-CODE',
    'ACCOUNT-ID',
    '198.51.100.99',
    'DEVICE-ID-0123456',
    'EARLIER-ORDER',
    '198.51.100.97',
  ],
} as const;
const secrets = [
  'ACCOUNT-ID',
  'FAMILY-NAME',
  'email-box',
  '010 9999',
  '0109999',
  '198.51.100',
  'DEVICE-ID',
  'DEVICE-FINGERPRINT',
  'USER-AGENT',
  'BILLING',
  'SHIPPING-NAME',
  'SHIPPING-LINE',
  'SHIPPING-STATE',
  'POST-CODE',
  'SIGNER',
  'EARLIER',
  'tok_ada',
  '2021-01-01',
  '2022-02-02',
  'passkey',
];
const allowed = {
  cardholder: [],
  agent: ['FAMILY-NAME', 'SIGNER'],
  evidence: [
    'ACCOUNT-ID',
    'FAMILY-NAME',
    '198.51.100',
    'DEVICE-ID',
    'DEVICE-FINGERPRINT',
    'USER-AGENT',
    'SHIPPING-NAME',
    'SHIPPING-LINE',
    'SHIPPING-STATE',
    'POST-CODE',
    'SIGNER',
    'EARLIER',
    '2021-01-01',
    '2022-02-02',
    'passkey',
  ],
} as const;

const answersTo = (audience: (typeof audiences)[number], one: Order = told, all: readonly Order[] = [told, prior]) => {
  const shown = orderFor(one, audience, historicOrders(one, all, time));
  return { provider_a: answerOfProviderA(shown, 'zeb1'), provider_b: answerOfProviderB(shown, ids, null) };
};

describe.each(audiences)('the %s', (audience) => {
  it.each(['provider_a', 'provider_b'] as const)(
    'is shown what it may see, and nothing else, through %s',
    (provider) => {
      const text = JSON.stringify(answersTo(audience)[provider]);
      const missing = words[audience].filter((word) => !text.includes(word));
      // To provider_b, devices and earlier orders are shown as evidence by Visa's rules only.
      const onlyAsEvidence = ['198.51.100.99', 'DEVICE-ID-0123456', 'EARLIER-ORDER', '198.51.100.97'];
      expect(missing).toEqual(provider === 'provider_b' && audience === 'evidence' ? onlyAsEvidence : []);
      const may: readonly string[] = allowed[audience];
      expect(secrets.filter((word) => text.includes(word) && !may.includes(word))).toEqual([]);
    },
  );

  it('is recorded with the groups of fields that it saw', () => {
    const groups = groupsFor(audience);
    expect(groups).toEqual(Object.keys(visibility).filter((group) => groups.some((one) => one === group)));
    expect(groups.includes('device')).toBe(audience === 'evidence');
  });
});

it.each([
  ['ada@example.com', 'a***@example.com'],
  ['@', '***'],
])('the address %s is masked as %s', (one, other) => expect(maskEmail(one)).toBe(other));
it.each([
  ['+44 20 7946 0958', '**********58'],
  ['12', '***'],
])('the phone number %s is masked as %s', (one, other) => expect(maskPhone(one)).toBe(other));

describe('an answer to provider_a', () => {
  const digital = {
    deliveries: [
      {
        type: 'digital',
        status: 'delivered',
        delivered_at: '2026-05-01T00:00:00Z',
        downloaded_at: '2026-05-01T00:05:00Z',
        ip: '198.51.100.1',
      },
    ],
  };
  const long = 'x'.repeat(300);
  it.each<[string, Order]>([
    ['of an order that says everything', order()],
    [
      'of one that says little',
      order(
        {
          customer: null,
          device: null,
          shipping: null,
          deliveries: null,
          links: null,
          refunds: null,
          arn: null,
          auth_code: null,
          descriptor: null,
          network_transaction_id: null,
        },
        { profile: {} },
      ),
    ],
    ['of a digital one', order(digital)],
    [
      'of a subscription',
      order({
        subscription: {
          interval: 'month',
          next_billing_at: '2026-06-01T00:00:00Z',
          trial_ends_at: '2026-05-20T00:00:00Z',
          cancel_url: 'https://shop.example/cancel',
        },
      }),
    ],
    ['of one that was picked up', order({ deliveries: [{ type: 'pickup', status: 'pickup' }] })],
    [
      'of a voided one',
      order({}, { payment: { captured: '0.00', refunded: '0.00', voided: true, processor: null, reference: null } }),
    ],
    [
      'with texts at their longest',
      order({
        reference: 'r'.repeat(65),
        auth_code: 'abc',
        customer: { firstname: 'f'.repeat(100), lastname: 'l'.repeat(100), account_id: 'a'.repeat(65) },
        device: { device_id: 'd'.repeat(64), device_fingerprint: 'short', user_agent: 'u'.repeat(500) },
        shipping: {
          address: long,
          suburb_city: 'c'.repeat(100),
          state: 's'.repeat(100),
          country: 'GB',
          postcode: '1'.repeat(11),
        },
        descriptor: 'd'.repeat(25),
      }),
    ],
    ...(['MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS', 'JCB', 'UNIONPAY'] as const).map((type): [string, Order] => [
      `of a card of ${type}`,
      order({ card_type: type }),
    ]),
  ])('%s is as its public document says, for each audience', (_, one) => {
    const all = [one, earlier(150), earlier(200)];
    for (const audience of audiences)
      expect(findBreaches(plain(answersTo(audience, one, all).provider_a)), audience).toEqual([]);
  });

  it('has the same form for no match and for several matches', () => {
    expect(findBreaches(withoutOrderA(false, 'zeb1'))).toEqual([]);
    expect(withoutOrderA(true, 'zeb1')).toEqual({
      responseStatus: {
        code: 'MULTIPLE_TRANSACTIONS_FOUND',
        message: 'Several orders fit what was asked',
        trackingId: 'zeb1',
      },
    });
  });

  it('is held against a check that finds what is wrong', () => {
    const { order: good, ...rest } = plain(answersTo('cardholder').provider_a) as { order: Record<string, unknown> };
    expect(
      findBreaches({ ...rest, order: { ...good, total: undefined, love: 1, orderDateTime: '2026-04-30' } }).length,
    ).toBeGreaterThan(2);
  });

  it('names what was bought as the table of fields says', () => {
    expect(plain(answersTo('cardholder', order(), []).provider_a)).toMatchObject({
      order: {
        merchantOrderId: 'A-1001',
        orderDateTime: '2026-04-30T08:15:00Z',
        subtotal: '340.00',
        shippingHandling: '12.00',
        tax: '14.56',
        total: '361.56',
        orderItems: [
          {
            id: '1',
            productName: 'Kettle',
            quantity: '2',
            unitOfMeasurement: 'each',
            productPrice: '150.00',
            productSku: 'K-1',
          },
          { id: '2', quantity: '0.5', unitOfMeasurement: 'kg' },
        ],
        payments: [
          {
            matchedPayment: true,
            cardFirstSix: '424242',
            cardLastFour: '4242',
            acquirerReferenceNumber: '24692161070000622606414',
            issuerAuthorizationCode: '387373',
          },
        ],
        refunds: [{ id: '1', refundDateTime: '2026-05-01T12:00:00Z', total: '5.00' }],
        callToActionLinks: [{ linkUrl: 'https://shop.example/receipts/A-1001', linkType: 'VIEW_ORDER' }],
      },
      merchantProfile: {
        name: 'Shop Online',
        logoUrl: 'https://shop.example/logo.png',
        refundPolicyLink: 'https://shop.example/refunds',
        merchantCustomerServiceContact: { phoneNumber: '+1 555 0100', website: 'https://shop.example/help' },
      },
    });
  });
});

describe('an answer to provider_b', () => {
  it('names what was bought as the table of fields says', () => {
    expect(plain(answersTo('cardholder', order(), []).provider_b)).toMatchObject({
      ...ids,
      status: 'FOUND',
      receipt: {
        orderNumber: 'A-1001',
        subTotal: '340.00',
        shippingTotal: '12.00',
        taxTotal: '14.56',
        total: '361.56',
        currency: 'USD',
        refunds: [{ amount: '5.00', reference: 'R-1' }],
      },
      paymentInformation: {
        cardBin: '424242',
        cardLast4: '4242',
        arn: '24692161070000622606414',
        authCode: '387373',
        descriptor: 'SHOP*ONLINE 123',
      },
      purchasedProducts: [{ name: 'Kettle', quantity: '2', price: '150.00', sku: 'K-1' }, { name: 'Tea' }],
      shippingInformation: [{ status: 'delivered', carrier: 'Royal Mail', address: { city: 'London', country: 'GB' } }],
      merchantInformation: { name: 'Shop Online', phone: '+1 555 0100', email: 'help@shop.example' },
    });
    expect(withoutOrderB(true, ids)).toEqual({ ...ids, status: 'MULTIPLE_FOUND' });
  });

  it('holds evidence that qualifies, and none that does not', () => {
    const disputed = earlier(3);
    const all = [disputed, earlier(150), earlier(200)];
    const shown = orderFor(disputed, 'evidence', []);
    const { compellingEvidence } = answerOfProviderB(shown, ids, judgeCe3(disputed, all));
    expect(compellingEvidence).toMatchObject({
      qualified: true,
      matched: ['ip', 'device_id', 'device_fingerprint', 'account_id', 'shipping_address'],
      disputed: {
        ip: '203.0.113.7',
        deviceId: 'device-0123456789',
        accountId: 'ada-1',
        description: '2 × Kettle, 0.5 × Tea',
      },
      priorTransactions: [{ amount: '361.56', ip: '203.0.113.7' }, { amount: '361.56' }],
    });
    expect(answerOfProviderB(shown, ids, judgeCe3(disputed, [disputed]))).not.toHaveProperty('compellingEvidence');
  });
});

describe('a question', () => {
  const askA = (criteria: Record<string, unknown>, reference: Record<string, unknown> = {}) =>
    v.safeParse(ProviderAQuestion, {
      requestReference: { correlationId: 'zeb1', ...reference },
      searchCriteria: criteria,
    });
  const askB = (change: Record<string, unknown> = {}) =>
    v.safeParse(ProviderBQuestion, {
      ...ids,
      ...{
        entityInfo: { partnerId: 7, clientId: 'oi-1' },
        source: 'OID',
        paymentType: 'VISA',
        paymentDescriptor: 'SHOP*ONLINE 123',
      },
      ...{
        transactionDate: '2026-04-30',
        transactionAmount: { amount: 361.56, currency: 'usd' },
        cardBin: '42424242',
        cardLast4: '4242',
      },
      ...change,
    });

  it('of provider_a needs the ends of a card or an ARN', () => {
    expect(askA({ transactionAmount: '10.00' }).success).toBe(false);
    expect(askA({ cardFirstSix: '424242' }).success).toBe(false);
    expect(askA({ cardFirstSix: '424242', cardLastFour: '4242' }).success).toBe(true);
    expect(askA({ acquirerReferenceNumber: '24692161070000622606414' }).success).toBe(true);
  });

  it.each([
    ['DIGITAL', 'cardholder'],
    ['CALL_CENTRE', 'agent'],
    ['FIRST_PARTY_TRUST', 'evidence'],
    ['constructor', 'cardholder'],
    [undefined, 'cardholder'],
  ])('of provider_a from %s is seen by the %s', (originatorChannel, audience) => {
    const { output } = askA({ cardFirstSix: '424242', cardLastFour: '4242' }, { originatorChannel });
    expect(lookupOfProviderA(output as v.InferOutput<typeof ProviderAQuestion>).audience).toBe(audience);
  });

  it('of provider_a says all that can be found by', () => {
    const criteria = {
      paymentType: 'MC',
      transactionIdentifierType: 'BANKNET_REF_NUM',
      transactionIdentifierValue: 'MDS1',
      acquirerReferenceNumber: '24692161070000622606414',
      transactionDateTime: '2026-04-30T10:15:00+02:00',
      cardFirstSix: '555555',
      cardLastFour: '4444',
      issuerAuthorizationCode: '387373',
      transactionAmount: '361.56',
      transactionCurrencyCode: 'USD',
      merchantId: 'oi-1',
      cardAcceptorId: '1231231',
      cardAcceptorName: 'SHOP*ONLINE 123',
    };
    const { output } = askA(criteria);
    expect(lookupOfProviderA(output as v.InferOutput<typeof ProviderAQuestion>)).toMatchObject({
      ...{ requestId: 'zeb1', clientId: 'oi-1', card: { first6: '555555', last4: '4444' }, wantsCe3: false },
      asked: {
        arn: '24692161070000622606414',
        networkTransactionId: 'MDS1',
        authCode: '387373',
        amount: '361.56',
        currency: 'USD',
        date: '2026-04-30T08:15:00.000Z',
        caid: '1231231',
      },
    });
  });

  it.each([
    [{}, true, 'evidence'],
    [{ disputeReasonCode: '10.4' }, true, 'evidence'],
    [{ disputeReasonCode: '13.1' }, false, 'evidence'],
    [{ paymentType: 'MASTERCARD' }, false, 'evidence'],
    [{ source: 'OIP' }, false, 'agent'],
    [{ source: 'OIM' }, false, 'cardholder'],
  ])('of provider_b with %j wants evidence: %s', (change, wantsCe3, audience) => {
    const { output } = askB(change);
    const lookup = lookupOfProviderB(output as v.InferOutput<typeof ProviderBQuestion>);
    expect([lookup.wantsCe3, lookup.audience, lookup.clientId, lookup.card]).toEqual([
      wantsCe3,
      audience,
      'oi-1',
      { first6: '424242', last4: '4242' },
    ]);
  });

  it.each([
    'insightId',
    'entityInfo',
    'source',
    'paymentType',
    'paymentDescriptor',
    'transactionDate',
    'transactionAmount',
    'transactionRequestId',
  ])('of provider_b needs %s', (field) => {
    const { issues } = askB({ [field]: undefined });
    expect(issues?.map((issue) => v.getDotPath(issue))).toEqual([field]);
  });
});

it('no answer to a cardholder or agent names a device, whatever the order says', () => {
  const text = fc.stringMatching(/^[a-z]{16,20}$/);
  fc.assert(
    fc.property(text, text, text, (device, fingerprint, account) => {
      const one = order({
        device: { device_id: `D${device}`, device_fingerprint: `F${fingerprint}`, ip: '198.51.100.77' },
        customer: { account_id: `A${account}` },
      });
      for (const audience of ['cardholder', 'agent'] as const) {
        const answers = JSON.stringify(answersTo(audience, one, [one, prior]));
        expect(
          [`D${device}`, `F${fingerprint}`, `A${account}`, '198.51.100.77'].filter((word) => answers.includes(word)),
        ).toEqual([]);
      }
    }),
  );
});
