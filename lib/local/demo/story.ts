import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import * as v from 'valibot';
import { type Client, createClient, type Playground } from './client.ts';
import type { Stage } from './stage.ts';
import { clockText, hold, untilIdle } from './steps.ts';

const Attempt = v.object({ slot: v.string(), status: v.nullable(v.number()) });
const Delivery = v.object({
  kind: v.string(),
  state: v.string(),
  next_attempt_at: v.nullable(v.string()),
  attempts: v.array(Attempt),
});
type Delivery = v.InferOutput<typeof Delivery>;

const Mail = v.looseObject({ to: v.array(v.string()), subject: v.string(), text: v.string() });

const findDelivery = async (client: Client, alertId: string, kind: string): Promise<Delivery> => {
  const listed = (await client.deliveries(alertId)).map((one) => v.parse(Delivery, one));
  const found = listed.find((one) => one.kind === kind);
  if (!found) throw new Error(`The demo expected a ${kind} notification for alert ${alertId}.`);
  return found;
};

/** From alert to answer, step by step; throws at the first step that is not as it should be. */
export const playStory = async (playground: Playground, stage: Stage): Promise<void> => {
  const client = createClient(playground);
  await client.takeJson();
  const alertId = await alertArrives(client, stage);
  const slot = await merchantIsDown(client, stage, alertId);
  await nextSlot(client, stage, alertId, slot, playground.credentials.site.signing_secret);
  await merchantAnswers(client, stage, alertId);
  await statusUpdateArrives(client, stage, alertId);
  await showMail(client, stage);
  await showHistory(client, stage, alertId);
};

const alertArrives = async (client: Client, stage: Stage): Promise<string> => {
  const { now } = await client.status();
  const alert = {
    alertId: 'A4IM9K2MIYL9F2BPF9TWUIXTU',
    type: 'CONFIRMED_FRAUD',
    alertTimestamp: now,
    age: '12',
    issuer: 'First Bank',
    cardBin: '411111',
    cardLast4: '1111',
    arn: '24692161070000622606414',
    transactionTimestamp: new Date(Date.parse(now) - 3 * 86_400_000).toISOString(),
    merchantDescriptor: 'demo*concert  tickets',
    mcc: '7922',
    amount: { value: '361.56', currencyCode: 'USD' },
    authCode: '387373',
    transactionId: '83773',
    reasonCode: '4837',
  };
  await client.tellSink({ status: 503, body: 'down for maintenance' });
  stage.scene('A card network confirms a fraud', now);
  const { alert_id, matched } = await client.sendAlert(alert, now);
  const alertId = String(alert_id);
  stage.rows([
    ['card', '411111******1111'],
    ['amount', '361.56 USD'],
    ['descriptor', alert.merchantDescriptor],
    ['signed', 'HMAC-SHA256 over the exact bytes'],
  ]);
  hold(matched, 'the alert is matched to a site');
  const details = await client.alert(alertId);
  stage.scene('It is matched to the merchant’s site', now);
  hold(details['matched_enrolled_descriptor'] === 'DEMO*', 'the descriptor DEMO* matches');
  stage.rows([
    ['alert', alertId],
    ['enrolled descriptor', `${details['matched_enrolled_descriptor']} (Starts with)`],
    ['site', `${details['site']} of ${details['retailer']}`],
    ['what to do', String(details['alert_action'])],
    ['answer due', clockText(String(details['deadline']))],
  ]);
  return alertId;
};

const merchantIsDown = async (client: Client, stage: Stage, alertId: string): Promise<string> => {
  await untilIdle(client);
  const { now } = await client.status();
  const { state, attempts, next_attempt_at: next } = await findDelivery(client, alertId, 'new_alert');
  stage.scene('The merchant’s endpoint is down', now);
  hold(state === 'PENDING' && attempts.length === 1 && attempts[0]?.status === 503, 'the first attempt fails with 503');
  stage.trouble('POST answered 503 down for maintenance');
  if (next === null) throw new Error('The demo expected another attempt.');
  stage.rows([
    ['delivery', 'PENDING: the row in the table is the retry'],
    ['next attempt', clockText(next)],
    ['then', 'every 12 hours, six slots in 72 hours'],
  ]);
  return next;
};

const nextSlot = async (client: Client, stage: Stage, alertId: string, slot: string, secret: string): Promise<void> => {
  await client.tellSink({ status: 200, body: 'thanks' });
  const now = await client.moveClock(slot);
  stage.scene('The clock moves to the next slot, and it is delivered', now);
  const { state, attempts } = await findDelivery(client, alertId, 'new_alert');
  hold(state === 'DELIVERED' && attempts.length === 2, 'the second attempt delivers the alert');
  const [first, second, ...more] = await client.readReceived();
  if (!first || !second) throw new Error('The demo expected two requests at the endpoint.');
  hold(more.length === 0, 'one POST is made per slot');
  const body = verifyBody(second, secret);
  stage.rows([
    ['attempts', attempts.map(({ status }) => status).join(', then ')],
    ['content type', second.headers['content-type'] ?? ''],
    ...['alert_type', 'alert_action', 'amount', 'currency', 'arn'].map((name) => [name, String(body[name])] as const),
    ['… and', `${Object.keys(body).length - 5} more fields`],
  ]);
  hold(String(body['alert_id']) === alertId, 'the notification names the alert');
  const id = second.headers['webhook-id'] ?? '';
  hold(id !== '' && id === first.headers['webhook-id'], 'both attempts carry the same webhook-id');
  stage.check(`webhook-id ${id}, the same on both attempts`);
  stage.check('verify() of the standardwebhooks library takes it');
  hold(!isGenuine({ ...second, body: second.body.replace('361.56', '1.00') }, secret), 'a changed amount is refused');
  stage.check('and refuses it with another amount');
};

type Sent = { headers: Record<string, string>; body: string; time: string };

/**
 * Verifies a request by the library. It refuses what is more than five minutes from the system's time, and offers no way to name another;
 * the service's time here is the one that the story moves, so for this call, which waits for nothing, that is the system's.
 */
const verifyBody = ({ headers, body, time }: Sent, secret: string): Record<string, unknown> => {
  const system = Date.now;
  Date.now = () => Date.parse(time);
  try {
    return v.parse(v.record(v.string(), v.unknown()), new Webhook(secret).verify(body, headers));
  } finally {
    Date.now = system;
  }
};

const isGenuine = (sent: Sent, secret: string): boolean => {
  try {
    verifyBody(sent, secret);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
};

const merchantAnswers = async (client: Client, stage: Stage, alertId: string): Promise<void> => {
  const { now } = await client.status();
  stage.scene('The merchant refunds and answers 100.001', now);
  const update = {
    alert_id: alertId,
    status: 'RESOLVED',
    reason_code: '100.001',
    alert_outcome_amount: '361.56',
    alert_outcome_currency: 'USD',
    merchant_notes: 'Refunded before the tickets were sent',
  };
  const answer = v.parse(v.object({ alert_status: v.string(), msg: v.string() }), await client.answerAlert(update));
  hold(answer.alert_status === 'RESOLVED', 'the alert is resolved');
  stage.rows([
    ['reason', '100 Alert allowed fraud to be stopped'],
    ['result', '001 refunded'],
    ['alert', answer.alert_status],
  ]);
  await untilIdle(client);
};

const statusUpdateArrives = async (client: Client, stage: Stage, alertId: string): Promise<void> => {
  const { now } = await client.status();
  const request = (await client.readReceived()).at(-1);
  const body = v.parse(v.record(v.string(), v.unknown()), JSON.parse(request?.body ?? '{}'));
  stage.scene('The status update is delivered', now);
  hold(body['action'] === 'statusupdate' && String(body['alert_id']) === alertId, 'a status update is delivered');
  stage.rows(
    ['action', 'alert_id', 'status', 'reason_code', 'merchant_update_on'].map((name) => [name, String(body[name])]),
  );
};

const showMail = async (client: Client, stage: Stage): Promise<void> => {
  const { now } = await client.status();
  const [mail] = (await client.emails()).map((one) => v.parse(Mail, one));
  stage.scene('And the mail that went out with the alert', now);
  if (!mail) throw new Error('The demo expected an e-mail.');
  stage.rows([
    ['to', mail.to.join(', ')],
    ['subject', mail.subject],
  ]);
  stage.quote(mail.text);
};

const showHistory = async (client: Client, stage: Stage, alertId: string): Promise<void> => {
  const { now } = await client.status();
  const { history } = await client.alert(alertId);
  stage.scene('Who changed what, when and from where', now);
  const Change = v.looseObject({ event: v.string() });
  stage.rows(
    history.map(
      ({ at, by, via, change }) => [clockText(at), `${v.parse(Change, change).event} by ${by}, via ${via}`] as const,
    ),
  );
};
