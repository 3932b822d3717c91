import { link } from '../app/address.ts';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { CardNumber } from '../parts/card-number.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Ring } from '../parts/ring.tsx';
import { SiteName } from '../parts/site-name.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { whatWins } from './chargeback-checklist.ts';
import { EvidenceList } from './chargeback-files.tsx';
import { isContestable } from './chargeback-kinds.ts';
import {
  type ChargebackDto,
  canSubmitHere,
  chargebackEvidence,
  type Evidence,
  isOpenForEvidence,
  listChargebacks,
} from './chargeback-operations.ts';
import { Response } from './chargeback-response.tsx';
import { chargebackReason, stageWords, statusTones } from './chargeback-words.ts';
import { processorTitle } from './processor-fields.ts';
import { rateOfReason, rateText } from './win-rates.ts';

/** One chargeback: what wins it, what proves it, the response to the issuer, and the way to submit or accept it. */
export const ChargebackPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => chargebackEvidence({ params: { id }, signal }));
  const chargeback = data?.chargeback;
  const title = chargeback
    ? `${amountText(chargeback.amount, chargeback.currency)}, ${lowerFirst(chargebackReason(chargeback))}`
    : 'Chargeback';
  return (
    <Screen
      title={title}
      from={{ label: 'Chargebacks', href: '#/chargebacks' }}
      actions={chargeback && <Deadline chargeback={chargeback} />}
      {...(data && { lede: <Lede {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Case evidence={data} onChanged={reload} /> : !error && <Waiting />}
    </Screen>
  );
};

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;

const Lede = ({ chargeback, payment }: Evidence) => (
  <>
    <Badge state={chargeback.status} tone={statusTones[chargeback.status]} />{' '}
    {payment?.card && (
      <>
        <CardNumber card={payment.card} />,{' '}
      </>
    )}
    {chargeback.sid !== null && (
      <>
        <SiteName sid={chargeback.sid} />.{' '}
      </>
    )}
    <span class="quiet">
      {stateWords(chargeback.network)} {chargeback.reason_code}, {stageWords[chargeback.stage].toLowerCase()}
    </span>
  </>
);

const Deadline = ({ chargeback }: { chargeback: ChargebackDto }) => {
  const { due_by: due, opened_at: from } = chargeback;
  if (due === null || !isOpenForEvidence(chargeback)) return null;
  return (
    <p class="due">
      <Ring from={from} until={due} isBig />
      <span>
        <strong>
          Submit by <Time at={due} />
        </strong>
        <span class="beneath">
          {canSubmitHere(chargeback) ? 'Here, through' : 'In the portal of'} {processorTitle(chargeback.processor)}
        </span>
      </span>
    </p>
  );
};

type CaseProps = { evidence: Evidence; onChanged: () => void };

const Case = ({ evidence, onChanged }: CaseProps) => (
  <div class="case">
    <div>
      {isOpenForEvidence(evidence.chargeback) ? <Wins chargeback={evidence.chargeback} /> : <Outcome {...evidence} />}
      <EvidenceList {...{ evidence, onChanged }} />
      <Past chargeback={evidence.chargeback} />
      <References {...evidence} />
    </div>
    <Response {...{ evidence, onChanged }} />
  </div>
);

const Wins = ({ chargeback }: { chargeback: ChargebackDto }) => {
  const { mid, reason_code } = chargeback;
  const { data } = useLoad(`won ${mid}`, (signal) =>
    listChargebacks({ body: { mid, status: ['won', 'lost'], size: 500 }, signal }),
  );
  const rate = data && rateOfReason(data.list, reason_code);
  return (
    <section class="advice">
      <h2>What wins this dispute</h2>
      <p>{whatWins(reason_code)}</p>
      {rate && (
        <p class="quiet small">
          {rate.decided === 0
            ? 'No chargeback with this reason has been decided yet.'
            : `You won ${rateText(rate)} decided chargebacks with this reason.`}
        </p>
      )}
    </section>
  );
};

const Outcome = ({ chargeback }: Evidence) => {
  const { accepted, evidence_submitted_at: submitted, status, closed_at: closed } = chargeback;
  const amount = amountText(chargeback.amount, chargeback.currency);
  return (
    <section class="advice decide">
      <h2>
        {status === 'won' && `Won. ${amount} is yours again.`}
        {status === 'lost' && `Lost. ${amount} stays with the cardholder.`}
        {status === 'accepted' && `Accepted. ${amount} stays with the cardholder.`}
        {isContestable(chargeback) && 'The issuer’s decision is pending.'}
      </h2>
      <p>
        {submitted && (
          <>
            Evidence was submitted on <Time at={submitted} exact />.{' '}
          </>
        )}
        {accepted && (
          <>
            {accepted.by} accepted it on <Time at={accepted.at} exact />.{' '}
          </>
        )}
        {closed && (
          <>
            Closed on <Time at={closed} exact />.
          </>
        )}
      </p>
    </section>
  );
};

const Past = ({ chargeback }: { chargeback: ChargebackDto }) => (
  <section class="fact">
    <h2>History</h2>
    <ol class="timeline">
      {chargeback.history.toReversed().map(({ at, by, stage, status }) => (
        <li key={`${at} ${status} ${stage}`}>
          <p>
            <strong>{stateWords(status)}</strong>, {stateWords(stage).toLowerCase()}
          </p>
          <p class="quiet small">
            <Time at={at} exact />, by {by === chargeback.processor ? processorTitle(by) : by}
          </p>
        </li>
      ))}
    </ol>
  </section>
);

const References = ({ chargeback, order_evidence: evidence }: Evidence) => (
  <section class="fact">
    <h2>References</h2>
    <Facts
      facts={[
        ['Payment', chargeback.txid && <a href={link(`/payments/${chargeback.txid}`)}>Open the payment</a>],
        ['Order', evidence && <a href={link(`/orders/${evidence.order.order_id}`)}>{evidence.order.reference}</a>],
        ['Alert', chargeback.alert_id && <a href={link(`/alerts/${chargeback.alert_id}`)}>Open the alert</a>],
        ['Raised', <Time key="raised" at={chargeback.opened_at} exact />],
        ['Money', chargeback.money_taken ? 'The issuer has taken it' : 'Nothing has been taken'],
        ['Processor', processorTitle(chargeback.processor)],
        ['Dispute', <Copied key="name" text={chargeback.dispute_reference} label="Copy the dispute’s reference" />],
        ['Charge', <Copied key="payment" text={chargeback.reference} label="Copy the payment’s reference" />],
      ]}
    />
  </section>
);
