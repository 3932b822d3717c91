import { link } from '../app/address.ts';
import type { AlertRow } from '../app/operations.ts';
import { ServiceError } from '../app/transport.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { cardText } from '../parts/card-text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { amountText } from '../parts/money.ts';
import { bulkShown, type Result, type Shown } from './bulk-shown.ts';

/** An action on many alerts, and the result of each. */

/** `amount` and `card` name an alert to people, where a list has them. */
type One = { alert_id: number } & Partial<Disputed>;
type Disputed = Pick<AlertRow, 'amount' | 'currency' | 'card'>;

const atOnce = 5;

/** Calls for each alert, five at a time; stops where the service says that it is too much. `send` answers what is said of it. */
const sendAll = async <Alert extends One>(
  alerts: readonly Alert[],
  send: (alert: Alert) => Promise<string>,
): Promise<{ results: readonly Result[]; error: unknown }> => {
  const results: Result[] = [];
  let error: unknown;
  let isStopped = false;
  for (let from = 0; from < alerts.length; from += atOnce) {
    const some = alerts.slice(from, from + atOnce);
    const sent = await Promise.all(
      some.map(async (alert): Promise<Result> => {
        if (isStopped) return { ...nameAlert(alert), outcome: 'left', words: translate('Not sent') };
        try {
          return { ...nameAlert(alert), outcome: 'done', words: await send(alert) };
        } catch (thrown) {
          error = thrown;
          return { ...nameAlert(alert), outcome: 'refused', words: failWords(thrown) };
        }
      }),
    );
    isStopped ||= error instanceof ServiceError && error.status === 429;
    results.push(...sent);
  }
  return { results, error };
};

/** An alert as people name it. */
const nameAlert = ({ alert_id: id, amount, currency, card = '' }: One): { id: number; name: string } => ({
  id,
  name:
    amount === undefined
      ? translate('alert {id}', { id })
      : [amountText(amount, currency), cardText(card)].filter(Boolean).join(', '),
});

/** The refusals of an answer, in the words of people who answer alerts. */
const refusalWords: Readonly<Record<string, string>> = {
  payment_not_linked: translate('No certain charge was found. Open the alert and compare the likely ones.'),
  alert_closed: translate('It was answered already.'),
  alert_not_found: translate('It is no longer here.'),
  alert_takes_no_outcome: translate('Its type cannot be answered.'),
  amount_not_available: translate('Less than this is left of the payment.'),
  already_refunded_for_dispute: translate('It was refunded already.'),
  dispute_open: translate('Another alert holds this money.'),
  charged_back: translate('The payment was charged back: a refund would pay twice.'),
  refund_not_allowed: translate('The settings of the site do not allow this refund.'),
  refund_first: translate('No refund is known that this answer could state.'),
  connection_unavailable: translate('Your processor cannot be reached now. Try again later.'),
  connection_not_found: translate('The connection to your processor is gone.'),
  reason_code_invalid: translate('The network does not take this reason.'),
  changed_meanwhile: translate('Someone changed it at the same moment. Look at it again.'),
};

/** Why it was not done: never the name of a field, or the number of a request. */
const failWords = (error: unknown): string => {
  if (error instanceof ServiceError) {
    return refusalWords[error.code] ?? error.message;
  }
  return error instanceof Error ? error.message : String(error);
};

/** More than these are confirmed by typing how many. */
const maxUnconfirmed = 20;

type Confirmed = {
  alerts: readonly One[];
  /** A further reason for a second look, as a sentence. */
  because?: string | undefined;
};

const isTyped = ({ alerts, because }: Confirmed): boolean => alerts.length > maxUnconfirmed || because !== undefined;

export const ConfirmMany = ({ alerts, because }: Confirmed) =>
  isTyped({ alerts, because }) ? (
    <Field
      label={translate('Type {count} to confirm', { count: alerts.length })}
      hint={because}
      name="count"
      inputMode="numeric"
      autoComplete="off"
      required
    />
  ) : null;

/** Throws what the form then says where what must be confirmed was not. */
export const expectConfirmed = (confirmed: Confirmed, typed: string | undefined): void => {
  const count = String(confirmed.alerts.length);
  if (isTyped(confirmed) && typed !== count)
    throw new Error(translate('Type {count} to confirm that you mean all of them.', { count }));
};

/**
 * Sends decisions about alerts. Returns the message; where some were refused, a dialog shows the result of each, and there is no message.
 * Throws the service's refusal of a single alert.
 */
export const sendDecided = async <Alert extends One>(
  alerts: readonly Alert[],
  send: (alert: Alert) => Promise<string>,
  what: Shown['what'],
): Promise<string | undefined> => {
  const { results, error } = await sendAll(alerts, send);
  if (alerts.length === 1 && error) throw error;
  if (results.some(({ outcome }) => outcome !== 'done')) {
    bulkShown.value = { results, what };
    return undefined;
  }
  return alerts.length === 1 ? translate('Answered. The network is notified.') : wordsOfAll({ results, what });
};

const wordsOfAll = ({ results, what }: Shown): string => {
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const others = { others: results.length - done };
  return what === 'refunded'
    ? translateCount(done, '{count} alert refunded, {others} not.', '{count} alerts refunded, {others} not.', others)
    : translateCount(done, '{count} alert answered, {others} not.', '{count} alerts answered, {others} not.', others);
};

/** The result for each alert, in a dialog over the current screen. */
export const BulkResults = () => {
  const present = bulkShown.value;
  if (!present) return null;
  const close = () => {
    bulkShown.value = undefined;
  };
  return (
    <Dialog title={translate('Not all alerts were answered')} onClose={close}>
      <p>{wordsOfAll(present)}</p>
      <table class="plain">
        <caption class="unseen">{translate('What came of each alert')}</caption>
        <thead>
          <tr>
            <th scope="col">{translate('Alert')}</th>
            <th scope="col">{translate('Result')}</th>
          </tr>
        </thead>
        <tbody>
          {present.results.map(({ id, name, outcome, words }) => (
            <tr key={id}>
              <th scope="row" class="short">
                <a href={link(`/alerts/${id}`)} onClick={close}>
                  {name}
                </a>
              </th>
              <td>{outcome === 'done' ? <Badge state="DELIVERED" label={words} /> : words}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="buttons">
        <Button look="main" onPress={close}>
          {translate('Close')}
        </Button>
      </div>
    </Dialog>
  );
};
