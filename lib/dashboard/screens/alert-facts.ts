import { signal } from '@preact/signals';
import { serviceNow } from '../app/clock.ts';
import {
  type AlertDto,
  alertDetails,
  type ChargesFound,
  findCharges,
  type PaymentDto,
  paymentDetails,
} from '../app/operations.ts';
import { isAbove } from '../parts/money.ts';
import { type Advice, adviseOn, type Verb } from './advice.ts';
import { type OrderDto, orderDetails } from './order-operations.ts';

/** Everything that the pane shows of an alert; `payment`: the one it holds. A part that could not be read is undefined; the rest is still shown. */
export type AlertFacts = { alert: AlertDto; payment: PaymentDto | undefined; order: OrderDto | undefined };

/** The payments that an alert may be about: only the held one, if there is one. */
export const listPayments = ({ held_txid, potential_txids }: AlertDto): readonly number[] =>
  held_txid === null ? potential_txids : [held_txid];

/** Checks whether an alert awaits an answer. The queue, its count and the reports call this open. */
export const isAwaited = ({ status, deadline }: Pick<AlertDto, 'status' | 'deadline'>): boolean =>
  deadline !== null && ['OPEN', 'WIP', 'OTHER'].includes(status);

/** The refundable amount of a payment for an alert: all that the alert holds, or what no other alert holds. */
export const maxRefund = (
  { alert_id }: Pick<AlertDto, 'alert_id'>,
  payment: NonNullable<AlertFacts['payment']>,
): string => {
  const held = payment.alerts.find((one) => one.alert_id === alert_id)?.held ?? '0';
  return isAbove(held, payment.ledger.refundable) ? held : payment.ledger.refundable;
};

const orAbsent = <T>(read: Promise<T> | undefined): Promise<T | undefined> =>
  read?.catch(() => undefined) ?? Promise.resolve(undefined);

/** Reads an alert with its payment and its order. */
const readFacts = async (id: string): Promise<AlertFacts> => {
  const alert = await alertDetails({ params: { alert_id: id } });
  const { held_txid: txid, order_id: orderId } = alert;
  const [payment, order] = await Promise.all([
    orAbsent(txid === null ? undefined : paymentDetails({ params: { parentxid: txid } })),
    orAbsent(orderId === null ? undefined : orderDetails({ params: { id: orderId } })),
  ]);
  return { alert, payment, order };
};

/** Also reads the charges at the merchant’s processors, but only for alerts that await an answer. */
export const readCharges = (alert: AlertDto, abort?: AbortSignal): Promise<ChargesFound | undefined> =>
  alert.sid === null || !isAwaited(alert)
    ? Promise.resolve(undefined)
    : findCharges({ params: { alert_id: alert.alert_id }, ...(abort && { signal: abort }) });

type Ahead = { at: number; facts: Promise<AlertFacts> };
const ahead = new Map<string, Ahead>();
const maxAheadMilliseconds = 60_000;

/** Reads alerts before they are opened. */
export const readAhead = (ids: readonly string[]): void => {
  for (const id of ids) {
    if (ahead.has(id)) continue;
    const facts = readFacts(id);
    facts.then(noteAdvice).catch(() => ahead.delete(id));
    ahead.set(id, { at: Date.now(), facts });
  }
  for (const [id, { at }] of ahead) if (Date.now() - at > maxAheadMilliseconds) ahead.delete(id);
};

const recentFacts = (id: string): Promise<AlertFacts> | undefined => {
  const known = ahead.get(id);
  return known && Date.now() - known.at < maxAheadMilliseconds ? known.facts : undefined;
};

/** The facts of an alert. Uses those that were read in advance, once, if they are recent. */
export const takeFacts = async (id: string): Promise<AlertFacts> => {
  const known = recentFacts(id);
  ahead.delete(id);
  const facts = await (known ?? readFacts(id));
  noteAdvice(facts);
  return facts;
};

/** Recommendations for alerts that were opened or read in advance, by alert. */
export const recommended = signal<Readonly<Record<string, Verb>>>({});

/** An alert with the recommendation for it, and the charges that this rests on where no payment is held. */
export type Advised = { facts: AlertFacts; charges: ChargesFound | undefined; advice: Advice };

/**
 * Reads an alert and recommends an answer; charges at processors are only looked for where no payment is held. `isNow`: without what was
 * read in advance.
 */
export const readAdvised = async (id: string, isNow = false): Promise<Advised> => {
  const facts = await ((isNow ? undefined : recentFacts(id)) ?? readFacts(id));
  const charges = facts.payment ? undefined : await readCharges(facts.alert);
  const { alert, payment, order } = facts;
  noteAdvice(facts, charges);
  return { facts, charges, advice: adviseOn({ alert, payment, order: order?.order, charges, now: serviceNow() }) };
};

/** Alerts of which a recommendation was read or is being read, so that it is read once while the page is open. */
const advised = new Set<string>();
const advisedAtOnce = 2;

/** Reads the recommendations of rows that have none, in their order and a few at a time, until `isOver` says that the rows are gone. */
export const adviseRows = async (ids: readonly string[], isOver: () => boolean): Promise<void> => {
  const left = ids.filter((id) => !advised.has(id) && recommended.peek()[id] === undefined);
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && !isOver(); id = left.shift()) {
      advised.add(id);
      // A row without a recommendation is as it was before; opening the alert says what failed.
      await readAdvised(id).catch(() => advised.delete(id ?? ''));
    }
  };
  await Promise.all(Array.from({ length: advisedAtOnce }, work));
};

/** Stores the recommendation for the row in the queue. Without a payment it waits for the charges. */
export const noteAdvice = ({ alert, payment, order }: AlertFacts, charges?: ChargesFound): void => {
  if (!isAwaited(alert) || (!payment && !charges)) return;
  const { verb } = adviseOn({ alert, payment, order: order?.order, charges, now: serviceNow() });
  if (recommended.peek()[alert.alert_id] === verb) return;
  recommended.value = { ...recommended.peek(), [alert.alert_id]: verb };
};
