import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, link } from '../app/address.ts';
import { minute, serviceNow } from '../app/clock.ts';
import { chooseMerchant } from '../app/merchant.ts';
import { connectionsOf, listAlerts } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { compose, listText, translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { agoText } from '../parts/dates.ts';
import { useLoad } from '../parts/load.ts';
import { SiteText } from '../parts/site-name.tsx';
import { OperatorTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText, upperFirst } from '../parts/words.ts';
import { testConnection } from './connections.tsx';
import { wholePercent } from './delivery-figures.ts';
import { attemptWords } from './delivery-words.ts';
import { listMerchants } from './merchants.tsx';
import { listOutcomes } from './outcomes.tsx';
import { processorTitle } from './processor-fields.ts';
import { type Kept, listQuarantine, SettleMessage } from './quarantined.tsx';
import { FailedLink, type FailingRead, LostLink, readFailing } from './read-failing.tsx';

const networks = ['provider_a', 'provider_b', 'rdr'] as const;
/** So many of the newest rows are read for each part, and the connections of so many merchants. */
const newest = 200;
const newestMerchants = 50;
const day = 86_400_000;

const readStatus = async (signal: AbortSignal) => {
  const since = dayText(serviceNow() - 7 * day);
  const [alerts, kept, refused, answers, failing] = await Promise.all([
    listAlerts({ body: { size: newest }, signal }),
    listQuarantine({ body: { state: ['OPEN'], size: newest }, signal }),
    listOutcomes({ body: { state: ['REFUSED'], date_from: since, size: newest }, signal }),
    listOutcomes({ body: { state: ['ACCEPTED', 'REFUSED', 'EXPIRED'], date_from: since, size: newest }, signal }),
    readFailing({}, signal),
  ]);
  return {
    alerts: alerts.list,
    kept: kept.list,
    refused: refused.list,
    answers: answers.list,
    failing,
  };
};
type Status = Awaited<ReturnType<typeof readStatus>>;

/** The connections of the newest merchants. They take a call each, so that they are not read again every minute. */
const readConnections = async (signal: AbortSignal) => {
  const { list: merchants, next_before } = await listMerchants({ body: { size: newestMerchants }, signal });
  const connections = await Promise.all(
    merchants.map(async (merchant) => {
      const { connections: own } = await connectionsOf({ params: { mid: merchant.mid }, body: {}, signal });
      return own.filter(({ active }) => active).map((one) => ({ ...one, merchant }));
    }),
  );
  return { connections: connections.flat(), areAllMerchants: next_before === null };
};
type Connections = Awaited<ReturnType<typeof readConnections>>;

/** Reads again each minute while the page is looked at. */
const useEachMinute = (reload: () => void): void => {
  const present = minute.value;
  const shown = useRef(present);
  useEffect(() => {
    if (shown.current !== present && document.visibilityState === 'visible') reload();
    shown.current = present;
  }, [present]);
};

/** For operators: what fails at networks, processors and endpoints, each with the way to mend it. */
export const StatusPage = () => {
  const { data, error, reload } = useLoad('status', readStatus);
  const connected = useLoad('connections of all', readConnections);
  useEachMinute(reload);
  return (
    <Screen
      title={translate('Status')}
      heading={data && sayTrouble(data, connected.data?.connections ?? [])}
      lede={translate('Networks, processors and endpoints of all merchants, read again each minute.')}
    >
      <OperatorTabs at="/admin/status" />
      <Trouble error={error} onRetry={reload} />
      {!data && !error && <Waiting />}
      {data && (
        <div class="breakdowns">
          {data.failing.sites.length > 0 && <Endpoints {...data.failing} />}
          <Networks {...data} onDone={reload} />
          {data.failing.sites.length === 0 && <Endpoints {...data.failing} />}
          <Trouble error={connected.error} onRetry={connected.reload} />
          {connected.data && <Processors {...connected.data} />}
        </div>
      )}
    </Screen>
  );
};

/** The title: what fails, or that nothing does. */
const sayTrouble = ({ failing, kept, refused }: Status, connections: Connections['connections']): string => {
  const sites = failing.sites.length;
  const processors = connections.filter((one) => one.failing_since !== null).length;
  const troubles = [
    sites > 0 && translateCount(sites, 'the endpoint of {count} site fails', 'the endpoints of {count} sites fail'),
    processors > 0 && translateCount(processors, '{count} processor fails', '{count} processors fail'),
    kept.length > 0 &&
      translateCount(kept.length, '{count} message could not be read', '{count} messages could not be read'),
    refused.length > 0 && translateCount(refused.length, '{count} answer was refused', '{count} answers were refused'),
  ].filter((text) => text !== false);
  return troubles.length === 0 ? translate('Nothing is known to fail') : upperFirst(listText(troubles));
};

const Part = ({ title, more, children }: { title: string; more?: ComponentChildren; children: ComponentChildren }) => (
  <section class="fact" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {more}
    </header>
    <ul class="states">{children}</ul>
  </section>
);

/** `isWell`: undefined where that is not known. */
type RowProps = {
  isWell: boolean | undefined;
  name: ComponentChildren;
  beneath?: ComponentChildren;
  children: ComponentChildren;
};

/** A mark, a name with what is known of it beneath, and what to do on the right. */
const Row = ({ isWell, name, beneath, children }: RowProps) => (
  <li class={isWell === undefined ? 'unknown' : isWell ? undefined : 'warn'}>
    <span>
      {name}
      {beneath && <span class="beneath">{beneath}</span>}
    </span>
    <span class="quiet small">{children}</span>
  </li>
);

/** How many of the newest answers of the week a network has accepted; null where none has a result yet. */
const sayAccepted = (network: string, { answers }: Status): string | null => {
  const own = answers.filter(({ provider }) => provider === network);
  const accepted = own.filter(({ state }) => state === 'ACCEPTED').length;
  const [part, all] = [countText(accepted), countText(own.length)];
  return own.length === 0
    ? null
    : translate('{part} of the newest {all} answers accepted, {percent}', {
        ...{ part, all, percent: wholePercent(accepted, own.length) },
      });
};

const Networks = ({ onDone, ...status }: Status & { onDone: () => void }) => (
  <Part title={translate('Networks')} more={<a href={link('/outcomes')}>{translate('Answers sent')}</a>}>
    {networks.map((network) => {
      const last = status.alerts.find(({ provider }) => provider === network);
      const unread = status.kept.filter(({ provider }) => provider === network);
      const accepted = sayAccepted(network, status);
      const refusals = status.refused.filter(({ provider }) => provider === network).length;
      return (
        <Fragment key={network}>
          <Row
            isWell={unread.length > 0 || refusals > 0 ? false : last ? true : undefined}
            name={stateWords(network)}
            beneath={
              (accepted || refusals > 0) && (
                <>
                  {accepted}{' '}
                  {refusals > 0 && (
                    <a href={link('/outcomes', { state: 'REFUSED' })}>
                      {translateCount(
                        refusals,
                        '{count} answer refused in a week',
                        '{count} answers refused in a week',
                      )}
                    </a>
                  )}
                </>
              )
            }
          >
            {last
              ? translate('seen {time} ago', { time: agoText(minute.value - Date.parse(last.alert_date)) })
              : translate('not among the newest {count} alerts', { count: countText(newest) })}
          </Row>
          {unread.map((entry) => (
            <Unread key={entry.id} entry={entry} onDone={onDone} />
          ))}
        </Fragment>
      );
    })}
  </Part>
);

/** A message that could not be read, which is no alert until someone corrects it. */
const Unread = ({ entry, onDone }: { entry: Kept; onDone: () => void }) => (
  <Row
    isWell={false}
    name={compose('A message of {time} could not be read', { time: <Time at={entry.last_at} /> })}
    beneath={
      <>
        {entry.problems} {entry.times > 1 && translate('It came {count} times.', { count: countText(entry.times) })}
      </>
    }
  >
    <SettleMessage {...{ entry, onDone }} />
  </Row>
);

const Endpoints = ({ sites, lost, isWhole }: FailingRead) => {
  return (
    <Part
      title={translate('Endpoints of merchants')}
      more={<a href={link('/deliveries')}>{translate('Deliveries')}</a>}
    >
      {sites.length === 0 && isWhole && (
        <Row isWell name={translate('None fails.')}>
          {''}
        </Row>
      )}
      {sites.map(({ sid, count, since, last }) => (
        <Row
          key={sid}
          isWell={false}
          name={<SiteText sid={sid} />}
          beneath={compose('{error}, since {time}', { error: attemptWords(last), time: <Time at={since} /> })}
        >
          <FailedLink {...{ sid, count }} />
        </Row>
      ))}
      {lost.map(({ sid, count }) => (
        <Row key={sid} isWell={undefined} name={<SiteText sid={sid} />}>
          <LostLink {...{ sid, count }} />
        </Row>
      ))}
      {!isWhole && (
        <Row
          isWell={undefined}
          name={translate('Only the newest {count} notifications were looked at.', { count: countText(newest) })}
        >
          {''}
        </Row>
      )}
    </Part>
  );
};

type Connected = Connections['connections'][number];

/** A connection is asked each day for its chargebacks, and when someone presses the button. */
const Processors = ({ connections, areAllMerchants }: Connections) => {
  const [results, setResults] = useState<ReadonlyMap<string, string>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    const answers = await Promise.all(connections.map(async (one) => [one.id, await whyItFails(one)] as const));
    setResults(new Map(answers));
    setBusy(false);
  };
  return (
    <Part
      title={translate('Processors')}
      more={
        connections.length > 0 && (
          <Button onPress={ask} isBusy={isBusy}>
            {translate('Test all')}
          </Button>
        )
      }
    >
      {connections.length === 0 && areAllMerchants && (
        <Row isWell={undefined} name={translate('No processor is connected.')}>
          {''}
        </Row>
      )}
      {connections.map(({ id, label, kind, merchant, failing_since: since }) => {
        const problem = results.get(id);
        const isFailing = problem === undefined && since !== null;
        return (
          <Row
            key={id}
            isWell={isFailing ? false : problem === undefined ? undefined : problem === ''}
            name={`${merchant.name}: ${label}, ${processorTitle(kind)}`}
            beneath={
              isFailing ? compose('Chargebacks could not be read since {time}', { time: <Time at={since} /> }) : problem
            }
          >
            {problem === undefined && !isFailing && translate('not tested')}
            {problem === '' && translate('It works')}
            {(problem || isFailing) && (
              <Button
                onPress={() => {
                  chooseMerchant(merchant);
                  go(link('/connections'));
                }}
              >
                {translate('Open')}
              </Button>
            )}
          </Row>
        );
      })}
      {!areAllMerchants && (
        <Row
          isWell={undefined}
          name={translate('Only the newest {count} merchants are listed here.', { count: countText(newestMerchants) })}
        >
          {''}
        </Row>
      )}
    </Part>
  );
};

/** Why a connection fails; empty if it works. */
const whyItFails = async ({ id, merchant: { mid } }: Connected): Promise<string> => {
  try {
    const { works, msg, missing } = await testConnection({ params: { mid, id } });
    return works ? '' : [msg, ...missing].join(': ');
  } catch {
    return translate('It could not be tested.');
  }
};
