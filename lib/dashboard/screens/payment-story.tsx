import { link } from '../app/address.ts';
import type { PaymentDto } from '../app/operations.ts';
import { compose, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { amountText } from '../parts/money.ts';
import { Story } from '../parts/story.tsx';
import { Time } from '../parts/time.tsx';
import { transStatusWords } from './authentication-words.tsx';
import { attemptWords } from './delivery-words.ts';
import { LeftChart } from './payment-chart.tsx';
import { leftByLedger, type Told, tellMoney } from './payment-words.ts';

/** The story of a payment: its events, its merchant's notifications, and the payer's authentication. */

type PaymentProps = { payment: PaymentDto };

/** The history of a payment: each step with its money and the sum that is left after it. */
export const History = ({ payment }: PaymentProps) => {
  const told = tellMoney(payment);
  const hasSums = told.length > 0 && told.at(-1)?.left === leftByLedger(payment);
  return (
    <>
      {hasSums && <LeftChart told={told} currency={payment.currency} />}
      <Story
        title={translate('How it went')}
        heads={[translate('Money'), translate('Left, before fees')]}
        currency={payment.currency}
        steps={told.map((event) => ({
          key: `${event.at} ${event.event} ${event.txid ?? event.alert_id ?? event.chargeback_id}`,
          look: event.event === 'charged_back' ? 'lost' : event.moved === undefined ? 'tiny' : undefined,
          what: <Happened event={event} />,
          beneath: beneath(event),
          moved: event.moved,
          left: hasSums ? event.left : undefined,
        }))}
      />
    </>
  );
};

const eventTitle = ({ event, tx_action, amount, currency, moved }: Told): string => {
  if (event === 'disputed') return translate('Disputed');
  if (event === 'charged_back') return translate('Charged back');
  const action = stateWords(tx_action ?? '');
  if (event === 'done' && moved !== undefined) return action;
  const what = translate('{action} of {amount}', { action, amount: amountText(amount ?? '', currency ?? '') });
  if (event === 'asked') return translate('{what} asked for', { what });
  return event === 'failed' ? translate('{what} failed', { what }) : what;
};

const Happened = ({ event }: { event: Told }) =>
  event.chargeback_id === null ? (
    <span>{eventTitle(event)}</span>
  ) : (
    <a href={link(`/chargebacks/${event.chargeback_id}`)}>{eventTitle(event)}</a>
  );

const beneath = ({ at, by, txid, why, alert_id, event }: Told) => {
  const asker = by === null ? translate('by the site') : translate('by {by}', { by });
  const alert = <a href={link(`/alerts/${alert_id}`)}>{translate('an alert')}</a>;
  return [
    <>
      <Time at={at} exact />
      {txid !== null && `, ${asker}`}
    </>,
    why,
    alert_id !== null && (event === 'disputed' ? compose('By {alert}', { alert }) : compose('For {alert}', { alert })),
  ];
};

export const Postbacks = ({ payment: { postbacks } }: PaymentProps) => (
  <Card title={translate('Postbacks')}>
    {postbacks.length === 0 && <p class="quiet">{translate('None were sent.')}</p>}
    <ul class="plain-list">
      {postbacks.map(({ id, state, created_at, status, error, next_attempt_at }) => (
        <li key={id}>
          <a href={link(`/deliveries/${id}`)}>{translate('Postback')}</a> <Badge state={state} />
          <br />
          <span class="quiet small">
            <Time at={created_at} />: {attemptWords(status === null && error === null ? undefined : { status, error })}
            {next_attempt_at !== null && error !== null && `, ${translate('to be tried again')}`}
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
    <Card title={translate('3-D Secure')}>
      <p>
        {outcome && <Badge state={outcome} tone={liability_shift ? 'good' : 'warn'} />}{' '}
        {source === 'verified' ? translate('The payer was authenticated here.') : translate('As the merchant stated.')}
      </p>
      <Facts
        facts={[
          [translate('Status'), transStatus && transStatusWords(transStatus)],
          ['ECI', eci],
          [
            translate('Who bears fraud'),
            liability_shift !== null && (liability_shift ? translate('The issuer, as is expected') : translate('You')),
          ],
          [
            translate('Authentication'),
            authentication_id && <a href={link(`/3ds/${authentication_id}`)}>{String(authentication_id)}</a>,
          ],
        ]}
      />
    </Card>
  );
};
