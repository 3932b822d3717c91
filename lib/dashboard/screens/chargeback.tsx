import { link } from '../app/address.ts';
import { compose, inSentence, lowerFirst, translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { type Heading, Pane, PanePage, PaneWaiting } from '../parts/pane.tsx';
import { Ring } from '../parts/ring.tsx';
import { SiteText } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { whatWins } from './chargeback-checklist.ts';
import { AutomaticLine, Estimated } from './chargeback-estimate.tsx';
import { EvidenceList } from './chargeback-files.tsx';
import { isContestable } from './chargeback-kinds.ts';
import { type ChargebackDto, chargebackEvidence, type Evidence, isOpenForEvidence } from './chargeback-operations.ts';
import { Response, Send } from './chargeback-response.tsx';
import { chargebackReason, stageWords, statusTones } from './chargeback-words.ts';
import { customerLink } from './customer-operations.ts';
import { processorTitle } from './processor-fields.ts';

/** One chargeback on a page of its own. */
export const ChargebackPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => (
  <PanePage
    path="/chargebacks"
    label={translate('Chargebacks')}
    title={translate('Chargeback')}
    pane={(heading) => <ChargebackPane id={id} heading={heading} />}
  />
);

/** One chargeback: what wins it, what proves it, the response to the issuer, and the way to submit or accept it. */
export const ChargebackPane = ({
  id,
  heading,
  onChanged,
}: {
  id: string;
  heading: Heading;
  onChanged?: () => void;
}) => {
  const { data, error, reload } = useLoad(id, (signal) => chargebackEvidence({ params: { id }, signal }));
  if (!data) return <PaneWaiting heading={heading(translate('Chargeback'))} error={error} onRetry={reload} />;
  const { chargeback } = data;
  const change = () => [reload(), onChanged?.()];
  const { due_by: due, opened_at: from } = chargeback;
  const sum = amountText(chargeback.amount, chargeback.currency);
  const reason = chargebackReason(chargeback);
  return (
    <Pane
      heading={heading(reason, `${sum}, ${lowerFirst(reason)}`)}
      ring={due !== null && isOpenForEvidence(chargeback) && <Ring from={from} until={due} isBig />}
      about={<About {...data} />}
      sum={sum}
      main={<Case evidence={data} onChanged={change} />}
      foot={<Send evidence={data} onChanged={change} />}
    />
  );
};

/** The buyer, as far as the order or the payment names one. */
const toBuyer = ({ order_evidence: evidence, payment }: Evidence): string | undefined => {
  const { firstname, lastname, email } = evidence?.order.customer ?? {};
  return [firstname, lastname].filter(Boolean).join(' ') || (email ?? payment?.email ?? undefined);
};

const About = (evidence: Evidence) => {
  const { chargeback, payment } = evidence;
  const buyer = toBuyer(evidence);
  return (
    <>
      <Badge state={chargeback.status} tone={statusTones[chargeback.status]} />{' '}
      {payment?.card && (
        <>
          <CardNumber card={payment.card} />,{' '}
        </>
      )}
      {buyer && `${buyer}, `}
      {chargeback.sid !== null && (
        <>
          <SiteText sid={chargeback.sid} />.{' '}
        </>
      )}
      {stateWords(chargeback.network)} {chargeback.reason_code}
      {chargeback.stage !== 'chargeback' && `, ${inSentence(stageWords[chargeback.stage])}`}
      {chargeback.due_by !== null && isOpenForEvidence(chargeback) && (
        <>. {compose('Submit by {time}', { time: <Time at={chargeback.due_by} /> })}</>
      )}
    </>
  );
};

type CaseProps = { evidence: Evidence; onChanged: () => void };

const Case = ({ evidence, onChanged }: CaseProps) => (
  <div class="case">
    <div>
      {isOpenForEvidence(evidence.chargeback) ? (
        <>
          <Wins chargeback={evidence.chargeback} />
          <Estimated {...{ evidence, onChanged }} />
        </>
      ) : (
        <Outcome {...evidence} />
      )}
      <EvidenceList {...{ evidence, onChanged }} />
      <AutomaticLine chargeback={evidence.chargeback} />
      <Past chargeback={evidence.chargeback} />
      <References {...evidence} />
    </div>
    <Response {...{ evidence, onChanged }} />
  </div>
);

const Wins = ({ chargeback: { reason_code } }: { chargeback: ChargebackDto }) => (
  <section class="advice">
    <h2>{translate('What wins this dispute')}</h2>
    <p>{whatWins(reason_code)}</p>
  </section>
);

const Outcome = ({ chargeback }: Evidence) => {
  const {
    accepted,
    evidence_submitted_at: submitted,
    status,
    closed_at: closed,
    unmapped_state: unmapped,
  } = chargeback;
  const amount = amountText(chargeback.amount, chargeback.currency);
  return (
    <section class="advice decide">
      <h2>
        {status === 'won' && translate('Won. {amount} is yours again.', { amount })}
        {status === 'lost' && translate('Lost. {amount} stays with the cardholder.', { amount })}
        {status === 'refunded_by_network' && translate('The network refunded {amount} to the cardholder.', { amount })}
        {status === 'accepted' && translate('Accepted. {amount} stays with the cardholder.', { amount })}
        {isContestable(chargeback) && translate('The issuer’s decision is pending.')}
      </h2>
      <p>
        {submitted && <>{compose('Evidence was submitted on {time}.', { time: <Time at={submitted} exact /> })} </>}
        {accepted && (
          <>{compose('{by} accepted it on {time}.', { by: accepted.by, time: <Time at={accepted.at} exact /> })} </>
        )}
        {unmapped && (
          <>{translate('The processor names a state that is not known here: {state}.', { state: unmapped })} </>
        )}
        {closed && <>{compose('Closed on {time}.', { time: <Time at={closed} exact /> })}</>}
      </p>
    </section>
  );
};

/** The newest entry first, each with the status before it. */
const withBefore = (history: ChargebackDto['history']) =>
  history.map((entry, index) => ({ ...entry, before: history[index - 1]?.status ?? entry.status })).toReversed();

const Past = ({ chargeback }: { chargeback: ChargebackDto }) => (
  <section class="fact">
    <h2>{translate('History')}</h2>
    <ol class="timeline">
      {withBefore(chargeback.history).map(({ at, by, stage, status, before }) => (
        <li key={`${at} ${status} ${stage}`}>
          <p>
            {before !== status && <s class="quiet">{stateWords(before)}</s>}
            {before !== status && ' → '}
            <strong>{stateWords(status)}</strong>, {inSentence(stateWords(stage))}
          </p>
          <p class="quiet small">
            {compose('{time}, by {by}', {
              time: <Time at={at} exact />,
              by: by === chargeback.processor ? processorTitle(by) : by,
            })}
          </p>
        </li>
      ))}
    </ol>
  </section>
);

const References = ({ chargeback, order_evidence: evidence }: Evidence) => (
  <section class="fact">
    <h2>{translate('References')}</h2>
    <Facts
      facts={[
        [
          translate('Payment'),
          chargeback.txid && <a href={link(`/payments/${chargeback.txid}`)}>{translate('Open the payment')}</a>,
        ],
        [
          translate('Order'),
          evidence && <a href={link(`/orders/${evidence.order.order_id}`)}>{evidence.order.reference}</a>,
        ],
        [
          translate('Customer'),
          <a key="customer" href={customerLink('chargeback', chargeback.chargeback_id)}>
            {translate('Everything about this customer')}
          </a>,
        ],
        [
          translate('Alert'),
          chargeback.alert_id && <a href={link(`/alerts/${chargeback.alert_id}`)}>{translate('Open the alert')}</a>,
        ],
        [translate('Raised'), <Time key="raised" at={chargeback.opened_at} exact />],
        [
          translate('Money'),
          chargeback.money_taken ? translate('The issuer has taken it') : translate('Nothing has been taken'),
        ],
        [translate('Processor'), processorTitle(chargeback.processor)],
        [
          translate('Dispute'),
          <Copied key="name" text={chargeback.dispute_reference} label={translate('Copy the dispute’s reference')} />,
        ],
        [
          translate('Charge'),
          <Copied key="payment" text={chargeback.reference} label={translate('Copy the payment’s reference')} />,
        ],
      ]}
    />
  </section>
);
