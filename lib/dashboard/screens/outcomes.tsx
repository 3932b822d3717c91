import { useState } from 'preact/hooks';
import type { listOutcomesOperation as ListOutcomesOperation } from '#disputes/outcomes/api/list-outcomes/operation.ts';
import type { replayOutcomeOperation as ReplayOutcomeOperation } from '#disputes/outcomes/api/replay-outcome/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import type { AlertRow } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { compose, inSentence, translate, translateCount } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Copied } from '../parts/copy.tsx';
import { DayList, type Entry } from '../parts/day-list.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter, Load } from '../parts/narrow-pages.ts';
import { alertFilter, loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import { Term } from '../parts/term.tsx';
import { ClockTime, Time } from '../parts/time.tsx';
import { answeredWords, disputeWords } from './named-alerts.ts';
import { readNamedAlerts } from './read-alerts.ts';

export const listOutcomes = remote<typeof ListOutcomesOperation>({ path: '/api/v3/service_alerts/outcomes/list' });
const replayOutcome = remote<typeof ReplayOutcomeOperation>({
  path: '/api/v3/service_alerts/outcome/{id}/replay',
  roles: ['developer', 'manager'],
});
type Outcome = RowOf<typeof ListOutcomesOperation>;
type Row = Outcome & { alert: AlertRow | undefined };

const tones: Readonly<Record<Row['state'], Tone>> = {
  PENDING: 'act',
  ACCEPTED: 'good',
  REFUSED: 'bad',
  EXPIRED: 'bad',
  SUPERSEDED: 'plain',
  MANUAL: 'warn',
};

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: translate('State'),
    choices: Object.keys(tones).map((value) => ({ value, label: stateWords(value) })),
  },
  {
    name: 'provider',
    label: translate('Network'),
    choices: ['provider_a', 'provider_b'].map((value) => ({ value, label: stateWords(value) })),
  },
  alertFilter,
  siteFilter,
  ...spanFilters(translate('Sent')),
];

/** The states that wait for a person. */
const failedStates = ['REFUSED', 'EXPIRED', 'MANUAL'] as const;
const isFailed = ({ state }: Outcome): boolean => failedStates.some((one) => one === state);

const loadOutcomes = loadPages(listOutcomes);

/** A page with what its alerts are about. The first one also has the newest that failed, however old they are. */
const load: Load<Row> = async (given, page, signal) => {
  const wantsFailed = page.cursor === undefined && given['state'] === undefined;
  const [shown, failed] = await Promise.all([
    loadOutcomes(given, page, signal),
    wantsFailed ? loadOutcomes({ ...given, state: [...failedStates] } as never, { size: 20 }, signal) : undefined,
  ]);
  const older = (failed?.list ?? []).filter(({ id }) => shown.list.every((one) => one.id !== id));
  const list = [...older, ...shown.list];
  const alerts = await readNamedAlerts(
    list.map(({ alert_id }) => alert_id),
    signal,
  );
  return { ...shown, list: list.map((row) => ({ ...row, alert: alerts.get(row.alert_id) })) };
};

/** The state of an answer, as a sentence about its network. */
const stateSentence = ({ state, provider, attempts }: Outcome): string => {
  const network = stateWords(provider);
  if (state === 'ACCEPTED')
    return attempts > 1
      ? translate('{network} accepted it after {count} attempts', { network, count: attempts })
      : translate('{network} accepted it', { network });
  if (state === 'PENDING') return translate('On its way to {network}', { network });
  if (state === 'REFUSED') return translate('{network} refused it', { network });
  if (state === 'EXPIRED') return translate('{network} could not be reached in time', { network });
  if (state === 'MANUAL') return translate('Enter it at {network} yourself: there is no connection', { network });
  return translate('Replaced by a later answer, or the case was withdrawn');
};

const toEntry = (row: Row, onDone: () => void): Entry => {
  const { id, alert, alert_id, status, reason_code, state, error } = row;
  const at = row.sent_at ?? row.created_at;
  return {
    ...{ key: id, at, href: link(`/alerts/${alert_id}`) },
    title: answeredWords(alert, status, reason_code),
    text: [alert && disputeWords(alert), stateSentence(row)].filter(Boolean).join(' · '),
    side: (
      <>
        <Badge state={state} tone={tones[state]} /> {isFailed(row) ? <Time at={at} /> : <ClockTime at={at} />}
      </>
    ),
    ...(isFailed(row) && {
      failed: (
        <>
          {error ?? stateSentence(row)} <Again row={row} onDone={onDone} />
        </>
      ),
    }),
    numbers: <Copied text={String(alert_id)} label={translate('Copy the alert’s number')} />,
  };
};

/** The number of shown answers that need a person; failed ones are read however old they are. */
const toTitle = (rows: readonly Row[]): string | undefined => {
  const count = rows.filter(isFailed).length;
  if (rows.length === 0) return undefined;
  return count === 0
    ? translate('No answer shown needs you')
    : translateCount(count, '{count} answer needs you', '{count} answers need you');
};

/** Lists the answers to card networks with what became of them. */
export const Outcomes = () => {
  const [version, setVersion] = useState(0);
  const [rows, setRows] = useState<readonly Row[]>([]);
  const reload = () => setVersion((before) => before + 1);
  return (
    <Screen
      title={translate('Answers sent')}
      heading={toTitle(rows)}
      lede={compose('Every answer to an {alert}, with its {code}, on its way to the network that asked for it.', {
        alert: <Term name="alert">{inSentence(translate('Alert'))}</Term>,
        code: <Term name="reason-code">{inSentence(translate('Reason code'))}</Term>,
      })}
    >
      <Listing<Row>
        name="outcomes"
        caption={translate('Answers sent to networks')}
        {...{ filters, load }}
        onRows={setRows}
        render={(rows) => (
          <DayList
            caption={translate('Answers sent to networks')}
            failedTitle={translate('The network does not have these')}
            entries={rows.map((row) => toEntry(row, reload))}
          />
        )}
        version={version}
        csvOf={({ alert: _, ...row }) => row}
        keyOf={({ id }) => id}
        empty={<p>{translate('No answer has been sent to a network yet.')}</p>}
      />
    </Screen>
  );
};

const Again = ({ row: { id, alert, alert_id }, onDone }: { row: Row; onDone: () => void }) => {
  if (!replayOutcome.isAllowed()) return null;
  const name = alert ? disputeWords(alert) : translate('alert {id}', { id: alert_id });
  const press = async () => {
    try {
      await replayOutcome({ params: { id }, body: {} });
      say(translate('The answer is being sent again: {name}.', { name }));
      onDone();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  return (
    <Button aria-label={translate('Send the answer again: {name}', { name })} onPress={press}>
      {translate('Send again')}
    </Button>
  );
};
