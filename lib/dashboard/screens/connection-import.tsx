import { useEffect, useState } from 'preact/hooks';
import type { createEnrollmentOperation as CreateEnrollmentOperation } from '#disputes/enrollments/api/create-enrollment/operation.ts';
import type { changeImportOperation as ChangeOperation } from '#disputes/history/api/change-import/operation.ts';
import type { importDetailsOperation as DetailsOperation } from '#disputes/history/api/import-details/operation.ts';
import type { pastYearOperation as PastYearOperation } from '#disputes/history/api/past-year/operation.ts';
import type { startImportOperation as StartOperation } from '#disputes/history/api/start-import/operation.ts';
import { link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { ServiceError } from '../app/transport.ts';
import { compose, listText, translate } from '../language/translate.ts';
import { stateWords as providerWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { SiteField } from '../parts/site-field.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { type RuleTemplate, ruleTemplates } from './rule-templates.ts';

const path = '/api/v3/merchant/{mid}/connections/{id}/import' as const;
const start = remote<typeof StartOperation>({ path, roles: ['manager'] });
const details = remote<typeof DetailsOperation>({ path: `${path}/{import_id}` });
const change = remote<typeof ChangeOperation>({ path: `${path}/{import_id}/change`, roles: ['manager'] });
const pastYear = remote<typeof PastYearOperation>({ path: '/api/v3/service_alerts/rules/past-year' });
const enroll = remote<typeof CreateEnrollmentOperation>({
  path: '/api/v3/service_alerts/descriptor_enrollment/create',
  roles: ['developer', 'manager'],
});

type Import = ReplyOf<typeof DetailsOperation>;

/** The interval at which the progress of an import is read. */
const pollMilliseconds = 1500;

const loadLatest = async (mid: number, id: string, signal: AbortSignal): Promise<Import | null> => {
  try {
    return await details({ params: { mid, id, import_id: 'latest' }, body: {}, signal });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
};

/** The past of a connection: an import, its progress, and what it proposes. */
export const ConnectionImport = ({ mid, id, label }: { mid: number; id: string; label: string }) => {
  const { data, error, reload } = useLoad(`import ${mid} ${id}`, (signal) => loadLatest(mid, id, signal));
  const isRunning = data?.state === 'RUNNING';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(reload, pollMilliseconds);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  const begin = async () => {
    await start({ params: { mid, id }, body: {} });
    reload();
  };
  if (error !== undefined) return <Trouble error={error} onRetry={reload} />;
  if (data === undefined) return null;
  return (
    <section class="history" aria-label={translate('History of {label}', { label })}>
      <h3>{translate('History')}</h3>
      {data === null ? (
        <p class="quiet">
          {translate(
            'Import the past year to link orders to their charges, know earlier chargebacks, and see what alerts would have saved.',
          )}
        </p>
      ) : (
        <Progress shown={data} />
      )}
      {start.isAllowed() && <ImportButtons {...{ mid, id, shown: data }} onBegin={begin} onChange={reload} />}
      {data?.state === 'DONE' && <Results shown={data} />}
    </section>
  );
};

const stateWords: Readonly<Record<Import['state'], string>> = {
  RUNNING: translate('Being imported'),
  PAUSED: translate('Paused'),
  DONE: translate('Imported'),
  CANCELLED: translate('Canceled'),
  FAILED: translate('Stopped'),
};

const Progress = ({ shown }: { shown: Import }) => {
  const { state, percent, from, to, trouble, counts, unreadable } = shown;
  return (
    <>
      {state !== 'DONE' && state !== 'CANCELLED' && (
        <progress max={100} value={percent} aria-label={translate('Progress')} />
      )}
      {trouble !== null && <p class="note warn">{trouble}</p>}
      <Facts
        facts={[
          [
            translate('State'),
            <span role="status">
              {stateWords[state]}
              {state === 'RUNNING' && `, ${percent} %`}
            </span>,
          ],
          [translate('Time'), compose('{from} to {until}', { from: <Time at={from} />, until: <Time at={to} /> })],
          [translate('Charges'), countText(counts.charges)],
          [translate('Disputes'), counts.disputes > 0 && countText(counts.disputes)],
          [translate('Orders linked'), counts.orders > 0 && countText(counts.orders)],
          [translate('Refunds noted'), counts.refunds > 0 && countText(counts.refunds)],
          [translate('Unreadable charges'), counts.unreadable > 0 && countText(counts.unreadable)],
          [translate('Left out'), unreadable.join('; ')],
        ]}
      />
    </>
  );
};

type ButtonsProps = {
  mid: number;
  id: string;
  shown: Import | null;
  onBegin: () => Promise<void>;
  onChange: () => void;
};

const ImportButtons = ({ mid, id, shown, onBegin, onChange }: ButtonsProps) => {
  const act = (action: 'pause' | 'resume' | 'cancel') => async () => {
    await change({ params: { mid, id, import_id: shown?.import_id ?? '' }, body: { action } });
    onChange();
  };
  const state = shown?.state;
  const isWaiting = state === 'PAUSED' || state === 'FAILED';
  return (
    <div class="buttons">
      {state !== 'RUNNING' && !isWaiting && (
        <Button onPress={onBegin}>
          {shown ? translate('Import the past year again') : translate('Import the past year')}
        </Button>
      )}
      {state === 'RUNNING' && <Button onPress={act('pause')}>{translate('Pause')}</Button>}
      {isWaiting && <Button onPress={act('resume')}>{translate('Resume')}</Button>}
      {(state === 'RUNNING' || isWaiting) && <Button onPress={act('cancel')}>{translate('Cancel')}</Button>}
    </div>
  );
};

/** The results of an import for one site: enrollments to request, and the savings that alerts would have brought. */
const Results = ({ shown: { proposals } }: { shown: Import }) => {
  const [estimates, setEstimates] = useState<Estimates>();
  const showEstimates = async (fields: Record<string, string>) => {
    const sid = Number(fields['sid']);
    const [present, ...tried] = await Promise.all([
      pastYear({ body: { sid } }),
      ...tryable.map((template) => pastYear({ body: { sid, rules: [toRule(template)] } })),
    ]);
    setEstimates({ sid, present, tried });
  };
  const request = async (fields: Record<string, string>) => {
    const enrollment_items = proposals.map(({ charges: _, last_charge_at: __, ...item }) => item);
    await enroll({ body: { sid: Number(fields['sid']), enrollment_items } });
    say(translate('The enrollment was requested.'));
  };
  return (
    <>
      {proposals.length > 0 && (
        <>
          <h3>{translate('Not enrolled yet')}</h3>
          <ul class="small">
            {proposals.map(({ descriptor, network_bin, network_caid, provider, charges }) => (
              <li key={`${descriptor}${network_bin}${network_caid}`}>
                {compose('{name}: {charges} charges, at {provider}', {
                  name: (
                    <strong>
                      {descriptor ??
                        translate('BIN {bin}, card acceptor {acceptor}', {
                          bin: network_bin ?? '',
                          acceptor: network_caid ?? '',
                        })}
                    </strong>
                  ),
                  charges: countText(charges),
                  provider: listText(provider.map(providerWords)),
                })}
              </li>
            ))}
          </ul>
          {enroll.isAllowed() && (
            <Form onSend={request} send={translate('Request their enrollment')}>
              {(problems) => <SiteField type="alert" label={translate('For the site')} problem={problems['sid']} />}
            </Form>
          )}
        </>
      )}
      <h3>{translate('What alerts would have saved')}</h3>
      <Form onSend={showEstimates} send={translate('Estimate the past year')}>
        {(problems) => <SiteField type="alert" label={translate('With the rules of')} problem={problems['sid']} />}
      </Form>
      {estimates && <EstimatesShown {...estimates} />}
    </>
  );
};

type Estimated = ReplyOf<typeof PastYearOperation>;
type Estimates = { sid: number; present: Estimated; tried: Estimated[] };

/** The templates that would avoid chargebacks: the others need facts that a history does not have, or refund nothing. */
const tryable = ruleTemplates.filter(({ action }) => action === 'refund');

const toRule = ({ name, conditions, action }: RuleTemplate) => ({ name, conditions, action: { type: action } });

const savedWords = ({ avoided, totals }: Estimated): string =>
  [
    translate('{avoided} chargebacks avoided', { avoided: countText(avoided) }),
    ...totals.map(({ currency, saved, refunded }) =>
      translate('saved {saved} {currency} for refunds of {refunded}', { saved, currency, refunded }),
    ),
  ].join(', ');

const EstimatesShown = ({ sid, present, tried }: Estimates) => (
  <>
    <Estimate shown={present} />
    <h3>{translate('With a template')}</h3>
    <ul class="small">
      {tried.map((estimate, index) => {
        const { id = '', name = '' } = tryable[index] ?? {};
        return (
          <li key={id}>
            <a href={link('/rules/new', { sid: String(sid), template: id })}>{name}</a>: {savedWords(estimate)}
          </li>
        );
      })}
    </ul>
  </>
);

const Estimate = ({ shown }: { shown: Estimated }) => {
  const { disputes, alerts, avoided, totals, alert_cost: cost, assumptions } = shown;
  return (
    <div role="status">
      <Facts
        facts={[
          [translate('Disputes'), countText(disputes)],
          [translate('Alerts in time'), countText(alerts)],
          [translate('Chargebacks avoided'), countText(avoided)],
          ...totals.map(
            ({ currency, saved, refunded }) =>
              [
                translate('Saved, in {currency}', { currency }),
                translate('{saved}, for refunds of {refunded}', { saved, refunded }),
              ] as const,
          ),
          [
            translate('Cost of the alerts'),
            cost ? `${cost.amount} ${cost.currency}` : translate('Set the prices of alerts to see it'),
          ],
        ]}
      />
      <details>
        <summary>{translate('What this assumes')}</summary>
        <ul class="small">
          {assumptions.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </details>
    </div>
  );
};
