import { useState } from 'preact/hooks';
import type { listOutcomesOperation as ListOutcomesOperation } from '#disputes/outcomes/api/list-outcomes/operation.ts';
import type { replayOutcomeOperation as ReplayOutcomeOperation } from '#disputes/outcomes/api/replay-outcome/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { Badge, stateWords, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import type { Filter } from '../parts/filters.tsx';
import { Listing } from '../parts/listing.tsx';
import { alertFilter, pagesOf, siteFilter, spanFilters } from '../parts/pages.ts';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { reasonCodeText } from './answer-words.ts';

const listOutcomes = remote<typeof ListOutcomesOperation>({ path: '/api/v3/service_alerts/outcomes/list' });
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
  { name: 'state', label: 'State', choices: Object.keys(tones).map((value) => ({ value, label: stateWords(value) })) },
  {
    name: 'provider',
    label: 'Network',
    choices: ['provider_a', 'provider_b'].map((value) => ({ value, label: stateWords(value) })),
  },
  alertFilter,
  siteFilter,
  ...spanFilters('Sent'),
];

const load = pagesOf(listOutcomes);

/** Lists the answers to card networks with their replies. */
export const Outcomes = () => {
  const [version, setVersion] = useState(0);
  const columns: readonly Column<Row>[] = [
    { label: 'Alert', isMain: true, cell: ({ alert_id }) => String(alert_id) },
    { label: 'Answer', cell: ({ status, reason_code }) => `${stateWords(status)}, ${reasonCodeText(reason_code)}` },
    { label: 'Network', isShort: true, cell: ({ provider }) => stateWords(provider) },
    { label: 'State', cell: ({ state }) => <Badge state={state} tone={tones[state]} /> },
    { label: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
    { label: 'Error', isExtra: true, cell: ({ error }) => error ?? '' },
    { label: 'Sent', cell: ({ sent_at }) => <Time at={sent_at} /> },
    {
      label: 'Action',
      cell: (row) => <Again row={row} onDone={() => setVersion((before) => before + 1)} />,
    },
  ];
  return (
    <Screen title="Answers sent" lede="Every answer to an alert, on its way to the network that asked for it.">
      <Listing<Row>
        name="outcomes"
        caption="Answers sent to networks"
        {...{ columns, filters, load }}
        version={version}
        csvOf={(row) => row}
        keyOf={({ id }) => id}
        hrefOf={({ alert_id }) => link(`/alerts/${alert_id}`)}
        empty={<p>No answer has been sent to a network yet.</p>}
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
      say(`The answer to alert ${alert_id} is being sent again.`);
      onDone();
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  return (
    <Button aria-label={`Send the answer to alert ${alert_id} again`} onPress={press}>
      Send again
    </Button>
  );
};
