import * as v from 'valibot';
import { type ChargeService, type DemoCharge, startChargeService } from './charge-service.ts';
import { type Client, createClient, type Playground } from './client.ts';
import type { Stage } from './stage.ts';
import { hold, untilIdle } from './steps.ts';

const Connected = v.looseObject({ connections: v.tuple([v.looseObject({ id: v.string(), secret: v.string() })]) });
const Told = v.looseObject({ caseId: v.string(), outcome: v.string(), accepted: v.boolean(), body: v.looseObject({}) });
const Listed = v.looseObject({
  list: v.array(v.looseObject({ alert_id: v.number(), case_id: v.optional(v.string()) })),
});

const caseId = 'D4IM9K2MIYL9F2BPF9TWUIXTU';

const chargeOn = (date: string): DemoCharge => ({
  ...{ reference: 'shop-7001', order_reference: 'R-7001', date, amount: '49.99', currency: 'USD' },
  ...{ card: { first6: '424242', last4: '4242', brand: 'visa' }, auth_code: '71A9Q2', arn: null, caid: null },
  ...{ descriptor: 'DEMO SHOP', captured: '49.99', refunded: '0.00', charged_back: false, charged_back_at: null },
});

type Cast = { client: Client; stage: Stage; now: string };

/**
 * A merchant connects its own service; an alert is fetched from the network; a rule finds the charge at the service, refunds it and
 * answers; the network is notified. Throws at the first step that is not as it should be.
 */
export const playConnectStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const client = createClient(playground);
  const { now } = await client.status();
  const cast = { client, stage, now };
  const charge = chargeOn(new Date(Date.parse(now) - 2 * 86_400_000).toISOString());
  let secret = '';
  await using service = await startChargeService([charge], () => secret);
  stage.scene('A merchant connects its own service', now);
  const connection = await connect(cast, service);
  secret = connection.secret;
  await tryConnection(cast, connection.id);
  const alertId = await fetchAlert(cast, charge);
  await showRefund(cast, service, alertId);
  await showOutcome(cast);
};

const connect = async ({ client }: Cast, { url }: ChargeService) => {
  const credentials = { base_url: url };
  const set = v.parse(Connected, await client.connect([{ kind: 'http', label: 'Our charges', credentials }]));
  return set.connections[0];
};

const tryConnection = async ({ client, stage }: Cast, id: string): Promise<void> => {
  const test = v.parse(v.looseObject({ works: v.boolean() }), await client.testConnection(id));
  hold(test.works, 'the connection works');
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 100, params: { currency: 'USD' } }] };
  await client.createRule({ name: 'Small amounts', conditions, action: { type: 'refund' } });
  stage.rows([
    ['connection', id],
    ['secret', 'generated, and shown once'],
    ['rule', 'refund below 100 USD'],
  ]);
  stage.check('every call is signed; search, refund and refund state were tried');
};

const fetchAlert = async ({ client, stage, now }: Cast, charge: DemoCharge): Promise<string> => {
  stage.scene('An alert is fetched from the network', now);
  await client.offerAlert({
    ...{ alertId: caseId, alertType: 'CUSTOMERDISPUTE', dateSubmitted: now.slice(0, 10), issuer: 'First Bank' },
    ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: charge.date, authCode: charge.auth_code },
    ...{ merchantDescriptor: 'DEMO SHOP', transactionAmount: '49.99', transactionCurrency: 'USD' },
  });
  await client.sendToQueue('pull-a', { slot: now });
  await untilIdle(client);
  const { list } = v.parse(Listed, await client.merchant('/service_alerts/alerts', { size: 10 }));
  const [alert] = list;
  if (!alert) throw new Error('The demo expected that the alert is stored.');
  stage.rows([
    ['the network calls it', caseId],
    ['alert', String(alert.alert_id)],
  ]);
  stage.check('stored first, acknowledged after that');
  return String(alert.alert_id);
};

const showRefund = async ({ client, stage, now }: Cast, service: ChargeService, alertId: string): Promise<void> => {
  stage.scene('The charge is found there and refunded once', now);
  const details = await client.alert(alertId);
  hold(details['status'] === 'RESOLVED' && details['reason_code'] === '100.001', 'the rule refunds and answers');
  hold(service.refunds.length === 1, 'the service refunds once');
  const [refund] = service.refunds;
  stage.rows([
    ['charge', refund?.reference ?? ''],
    ['refund', `${refund?.amount} USD, ${refund?.refund_reference}`],
  ]);
};

const showOutcome = async ({ client, stage, now }: Cast): Promise<void> => {
  stage.scene('The network is notified', now);
  const told = v.parse(v.array(Told), await client.networkWasTold('provider_a')).filter((one) => one.caseId === caseId);
  hold(
    told.map(({ outcome }) => outcome).join() === 'RESOLVED' && told[0]?.accepted === true,
    'the network accepts it',
  );
  stage.rows([
    ['outcome', 'RESOLVED, accepted'],
    ['refund', JSON.stringify(told[0]?.body['refund'])],
  ]);
  stage.check('pulled, found, refunded and reported by itself');
};
