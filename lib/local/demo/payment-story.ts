import * as v from 'valibot';
import { type Client, createClient, type Playground } from './client.ts';
import { createShop, type Result, type Shop } from './shop.ts';
import type { Stage } from './stage.ts';
import { hold, stackTime, untilIdle } from './steps.ts';

type Personas = { client: Client; shop: Shop; stage: Stage; sid: number };

/** From a payment to the dispute about it, step by step; throws at the first step that is not as it should be. */
export const playPaymentStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const client = createClient(playground);
  const personas = { client, shop: createShop(playground), stage, sid: playground.credentials.site.sid };
  const tickets = await shopIsPaid(personas);
  await shopIsTold(personas, tickets);
  const weekend = await authorisedAndCaptured(personas);
  await partIsRefunded(personas, weekend);
  await disputeHolds(personas, weekend);
  await ruleRefunds(personas, tickets);
  await showBalance(personas);
};

const toSeconds = (iso: string): number => Math.floor(Date.parse(iso) / 1000);
const usd = (amount: number): string => `${amount.toFixed(2)} USD`;
const resultLine = ({ tx_action, status, amount, txid }: Result): string =>
  `${tx_action.padEnd(8)} ${status}  ${usd(amount).padStart(10)}  txid ${txid}`;

const shopIsPaid = async (personas: Personas): Promise<Result> => {
  const { shop, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('A shop is paid by card, in the sandbox', at);
  const paid = await shop.pay('49.90', toSeconds(at), { tid: 'order-1001' });
  hold(paid.status === 'OK', 'the sandbox approves the payment');
  stage.rows([
    ['card', '424242******4242'],
    ['hash', 'md5 of sid, timestamp, total, currency and rcode'],
    ['result', resultLine(paid)],
  ]);
  hold(shop.isGenuine(paid), 'vrfy verifies');
  stage.check('vrfy verified: sha256 over the result and the rcode');
  const again = await shop.pay('49.90', toSeconds(at), { tid: 'order-1001' });
  hold(again.txid === paid.txid, 'the same order is charged once');
  stage.check('sent once more under the same tid: the same transaction, charged once');
  return paid;
};

const shopIsTold = async (personas: Personas, paid: Result): Promise<void> => {
  const { client, shop, stage } = personas;
  await untilIdle(client);
  stage.scene('The shop is told by a postback', await stackTime(personas));
  const [postback, ...more] = await shop.postbacks();
  hold(postback?.txid === paid.txid && more.length === 0, 'there is one postback');
  stage.rows([['postback', postback ? resultLine(postback) : '']]);
  hold(postback !== undefined && shop.isGenuine(postback), 'the vrfy of the postback verifies');
  stage.check('its vrfy verified');
};

const authorisedAndCaptured = async (personas: Personas): Promise<Result> => {
  const { shop, stage } = personas;
  const at = await stackTime(personas);
  stage.scene('A weekend is authorised, and captured on arrival', at);
  const held = await shop.pay('120.00', toSeconds(at), { tx_action: 'PREAUTH', item_name: ['A weekend'] });
  const captured = await shop.capture(held.txid, '120.00');
  hold(held.status === 'OK' && captured.tx_action === 'CAPTURE', 'the authorisation is captured');
  stage.rows([
    ['singletx', resultLine(held)],
    ['flagcapture', resultLine(captured)],
  ]);
  return held;
};

const partIsRefunded = async (personas: Personas, { txid }: Result): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('A part is refunded, and not a cent too much', await stackTime(personas));
  const refund = await shop.refund(txid, '20.00');
  hold(refund.status === 'OK', 'the refund is made');
  stage.rows([['processrefund', resultLine(refund)]]);
  const refused = await shop.refusedRefund(txid, '100.01');
  hold(refused.status === 409, 'more than is left is refused');
  stage.trouble(`${usd(100.01)} more: 409 ${refused.details}`);
};

/** An alert of the card network about a payment: all it says of it is the card, the amount and the day. */
const disputeArrives = async ({ client }: Personas, name: string, { amount }: Result): Promise<string> => {
  const { now: at } = await client.status();
  const { alert_id } = await client.sendAlert(
    {
      ...{ alertId: name, type: 'CUSTOMER_DISPUTE', alertTimestamp: at, issuer: 'First Bank', reasonCode: '4853' },
      ...{ cardBin: '424242', cardLast4: '4242', transactionTimestamp: at, merchantDescriptor: 'DEMO SHOP' },
      amount: { value: amount.toFixed(2), currencyCode: 'USD' },
    },
    at,
  );
  await untilIdle(client);
  return String(alert_id);
};

const disputeHolds = async (personas: Personas, paid: Result): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('Its payer disputes it: what is left of it is held', await stackTime(personas));
  const alertId = await disputeArrives(personas, 'DEMODISPUTE00000000000001', paid);
  const refused = await shop.refusedRefund(paid.txid, '100.00');
  hold(refused.status === 409 && refused.details.includes(alertId), 'the alert holds the payment');
  stage.trouble(`409 ${refused.msg}`);
  stage.rows([['why', refused.details.replace(/^alert_id: /, '').split(';')[0] ?? '']]);
  const refund = await shop.refund(paid.txid, '100.00', { alert_id: Number(alertId) });
  hold(refund.status === 'OK', 'the refund for the alert is made');
  stage.rows([['refund for the alert', resultLine(refund)]]);
  const again = await shop.refusedRefund(paid.txid, '100.00', { alert_id: Number(alertId) });
  hold(again.status === 409, 'an alert is refunded for once');
  stage.check('a second refund for the same alert: refused');
};

const TxDetails = v.pipe(
  v.string(),
  v.parseJson(),
  v.tuple([
    v.looseObject({
      alert_transaction: v.looseObject({ payment_gateway_tx_type: v.string(), payment_gateway_reference2: v.string() }),
      transaction_action: v.looseObject({
        payment_gateway_tx_type: v.string(),
        payment_gateway_reference2: v.string(),
      }),
    }),
  ]),
);

const ruleRefunds = async (personas: Personas, paid: Result): Promise<void> => {
  const { client, shop, stage, sid } = personas;
  stage.scene('Small disputes are refunded by a rule, by itself', await stackTime(personas));
  const below = { fact: 'amount', operator: 'lessThan', value: 50, params: { currency: 'USD' } };
  await shop.addRule({ sid, name: 'Small', conditions: { all: [below] }, action: { type: 'refund' } });
  const alertId = await disputeArrives(personas, 'DEMODISPUTE00000000000002', paid);
  const { status, reason_code: reason } = await client.alert(alertId);
  hold(status === 'RESOLVED', 'the rule resolves the alert');
  const forms = (await client.readReceived()).map(({ body }) => new URLSearchParams(body));
  const form = forms.find((one) => one.get('alert_id') === alertId && one.has('txdetails'));
  const [details] = v.parse(TxDetails, form?.get('txdetails'));
  const { alert_transaction: sale, transaction_action: refund } = details;
  hold(sale.payment_gateway_reference2 === String(paid.txid), 'the payment is found');
  stage.rows([
    ['rule', 'below 50.00 USD: refund'],
    ['alert', `${status} ${reason}`],
    ['found', `${sale.payment_gateway_tx_type} ${sale.payment_gateway_reference2}`],
    ['done', `${refund.payment_gateway_tx_type} ${refund.payment_gateway_reference2}`],
  ]);
  const made = await shop.status(Number(refund.payment_gateway_reference2));
  stage.rows([['its status', resultLine(made)]]);
  const refused = await shop.refusedRefund(paid.txid, '49.90', { alert_id: Number(alertId) });
  hold(refused.status === 409, 'a second refund is refused');
  stage.check('refunded exactly once, whoever asks');
};

const showBalance = async (personas: Personas): Promise<void> => {
  const { shop, stage } = personas;
  stage.scene('And all of it adds up', await stackTime(personas));
  const [funds] = await shop.balance();
  hold(funds?.available === 0 && funds.reserved === 0, 'what came in has gone out');
  stage.rows([
    ['came in', `${usd(49.9)} + ${usd(120)}`],
    ['went out', `${usd(20)} + ${usd(100)} + ${usd(49.9)}`],
    ['available', usd(funds?.available ?? 0)],
    ['reserved', usd(funds?.reserved ?? 0)],
  ]);
};
