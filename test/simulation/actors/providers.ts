import { createHmac } from 'node:crypto';
import { secrets } from '../environment.ts';
import type { OperationName } from '../functions.ts';
import { type Call, callUntilKnown, type Reply } from '../gateway.ts';
import type { Case } from '../outside-events.ts';
import { descriptorOf, type Place, rdrPlaces } from '../setup.ts';
import type { Random } from '../world/random.ts';
import type { World } from '../world/world.ts';

/** An alert's facts about a transaction. */
export type Disputed = { amount: string; card: { first6: string; last4: string }; at: string; arn: string | undefined };

const intakes = {
  provider_a: { operation: 'alerts/receive-provider-a', secret: 'provider-a' },
  provider_b: { operation: 'alerts/receive-provider-b', secret: 'provider-b' },
  rdr: { operation: 'alerts/receive-rdr', secret: 'rdr' },
} as const satisfies Record<Case['provider'], { operation: OperationName; secret: keyof typeof secrets }>;

type SignedBy = 'provider-a' | 'provider-b' | 'rdr';
const findKey = (world: World, secret: SignedBy): string =>
  world.signingKeys.get(secret) ?? String(JSON.parse(secrets[secret]).k1);

/** A call as a provider signs it, at the time it is sent. */
const sign = (world: World, secret: SignedBy, body: object): Call => {
  const [seconds, text] = [Math.floor(world.timeline.now / 1000), JSON.stringify(body)];
  const signature = createHmac('sha256', findKey(world, secret)).update(`${seconds}.${text}`).digest('hex');
  return { body: text, headers: { 'x-signature': `t=${seconds},v1=${signature}` } };
};

const send = (world: World, { provider }: Case, body: object, then: (reply: Reply) => void): void => {
  const { operation, secret } = intakes[provider];
  callUntilKnown(world, operation, () => sign(world, secret, body), then);
};

/** An alert as its provider sends it. */
export const makeMessage = (
  { provider, caseId, informs }: Case,
  { amount, card, at, arn }: Disputed,
  place: Place,
  random: Random,
): object => {
  const known = { ...(arn && { arn }) };
  const descriptor = descriptorOf(place);
  if (provider === 'provider_a') {
    return {
      alertId: caseId,
      type: informs ? 'FRAUD_NOTICE' : random.pick(['CONFIRMED_FRAUD', 'CUSTOMER_DISPUTE', 'CUSTOMER_DISPUTE']),
      cardBin: card.first6,
      cardLast4: card.last4,
      transactionTimestamp: at,
      merchantDescriptor: descriptor,
      amount: { value: amount, currencyCode: 'USD' },
      ...known,
    };
  }
  const transaction = { transactionDate: at, transactionAmount: amount, transactionCurrency: 'USD', ...known };
  if (provider === 'provider_b') {
    return {
      caseId,
      caseType: informs ? 'DISPUTE_NOTICE' : random.pick(['DISPUTE', 'CANCEL']),
      status: 'NEW',
      accountNumber: `${card.first6}xxxxxx${card.last4}`,
      descriptor,
      ...transaction,
    };
  }
  return {
    decisionId: caseId,
    event: 'DECISION',
    decision: random.pick(['ACCEPTED', 'ACCEPTED', 'DECLINED']),
    paymentDescriptor: descriptor,
    ...rdrPlaces[place],
    cardBin: card.first6,
    cardLast4: card.last4,
    ...transaction,
  };
};

/** The rate at which a provider sends a case at the same time, or its withdrawal. */
type Sending = { place: Place; copies: number; onAcknowledged: (alertId: number) => void };

/** Sends a case until it is acknowledged, perhaps by several of the provider's machines at once. */
export const sendCase = (world: World, sent: Case, disputed: Disputed, sending: Sending, random: Random): void =>
  sendMessage(world, sent, makeMessage(sent, disputed, sending.place, random), sending, random);

/** The same for a message that was made before. */
export const sendMessage = (
  world: World,
  sent: Case,
  body: object,
  { copies, onAcknowledged }: Omit<Sending, 'place'>,
  random: Random,
): void => {
  for (let copy = 0; copy < copies; copy += 1) {
    world.timeline.after(copy === 0 ? 0 : random.next() * 200, () =>
      send(world, sent, body, ({ status, body: reply }) => {
        // It was never acknowledged, then.
        if (status === 401) world.refused.push(`${sent.caseId} was refused: ${JSON.stringify(reply)}`);
        if (status !== 200) return world.note(`  ${sent.caseId} was answered ${status} ${JSON.stringify(reply)}`);
        const alertId = Number(reply['alert_id']);
        const isNew = sent.alertIds.size === 0;
        sent.alertIds.add(alertId);
        sent.isAcknowledged = true;
        if (isNew) onAcknowledged(alertId);
      }),
    );
  }
};

/** Withdraws a case, perhaps before it arrives. */
export const withdrawCase = (world: World, sent: Case): void => {
  sent.withdrawal = 'sent';
  const { caseId, provider } = sent;
  const body = provider === 'rdr' ? { decisionId: caseId, event: 'DELETE' } : { caseId, status: 'REVOKED' };
  send(world, sent, body, ({ status, body: reply }) => {
    if (status !== 200) throw new Error(`Withdrawal of ${caseId} was answered ${status}`);
    world.note(`  ${caseId} is withdrawn`);
    sent.withdrawal = 'acknowledged';
    if (reply['alert_id'] !== null) sent.alertIds.add(Number(reply['alert_id']));
  });
};
