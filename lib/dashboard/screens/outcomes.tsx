import { useState } from 'preact/hooks';
import type { listOutcomesOperation as ListOutcomesOperation } from '#disputes/outcomes/api/list-outcomes/operation.ts';
import type { replayOutcomeOperation as ReplayOutcomeOperation } from '#disputes/outcomes/api/replay-outcome/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Listing } from '../parts/listing.tsx';
import type { Filter } from '../parts/narrow-pages.ts';
import { alertFilter, loadPages, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { reasonCodeText } from './answer-words.ts';

export const listOutcomes = remote<typeof ListOutcomesOperation>({ path: '/api/v3/service_alerts/outcomes/list' });
const replayOutcome = remote<typeof ReplayOutcomeOperation>({
  path: '/api/v3/service_alerts/outcome/{id}/replay',
  roles: ['developer', 'manager'],
});
type Row = RowOf<typeof ListOutcomesOperation>;

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

const load = loadPages(listOutcomes);

/** Lists the answers to card networks with their replies. */
export const Outcomes = () => {
  const [version, setVersion] = useState(0);
  const columns: readonly Column<Row>[] = [
    { label: translate('Alert'), isMain: true, cell: ({ alert_id }) => String(alert_id) },
    {
      label: translate('Answer|noun'),
      isPlain: true,
      cell: ({ status, reason_code }) => `${stateWords(status)}, ${reasonCodeText(reason_code)}`,
    },
    { label: translate('Network'), isPlain: true, isShort: true, cell: ({ provider }) => stateWords(provider) },
    { label: translate('State'), isPlain: true, cell: ({ state }) => <Badge state={state} tone={tones[state]} /> },
    { label: translate('Attempts'), isNumber: true, cell: ({ attempts }) => attempts },
    { label: translate('Error'), isExtra: true, cell: ({ error }) => error ?? '' },
    { label: translate('Sent'), cell: ({ sent_at }) => <Time at={sent_at} /> },
    {
      label: translate('Action'),
      isPlain: true,
      cell: (row) => <Again row={row} onDone={() => setVersion((before) => before + 1)} />,
    },
  ];
  return (
    <Screen
      title={translate('Answers sent')}
      lede={translate('Every answer to an alert, on its way to the network that asked for it.')}
    >
      <Listing<Row>
        name="outcomes"
        caption={translate('Answers sent to networks')}
        {...{ columns, filters, load }}
        version={version}
        csvOf={(row) => row}
        keyOf={({ id }) => id}
        hrefOf={({ alert_id }) => link(`/alerts/${alert_id}`)}
        empty={<p>{translate('No answer has been sent to a network yet.')}</p>}
      />
    </Screen>
  );
};

const Again = ({ row: { id, state, alert_id }, onDone }: { row: Row; onDone: () => void }) => {
  const canGoAgain = state === 'EXPIRED' || state === 'REFUSED' || state === 'MANUAL';
  if (!canGoAgain || !replayOutcome.isAllowed()) return null;
  const press = async () => {
    try {
      await replayOutcome({ params: { id }, body: {} });
      say(translate('The answer to alert {alertId} is being sent again.', { alertId: alert_id }));
      onDone();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  return (
    <Button aria-label={translate('Send the answer to alert {alertId} again', { alertId: alert_id })} onPress={press}>
      {translate('Send again')}
    </Button>
  );
};
