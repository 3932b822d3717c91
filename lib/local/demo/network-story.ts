import * as v from 'valibot';
import { type Client, createClient, type Playground } from './client.ts';
import type { Stage } from './stage.ts';
import { clockText, hold, stackTime, untilIdle } from './steps.ts';

type Personas = { client: Client; stage: Stage };

const ToldByUs = v.looseObject({
  caseId: v.string(),
  outcome: v.string(),
  accepted: v.boolean(),
  body: v.looseObject({}),
});
const Outcome = v.object({
  id: v.string(),
  state: v.string(),
  accepted_at: v.nullable(v.string()),
  attempts: v.number(),
  error: v.nullable(v.string()),
});
type Outcome = v.InferOutput<typeof Outcome>;

/** From a merchant's answer to its card network, step by step; throws at the first step that is not as it should be. */
export const playNetworkStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const personas = { client: createClient(playground), stage };
  const { alertId, caseId } = await alertArrives(personas);
  await merchantNeedsTime(personas, alertId);
  await networkIsDown(personas, alertId);
  await networkIsTold(personas, alertId, caseId);
  await statusUpdateArrives(personas, alertId);
  await networkRefusesAnother(personas, alertId);
  await ruleRefundsElsewhere(personas);
  await ruleSeesChargeback(personas);
};

const askOutcome = async ({ client }: Personas, alertId: string): Promise<Outcome> =>
  v.parse(Outcome, (await client.alert(alertId))['provider_outcome']);

const toldNetwork = async ({ client }: Personas) =>
  v.parse(v.array(ToldByUs), await client.networkWasTold('provider_a'));

const minutesLater = (iso: string, minutes: number): string =>
  new Date(Date.parse(iso) + minutes * 60_000).toISOString();

const alertArrives = async (personas: Personas): Promise<{ alertId: string; caseId: string }> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  const caseId = 'A4IM9K2MIYL9F2BPF9TWUIXTU';
  stage.scene('A card network tells of a fraud', at);
  const { alert_id, matched } = await client.sendAlert(
    {
      ...{ alertId: caseId, type: 'CONFIRMED_FRAUD', alertTimestamp: at, issuer: 'First Bank', reasonCode: '4837' },
      ...{ cardBin: '411111', cardLast4: '1111', transactionTimestamp: minutesLater(at, -3 * 24 * 60) },
      ...{ merchantDescriptor: 'DEMO SHOP', amount: { value: '361.56', currencyCode: 'USD' } },
    },
    at,
  );
  hold(matched, 'the alert is matched to a site');
  await untilIdle(client);
  stage.rows([
    ['alert', String(alert_id)],
    ['the network calls it', caseId],
    ['amount', '361.56 USD'],
  ]);
  return { alertId: String(alert_id), caseId };
};

const merchantNeedsTime = async (personas: Personas, alertId: string): Promise<void> => {
  const { client, stage } = personas;
  stage.scene('The merchant needs time, and the network hears that', await stackTime(personas));
  await client.answerAlert({ alert_id: alertId, status: 'WIP', reason_code: '999.002' });
  await untilIdle(client);
  const [told, ...more] = await toldNetwork(personas);
  hold(told?.outcome === 'IN_PROGRESS' && told.accepted && more.length === 0, 'the network is told once');
  stage.rows([
    ['merchant', '999.002 in progress'],
    ['network', 'IN_PROGRESS, accepted'],
  ]);
  stage.check('signed with OAuth 1.0a, RSA-SHA256: the network checks it');
};

const networkIsDown = async (personas: Personas, alertId: string): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('The merchant refunds and answers; the network is down', at);
  await client.hurtNetwork('provider_a', { status: 503, times: 1 });
  await client.answerAlert({
    ...{ alert_id: alertId, status: 'RESOLVED', reason_code: '100.001' },
    ...{ alert_outcome_amount: '361.56', alert_outcome_currency: 'USD', alert_outcome_action_date: at },
  });
  await untilIdle(client);
  const { state, attempts, error } = await askOutcome(personas, alertId);
  hold(state === 'PENDING' && attempts === 1, 'the first attempt fails');
  hold((await statusUpdates(personas, alertId)).length === 0, 'the status update waits for the network');
  stage.trouble(error ?? '');
  stage.rows([
    ['outcome', 'PENDING: the row in the table is the retry'],
    ['then', 'after 1, 5, 15, 30 minutes, every hour, for 72 hours'],
    ['status update', 'waits for the network, for an hour at most'],
  ]);
};

const networkIsTold = async (personas: Personas, alertId: string, caseId: string): Promise<void> => {
  const { client, stage } = personas;
  const at = await client.moveClock(minutesLater(await stackTime(personas), 1));
  stage.scene('A minute later the network is told', at);
  await untilIdle(client);
  const { state, attempts, accepted_at } = await askOutcome(personas, alertId);
  hold(state === 'ACCEPTED' && attempts === 2, 'the second attempt is taken');
  const told = (await toldNetwork(personas)).filter((one) => one.caseId === caseId && one.accepted);
  hold(told.map(({ outcome }) => outcome).join() === 'IN_PROGRESS,STOPPED', 'the network has both answers, in order');
  const { body } = told[1] ?? {};
  stage.rows([
    ['outcome', 'STOPPED'],
    ['refund', JSON.stringify(body?.['refund'])],
    ['amount stopped', JSON.stringify(body?.['amountStopped'])],
    ['taken at', clockText(accepted_at ?? '')],
  ]);
};

const statusUpdates = async ({ client }: Personas, alertId: string): Promise<URLSearchParams[]> =>
  (await client.readReceived())
    .map(({ body }) => new URLSearchParams(body))
    .filter((form) => form.get('action') === 'statusupdate' && form.get('alert_id') === alertId);

const statusUpdateArrives = async (personas: Personas, alertId: string): Promise<void> => {
  const { stage } = personas;
  stage.scene('Now the merchant hears that its answer has arrived', await stackTime(personas));
  const forms = await statusUpdates(personas, alertId);
  const form = forms.at(-1) ?? new URLSearchParams();
  hold(forms.map((one) => one.get('status')).join() === 'RESOLVED', 'the final answer has one status update');
  const { accepted_at } = await askOutcome(personas, alertId);
  hold(form.get('outcome_updated_on') === accepted_at, 'the date is that of the network');
  stage.rows(['status', 'merchant_update_on', 'outcome_updated_on'].map((name) => [name, form.get(name) ?? '']));
};

const networkRefusesAnother = async (personas: Personas, alertId: string): Promise<void> => {
  const { client, stage } = personas;
  stage.scene('There is one final answer, and never two', await stackTime(personas));
  const refused = await client
    .answerAlert({ alert_id: alertId, status: 'DECLINED', reason_code: '902.002' })
    .then(() => '', String);
  hold(refused.includes('answered 409'), 'a different answer is refused');
  stage.trouble(/"details":"([^"]+)"/.exec(refused)?.[1] ?? refused);
  const final = (await toldNetwork(personas)).filter(({ outcome }) => outcome !== 'IN_PROGRESS');
  hold(final.length === 1, 'the network has one final outcome');
  stage.check('the network has one final outcome of the alert');
};

const Transactions = v.tuple([
  v.looseObject({
    alert_transaction: v.looseObject({ payment_gateway_reference: v.string() }),
    transaction_action: v.looseObject({ payment_gateway_reference: v.string() }),
  }),
]);

/** The sandbox has the same charges every day, one at each full hour, as if the merchant had taken them elsewhere. */
const sampleCharge = (at: string, number: number) => {
  const day = minutesLater(at, -24 * 60).slice(0, 'YYYY-MM-DD'.length);
  const [nth, hour] = [number, number - 1].map((one) => String(one).padStart(2, '0'));
  return { made: `${day}T${hour}:00:00.000Z`, authCode: String(100_000 + Number(`${day.slice(-2)}${nth}`)) };
};

const ruleRefundsElsewhere = async (personas: Personas): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('A charge taken elsewhere: a rule refunds it there', at);
  await client.connect([{ kind: 'sandbox', label: 'Our own processor' }]);
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 100, params: { currency: 'USD' } }] };
  await client.createRule({ name: 'Small amounts', conditions, action: { type: 'refund' } });
  const { made, authCode } = sampleCharge(at, 18);
  const caseId = 'B4IM9K2MIYL9F2BPF9TWUIXTU';
  const { alert_id } = await client.sendAlert(
    {
      ...{ alertId: caseId, type: 'CUSTOMER_DISPUTE', alertTimestamp: at, issuer: 'First Bank', reasonCode: '4853' },
      ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: made, authCode },
      ...{ merchantDescriptor: 'DEMO SHOP', amount: { value: '49.99', currencyCode: 'USD' } },
    },
    at,
  );
  await untilIdle(client);
  const alert = await client.alert(String(alert_id));
  hold(alert['status'] === 'RESOLVED' && alert['reason_code'] === '100.001', 'the rule refunds and answers');
  const [transactions] = v.parse(v.pipe(v.string(), v.parseJson(), Transactions), alert['txdetails']);
  const told = (await toldNetwork(personas)).filter((one) => one.caseId === caseId);
  hold(told.map(({ outcome }) => outcome).join() === 'RESOLVED', 'the network is told once');
  stage.rows([
    ['charge there', transactions.alert_transaction.payment_gateway_reference],
    ['refund there', transactions.transaction_action.payment_gateway_reference],
    ['network', `RESOLVED, refund ${JSON.stringify(told[0]?.body['refund'])}`],
  ]);
  stage.check('found, refunded, answered and told without anybody');
};

const Credits = v.looseObject({
  list: v.array(v.looseObject({ alert_id: v.number(), state: v.string(), reason: v.nullable(v.string()) })),
});

/** The sandbox's seventh charge of each day is charged back already. */
const ruleSeesChargeback = async (personas: Personas): Promise<void> => {
  const { client, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('Charged back before: nobody refunds it twice', at);
  const { made, authCode } = sampleCharge(at, 7);
  const caseId = 'C4IM9K2MIYL9F2BPF9TWUIXTU';
  const { alert_id } = await client.sendAlert(
    {
      ...{ alertId: caseId, type: 'CUSTOMER_DISPUTE', alertTimestamp: at, issuer: 'First Bank', reasonCode: '4853' },
      ...{ cardBin: '411111', cardLast4: '1111', transactionTimestamp: made, authCode },
      ...{ merchantDescriptor: 'DEMO SHOP', amount: { value: '90.00', currencyCode: 'USD' } },
    },
    at,
  );
  await untilIdle(client);
  const alert = await client.alert(String(alert_id));
  hold(
    alert['status'] === 'DECLINED' && alert['reason_code'] === '952.002',
    'the rule answers that it was charged back',
  );
  const told = (await toldNetwork(personas)).filter((one) => one.caseId === caseId);
  hold(told.map(({ outcome }) => outcome).join() === 'UNRESOLVED_DISPUTE', 'the network is told so');
  const { list } = v.parse(Credits, await client.credits());
  const credit = list.find((one) => String(one.alert_id) === String(alert_id));
  hold(credit?.state === 'claimable', 'the price of the alert can be claimed back');
  stage.rows([
    ['answered', '952.002, charged back before'],
    ['network', 'UNRESOLVED_DISPUTE'],
    ['credit', `${credit?.state}: ${credit?.reason}`],
  ]);
  stage.check('not refunded, and what the alert cost is to be had back');
};
