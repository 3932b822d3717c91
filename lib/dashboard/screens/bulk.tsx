import { signal } from '@preact/signals';
import { link } from '../app/address.ts';
import { ServiceError } from '../app/transport.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';

/** An action on many alerts, and the result of each. */

type One = { alert_id: number };
type Result = { id: number; outcome: 'done' | 'refused' | 'left'; words: string };

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
        if (isStopped) return { id: alert.alert_id, outcome: 'left', words: translate('Not sent') };
        try {
          return { id: alert.alert_id, outcome: 'done', words: await send(alert) };
        } catch (thrown) {
          error = thrown;
          return { id: alert.alert_id, outcome: 'refused', words: wordsOf(thrown) };
        }
      }),
    );
    isStopped ||= error instanceof ServiceError && error.status === 429;
    results.push(...sent);
  }
  return { results, error };
};

const wordsOf = (error: unknown): string => {
  if (error instanceof ServiceError) return [error.message, error.details].filter(Boolean).join(': ');
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

type Shown = { results: readonly Result[]; what: 'answered' | 'refunded' };
const shown = signal<Shown | undefined>(undefined);

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
    shown.value = { results, what };
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
  const present = shown.value;
  if (!present) return null;
  const close = () => {
    shown.value = undefined;
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
          {present.results.map(({ id, outcome, words }) => (
            <tr key={id}>
              <th scope="row" class="short">
                <a href={link(`/alerts/${id}`)} onClick={close}>
                  {id}
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
