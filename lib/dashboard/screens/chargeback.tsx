import { useState } from 'preact/hooks';
import type { acceptChargebackOperation as AcceptOperation } from '#disputes/chargebacks/api/accept-chargeback/operation.ts';
import type { chargebackDetailsOperation as DetailsOperation } from '#disputes/chargebacks/api/chargeback-details/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Copied } from '../parts/copy.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { SiteName } from '../parts/site-name.tsx';
import { Time, TimeLeft } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { chargebackReason, isContestable, stageWords, statusTones } from './chargeback-words.ts';
import { processorTitle } from './processor-fields.ts';

const chargebackDetails = remote<typeof DetailsOperation>({ path: '/api/v3/service_alerts/chargeback/{id}/details' });
const acceptChargeback = remote<typeof AcceptOperation>({
  path: '/api/v3/service_alerts/chargeback/{id}/accept',
  roles: ['analyst', 'manager'],
});
type Chargeback = ReplyOf<typeof DetailsOperation>;

/** One chargeback: what it is about, how it got there, and the way to accept it. */
export const ChargebackPage = ({ params: { id = '' } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const { data, error, reload } = useLoad(id, (signal) => chargebackDetails({ params: { id }, signal }));
  return (
    <Screen
      title={data ? `Chargeback ${data.dispute_reference}` : 'Chargeback'}
      from={{ label: 'Chargebacks', href: '#/chargebacks' }}
      actions={data && <Accept chargeback={data} onDone={reload} />}
      {...(data && { lede: <Standing {...data} /> })}
    >
      <Trouble error={error} onRetry={reload} />
      {data ? <Known chargeback={data} /> : !error && <Waiting />}
    </Screen>
  );
};

const Standing = (chargeback: Chargeback) => (
  <>
    <Badge state={chargeback.status} tone={statusTones[chargeback.status]} />{' '}
    {amountText(chargeback.amount, chargeback.currency)}{' '}
    {chargeback.money_taken ? 'has been taken by the issuer.' : 'has not been taken yet.'}{' '}
    {isContestable(chargeback) && chargeback.due_by !== null && (
      <>
        Time left: <TimeLeft until={chargeback.due_by} />
      </>
    )}
  </>
);

const Known = ({ chargeback }: { chargeback: Chargeback }) => (
  <div class="split">
    <Card title="The chargeback">
      <Facts
        facts={[
          ['Disputed', amountText(chargeback.amount, chargeback.currency)],
          ['Stage', stageWords[chargeback.stage]],
          ['Reason', chargebackReason(chargeback)],
          ['Scheme’s code', `${stateWords(chargeback.network)} ${chargeback.reason_code}`],
          ['Raised', <Time key="raised" at={chargeback.opened_at} exact />],
          ['Contest by', chargeback.due_by && <Time at={chargeback.due_by} exact />],
          ['Closed', chargeback.closed_at && <Time at={chargeback.closed_at} exact />],
          ['Payment', <a href={link(`/payments/${chargeback.txid}`)}>{chargeback.txid}</a>],
          ['Alert', chargeback.alert_id && <a href={link(`/alerts/${chargeback.alert_id}`)}>{chargeback.alert_id}</a>],
          ['Site', chargeback.sid !== null && <SiteName key="site" sid={chargeback.sid} />],
          ['Processor', processorTitle(chargeback.processor)],
          [
            'Its reference',
            <Copied key="name" text={chargeback.dispute_reference} label="Copy the dispute’s reference" />,
          ],
          [
            'Payment’s reference',
            <Copied key="payment" text={chargeback.reference} label="Copy the payment’s reference" />,
          ],
          ['Accepted', chargeback.accepted && <AcceptedBy {...chargeback.accepted} />],
        ]}
      />
    </Card>
    <Card title="History">
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
    </Card>
  </div>
);

const AcceptedBy = ({ by, at }: { by: string; at: string }) => (
  <>
    By {by}, <Time at={at} exact />
  </>
);

const Accept = ({ chargeback, onDone }: { chargeback: Chargeback; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  if (!isContestable(chargeback) || chargeback.accepted !== null || !acceptChargeback.isAllowed()) return null;
  const send = async () => {
    await acceptChargeback({ params: { id: chargeback.chargeback_id } });
    say('The chargeback is no longer contested.');
    setOpen(false);
    onDone();
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>Accept it</Button>
      {isOpen && (
        <Confirm title="Accept the chargeback?" yes="Accept it" onYes={send} onClose={() => setOpen(false)}>
          <p>
            {amountText(chargeback.amount, chargeback.currency)} stays with the issuer, and the chargeback can no longer
            be contested. This cannot be undone.
          </p>
        </Confirm>
      )}
    </>
  );
};
