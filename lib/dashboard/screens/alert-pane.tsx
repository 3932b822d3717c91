import { useEffect, useRef } from 'preact/hooks';
import { link } from '../app/address.ts';
import { revision } from '../app/alert-pulse.ts';
import { serviceNow } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import type { ChargesFound } from '../app/operations.ts';
import { answersSent } from '../app/undo.tsx';
import { compose, translate } from '../language/translate.ts';
import { Badge } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { type Loaded, useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { type Heading, Pane, PaneWaiting } from '../parts/pane.tsx';
import { Ring } from '../parts/ring.tsx';
import { Time } from '../parts/time.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { type Advice, adviceWords, adviseOn, evidenceText, type Reason } from './advice.ts';
import { type AlertFacts, isAwaited, noteAdvice, readCharges, takeFacts } from './alert-facts.ts';
import { AlertSide } from './alert-side.tsx';
import { Decisions, History } from './alert-story.tsx';
import { Verbs } from './alert-verbs.tsx';
import { useDeadlineWarning } from './deadline-warning.ts';
import { OrderSeen } from './order-seen.tsx';
import { reasonWords } from './reason-words.ts';

type PaneProps = {
  id: string;
  /** Shows the reason. */
  heading: Heading;
  /** Called when an answer is pending. */
  onDecided?: () => void;
};

/** Everything about one alert: the recommendation, the reasons, and the three answers. */
export const AlertPane = ({ id, heading, onDecided }: PaneProps) => {
  const facts = useLoad(id, () => takeFacts(id));
  const { data, error, reload } = facts;
  const alert = data?.alert;
  const search = useLoad(alert && isAwaited(alert) ? `charges ${id}` : null, (signal) =>
    alert ? readCharges(alert, signal) : Promise.resolve(undefined),
  );
  const sent = answersSent.value;
  useEffect(() => {
    if (sent > 0 && data) reload();
  }, [sent]);
  useFollow(alert, sent, reload);
  useEffect(() => {
    if (data) noteAdvice(data, search.data);
  }, [data, search.data]);
  if (!data) {
    return <PaneWaiting heading={heading(translate('Alert'))} error={error} onRetry={reload} />;
  }
  return <Known {...{ facts: data, search, heading, onDecided }} onChanged={reload} />;
};

/** Reads the alert again when anything changes, and says so when someone else has answered it. */
const useFollow = (alert: AlertFacts['alert'] | undefined, sent: number, reload: () => void): void => {
  const present = revision.value;
  const seen = useRef(present);
  useEffect(() => {
    if (alert && seen.current !== undefined && seen.current !== present) reload();
    seen.current = present;
  }, [present]);
  const before = useRef<{ isOpen: boolean; sent: number } | undefined>(undefined);
  useEffect(() => {
    if (!alert) return;
    const isOpen = isAwaited(alert);
    if (before.current?.isOpen && !isOpen && before.current.sent === sent)
      say(translate('This alert was answered meanwhile.'), 'plain');
    before.current = { isOpen, sent };
  }, [alert]);
};

type KnownProps = Pick<PaneProps, 'heading'> & {
  facts: AlertFacts;
  search: Loaded<ChargesFound | undefined>;
  onChanged: () => void;
  onDecided: (() => void) | undefined;
};

const Known = ({ facts, search, heading, onChanged, onDecided }: KnownProps) => {
  const { alert, payment, order } = facts;
  const isOpen = isAwaited(alert);
  useDeadlineWarning(alert.alert_id, isOpen ? alert.deadline : null);
  const known = { alert, payment, order: order?.order, charges: search.data, now: serviceNow() };
  // Without a known payment, the charges at the processors decide.
  const isReady = payment !== undefined || !search.isLoading;
  const advice = isOpen && alert.sid !== null && isReady ? adviseOn(known) : undefined;
  return (
    <Pane
      heading={heading(reasonWords(alert))}
      ring={
        isOpen &&
        alert.deadline !== null && <Ring from={alert.assigned_at ?? alert.alert_date} until={alert.deadline} isBig />
      }
      about={<About alert={alert} />}
      sum={amountText(alert.amount, alert.currency)}
      main={
        <>
          {alert.chargeback_id !== null && (
            <p class="note warn">
              <span>
                {compose('The payment was charged back: {link}.', {
                  link: <a href={link(`/chargebacks/${alert.chargeback_id}`)}>{translate('see the chargeback')}</a>,
                })}
              </span>
            </p>
          )}
          {advice && <AdviceBox {...advice} />}
          {isOpen && !advice && alert.sid !== null && <Waiting rows={2} />}
          {isOpen && <Costs alert={alert} />}
          {order && <OrderSeen order={order.order} isElsewhere />}
          <Decisions alert={alert} />
          <section class="fact">
            <h2>{translate('History')}</h2>
            <History entries={alert.history} currency={alert.currency} dispute_currency={alert.dispute_currency} />
          </section>
        </>
      }
      side={<AlertSide {...{ facts, search, onChanged }} />}
      foot={
        <Verbs
          {...{ facts, advice, isReady, onChanged, onDecided }}
          charges={search.data}
          evidence={evidenceText(known)}
        />
      }
    />
  );
};

const About = ({ alert }: { alert: AlertFacts['alert'] }) => (
  <>
    <CardNumber card={alert.card} />
    {alert.site && `, ${alert.site}`}
    {isAwaited(alert) ? (
      <>. {compose('Answer by {time}', { time: <Time at={alert.deadline} /> })}</>
    ) : (
      <>
        {' '}
        <Badge state={alert.status} />
      </>
    )}
    {alert.status === 'WIP' && (
      <>
        {' '}
        <Badge state="WIP" />
      </>
    )}
    {alert.test && (
      <>
        {' '}
        <Badge state="TEST" tone="plain" />
      </>
    )}
  </>
);

const sideWords: Readonly<Record<Reason['side'], readonly [mark: string, words: string]>> = {
  for: ['✓', translate('For it:')],
  against: ['!', translate('Against it:')],
  unknown: ['?', translate('Not known:')],
};

const AdviceBox = ({ verb, title, reasons }: Advice) => (
  <section class={`advice ${verb}`} aria-label={translate('Recommendation: {answer}', { answer: adviceWords[verb] })}>
    <h2>{title}</h2>
    <ul>
      {reasons.slice(0, 4).map(({ side, text }) => (
        <li key={text} class={side}>
          <span aria-hidden="true">{sideWords[side][0]}</span>
          <span>
            <span class="unseen">{sideWords[side][1]} </span>
            {text}
          </span>
        </li>
      ))}
    </ul>
  </section>
);

/** The cost of each answer, from known figures only; bars have what of it is known and in the currency of the alert. */
const Costs = ({ alert: { amount, currency, cost } }: { alert: AlertFacts['alert'] }) => {
  const sum = amountText(amount, currency);
  const price = cost?.price && cost.price_currency ? amountText(cost.price, cost.price_currency) : undefined;
  const fee = cost?.price_currency === currency ? Number(cost.price) : 0;
  const unit = 92 / (Number(amount) + fee || 1);
  const none = translate('No dispute counts');
  const rows = [
    [
      translate('Refund|noun'),
      price ? translate('{amount} and the alert’s price, {price}', { amount: sum, price }) : sum,
      none,
    ],
    [
      translate('Decline, no chargeback'),
      price ? translate('Nothing but the alert’s price, {price}', { price }) : translate('Nothing'),
      none,
    ],
    [
      translate('Decline, then chargeback'),
      price
        ? translate('{amount}, your processor’s fee and the alert’s price, {price}', { amount: sum, price })
        : translate('{amount}, your processor’s fee', { amount: sum }),
      translate('One dispute counts'),
    ],
  ];
  return (
    <section class="fact">
      <h2>{translate('What each answer costs')}</h2>
      <table class="plain costs">
        <caption class="unseen">
          {translate('What each answer costs, and whether it counts towards card programmes')}
        </caption>
        <thead>
          <tr>
            <th scope="col">{translate('Answer|noun')}</th>
            <th scope="col">{translate('You pay')}</th>
            <th scope="col">{translate('Card programmes')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([answer, words, counts], index) => {
            // Only the length of bars: no amount that is shown.
            const at = index === 1 ? 0 : Number(amount) * unit;
            return (
              <tr key={answer}>
                <th scope="row">{answer}</th>
                <td>
                  <svg height="8" aria-hidden="true">
                    <rect width={`${at}%`} height="8" />
                    <rect class="fee" x={`${at}%`} width={`${fee * unit}%`} height="8" />
                  </svg>
                  {words}
                </td>
                <td>{counts}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
};
