import * as v from 'valibot';
import { isObject } from '#core/kernel/is-object.ts';
import { type Client, createClient, type Playground } from './client.ts';
import { demoClientId } from './demo-tenant.ts';
import type { Stage } from './stage.ts';
import { hold, stackTime, untilIdle } from './steps.ts';

type Personas = { client: Client; stage: Stage; sid: number };
type Fields = Record<string, unknown>;

const teaArn = (days: number): string => `2469216107000062260${String(days).padStart(4, '0')}`;

/** From three purchases to the dispute about the last of them, step by step; throws at the first step that is not as it should be. */
export const playOrdersStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const personas = { client: createClient(playground), stage, sid: playground.credentials.site.sid };
  const orders = await shopStoresOrders(personas);
  await cardholderLooks(personas, orders.last);
  await networkWeighs(personas, orders.last);
  await cardholderDisputes(personas, orders);
  await lookUpsAreSettled(personas, orders);
};

const daysBefore = (iso: string, days: number): string => new Date(Date.parse(iso) - days * 86_400_000).toISOString();

type Purchase = { orderId: number; at: string; days: number };
type Purchases = { all: readonly Purchase[]; last: Purchase };

const teaShop = (days: number, at: string): Fields => ({
  ...{
    reference: `tea-${days}`,
    order_date: at,
    amount: '24.00',
    currency: 'USD',
    arn: teaArn(days),
    auth_code: '387373',
  },
  ...{
    card_firstsix: '424242',
    card_lastfour: '4242',
    card_type: 'VISA',
    card_token: 'tok_ada',
    descriptor: 'DEMO SHOP',
  },
  items: [{ name: 'Tea, first flush', quantity: 2, amount_unit: '12.00', type: 'physical' }],
  customer: { account_id: 'ada-1', firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
  device: { ip: '203.0.113.7', device_id: 'ada-tablet-0123456789' },
  shipping: { address: '12 St James Square', suburb_city: 'London', country: 'GB', postcode: 'SW1Y 4JH' },
  deliveries: [{ type: 'physical', status: 'delivered', provider: 'Royal Mail', delivered_at: at }],
});

const shopStoresOrders = async (personas: Personas): Promise<Purchases> => {
  const { client, stage, sid } = personas;
  const at = await stackTime(personas);
  stage.scene('A shop stores what a customer bought: 200, 150 and 3 days ago', at);
  const profile = { display_name: 'Demo Tea', support_phone: '+1 555 0100', support_email: 'help@shop.example' };
  await client.merchant(`/site/${sid}/order-profile`, profile);
  const all: Purchase[] = [];
  for (const days of [200, 150, 3]) {
    const date = daysBefore(at, days);
    const stored = await client.merchant('/orders/create', { sid, ...teaShop(days, date) });
    const { order_id: orderId } = v.parse(v.object({ order_id: v.number() }), stored);
    all.push({ orderId, at: date, days });
    stage.rows([[date.slice(0, 10), `24.00 USD, order ${orderId}`]]);
  }
  const last = all.at(-1);
  if (!last) throw new Error('Three orders were stored');
  const again = await client.merchant('/orders/create', { sid, ...teaShop(last.days, last.at) });
  hold(isObject(again) && again['created'] === false, 'the same order again is the same order');
  stage.check('sent once more: the same order');
  return { all, last };
};

let questions = 0;
const question = ({ at, days }: Purchase, source: 'OIM' | 'OID'): Fields => {
  questions += 1;
  return {
    ...{ insightId: `demo-${questions}`, transactionRequestId: `demo-${questions}`, source, paymentType: 'VISA' },
    ...{
      entityInfo: { partnerId: 'demo', clientId: demoClientId },
      paymentDescriptor: 'DEMO SHOP',
      transactionDate: at,
    },
    ...{
      transactionAmount: { amount: '24.00', currency: 'USD' },
      cardBin: '424242',
      cardLast4: '4242',
      arn: teaArn(days),
    },
    ...(source === 'OID' && { disputeReasonCode: '10.4' }),
  };
};

const Receipt = v.looseObject({
  status: v.string(),
  receipt: v.looseObject({ orderNumber: v.string(), total: v.string(), currency: v.string() }),
  merchantInformation: v.looseObject({ name: v.string() }),
  customerInformation: v.optional(v.record(v.string(), v.unknown())),
  compellingEvidence: v.optional(
    v.looseObject({ matched: v.array(v.string()), priorTransactions: v.array(v.unknown()) }),
  ),
});

const cardholderLooks = async (personas: Personas, purchase: Purchase): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('The cardholder does not know a charge and looks at it in the bank’s app', at);
  const answer = await client.asProvider('provider_b', '/orders', question(purchase, 'OIM'), at);
  const { receipt, merchantInformation, customerInformation } = v.parse(Receipt, answer);
  stage.rows([
    ['shop', merchantInformation.name],
    ['order', `${receipt.orderNumber}, ${receipt.total} ${receipt.currency}`],
    ['customer', JSON.stringify(customerInformation)],
  ]);
  hold(JSON.stringify(customerInformation) === '{"firstName":"Ada"}', 'the app learns nobody’s address');
  stage.check('the app is told the first name and no more of the customer');
};

const networkWeighs = async (personas: Personas, purchase: Purchase): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('Before there is a dispute, the network asks for evidence', at);
  const { compellingEvidence: evidence } = v.parse(
    Receipt,
    await client.asProvider('provider_b', '/orders', question(purchase, 'OID'), at),
  );
  hold(evidence?.priorTransactions.length === 2, 'two earlier purchases prove it');
  stage.rows([
    ['the same in all three', (evidence?.matched ?? []).join(', ')],
    ['earlier purchases', String(evidence?.priorTransactions.length)],
  ]);
  stage.check('qualifies as Compelling Evidence 3.0');
};

const cardholderDisputes = async (personas: Personas, { last }: Purchases): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('The cardholder disputes it all the same', at);
  const alert = {
    ...{
      caseId: 'demo-tea',
      caseType: 'DISPUTE',
      status: 'NEW',
      caseDate: at,
      paymentType: 'VISA',
      reasonCode: '10.4',
    },
    ...{ accountNumber: '424242xxxxxx4242', arn: teaArn(last.days), transactionDate: last.at, descriptor: 'DEMO SHOP' },
    ...{ transactionAmount: '24.00', transactionCurrency: 'USD', caseAmount: '24.00', caseCurrency: 'USD' },
  };
  const taken = await client.asProvider('provider_b', '/alerts', alert, at);
  const { alert_id: alertId } = v.parse(v.object({ alert_id: v.number() }), taken);
  await untilIdle(client);
  const details = await client.alert(String(alertId));
  hold(details['order_id'] === last.orderId, 'the alert names the order it is about');
  stage.rows([['alert', `${alertId} is about order ${last.orderId}`]]);
  const evidence = v.parse(
    v.object({ ce3: v.looseObject({ qualified: v.boolean(), prior_order_ids: v.array(v.number()) }) }),
    await client.merchant(`/orders/${last.orderId}/evidence`, {}),
  );
  hold(evidence.ce3.qualified, 'the evidence is there for a representment too');
  stage.rows([['evidence', `orders ${evidence.ce3.prior_order_ids.join(' and ')}`]]);
  stage.check('found by what names the payment, never by amount and day');
};

const lookUpsAreSettled = async (personas: Personas, { last }: Purchases): Promise<void> => {
  const { client, stage, sid } = personas;
  stage.scene('What came of the look-ups', await stackTime(personas));
  const { list } = v.parse(
    v.object({
      list: v.array(
        v.looseObject({ order_id: v.nullable(v.number()), channel: v.string(), outcome: v.nullable(v.string()) }),
      ),
    }),
    await client.merchant('/orders/lookups', { sid }),
  );
  const own = list.filter(({ order_id: id }) => id === last.orderId);
  hold(own.length === 2 && own.every(({ outcome }) => outcome === 'disputed'), 'both look-ups count as disputed');
  for (const { channel, outcome } of own) stage.rows([[channel, outcome ?? '']]);
  stage.check('had no alert come within 120 days, they would count as deflected');
};
