import { link } from '../app/address.ts';
import type { PaymentDto } from '../app/operations.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { amountText } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { transStatusWords } from './authentication-words.tsx';
import { attemptWords } from './delivery-words.ts';

/** The story of a payment: its events, its merchant's notifications, and the payer's authentication. */

type PaymentProps = { payment: PaymentDto };
type Event = PaymentDto['history'][number];

export const History = ({ payment: { history } }: PaymentProps) => (
  <Card title="History">
    <ol class="timeline">
      {history.toReversed().map((event) => (
        <li key={`${event.at} ${event.event} ${event.txid ?? event.alert_id}`} class={tones[event.event]}>
          <Happened {...event} />
        </li>
      ))}
    </ol>
  </Card>
);

const tones = { asked: '', done: 'good', failed: 'bad', disputed: 'bad' } as const;

const titleOf = ({ event, tx_action, amount, currency }: Event): string => {
  if (event === 'disputed') return 'Disputed';
  const what = `${stateWords(tx_action ?? '')} of ${amountText(amount ?? '', currency ?? '')}`;
  if (event === 'asked') return `${what} asked for`;
  return event === 'failed' ? `${what} failed` : what;
};

const Happened = (event: Event) => {
  const { at, by, txid, why, alert_id } = event;
  const asker = by === null ? 'by the site' : `by ${by}`;
  return (
    <>
      <p>
        <strong>{titleOf(event)}</strong>
      </p>
      <p class="quiet small">
        <Time at={at} exact />
        {txid !== null && `, ${asker}, ${txid}`}
      </p>
      {why && <p class="small">{why}</p>}
      {alert_id !== null && (
        <p class="small">
          {event.event === 'disputed' ? 'By' : 'For'} <a href={link(`/alerts/${alert_id}`)}>alert {alert_id}</a>
        </p>
      )}
    </>
  );
};

export const Postbacks = ({ payment: { postbacks } }: PaymentProps) => (
  <Card title="Postbacks">
    {postbacks.length === 0 && <p class="quiet">None were sent.</p>}
    <ul class="plain-list">
      {postbacks.map(({ id, state, created_at, status, error, next_attempt_at }) => (
        <li key={id}>
          <a href={link(`/deliveries/${id}`)}>Postback</a> <Badge state={state} />
          <br />
          <span class="quiet small">
            <Time at={created_at} />: {attemptWords(status === null && error === null ? undefined : { status, error })}
            {next_attempt_at !== null && error !== null && ', to be tried again'}
          </span>
        </li>
      ))}
    </ul>
  </Card>
);

type Authenticated = NonNullable<PaymentDto['three_ds']>;

export const ThreeDs = ({ three_ds }: { three_ds: Authenticated }) => {
  const { source, transStatus, eci, authentication_id, outcome, liability_shift } = three_ds;
  return (
    <Card title="3-D Secure">
      <p>
        {outcome && <Badge state={outcome} tone={liability_shift ? 'good' : 'warn'} />}{' '}
        {source === 'verified' ? 'The payer was authenticated here.' : 'As the merchant stated.'}
      </p>
      <Facts
        facts={[
          ['Status', transStatus && transStatusWords(transStatus)],
          ['ECI', eci],
          ['Who bears fraud', liability_shift !== null && (liability_shift ? 'The issuer, as is expected' : 'You')],
          [
            'Authentication',
            authentication_id && <a href={link(`/3ds/${authentication_id}`)}>{String(authentication_id)}</a>,
          ],
        ]}
      />
    </Card>
  );
};
