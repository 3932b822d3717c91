import { useState } from 'preact/hooks';
import type { listCreditsOperation as ListCreditsOperation } from '#disputes/costs/api/list-credits/operation.ts';
import type { statementsOperation as StatementsOperation } from '#disputes/costs/api/statements/operation.ts';
import { address, link } from '../app/address.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { csvName, csvText } from '../parts/csv.ts';
import { monthText } from '../parts/dates.ts';
import { DownloadIcon } from '../parts/icons.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { saveFile } from '../parts/save-file.ts';
import { type Column, DataTable } from '../parts/table.tsx';
import { ReportTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { countText } from '../parts/words.ts';
import { setCredit } from './credit.tsx';
import { Tile } from './report-parts.tsx';
import { StatementUpload } from './statement-upload.tsx';

const statements = remote<typeof StatementsOperation>({ path: '/api/v3/reports/statements' });
const listCredits = remote<typeof ListCreditsOperation>({ path: '/api/v3/service_alerts/credits/list' });
type Reply = ReplyOf<typeof StatementsOperation>;
type Statement = Reply['statements'][number];
type Finding = Reply['findings'][number];

const findingWords: Readonly<Record<Finding['finding'], string>> = {
  never_received: translate('Billed, never received'),
  unassigned: translate('Belongs to no merchant, or is a test alert'),
  billed_twice: translate('Billed twice'),
  other_price: translate('Another price than agreed'),
  credit_unknown: translate('Credit for an unknown case'),
  credit_missing: translate('Credit is missing'),
};

const sumText = (totals: Statement['totals'], part: 'billed' | 'credited' | 'questioned'): string =>
  totals.map((one) => amountText(one[part], one.currency)).join(', ') || '–';
const countAll = ({ findings }: Statement): number => Object.values(findings).reduce((sum, count) => sum + count, 0);

/** The bills of the networks, compared with the alerts that were received. For operators. */
export const Statements = () => {
  const { query } = address.value;
  const [provider, month] = [query.get('provider'), query.get('month')];
  const isOne = provider !== null && month !== null;
  return (
    <Screen
      title={isOne ? `${stateWords(provider)}, ${monthText(month)}` : translate('Statements')}
      lede={translate('What the networks billed, compared with the alerts that were received.')}
    >
      <ReportTabs at="/statements" />
      {isOne ? <OneStatement key={`${provider} ${month}`} {...{ provider, month }} /> : <AllStatements />}
    </Screen>
  );
};

const columns: readonly Column<Statement>[] = [
  { label: translate('Month'), isMain: true, cell: ({ month }) => monthText(month) },
  { label: translate('Network'), isPlain: true, cell: ({ provider }) => stateWords(provider) },
  { label: translate('Billed'), isNumber: true, cell: ({ totals }) => sumText(totals, 'billed') },
  { label: translate('Credited'), isNumber: true, cell: ({ totals }) => sumText(totals, 'credited') },
  { label: translate('To question'), isNumber: true, cell: ({ totals }) => sumText(totals, 'questioned') },
  { label: translate('Findings'), isNumber: true, cell: (one) => countText(countAll(one)) },
  {
    label: translate('Lines not read'),
    isNumber: true,
    cell: ({ unread }) => (unread > 0 ? countText(unread) : '–'),
  },
  { label: translate('Imported'), isExtra: true, cell: ({ imported_at }) => <Time at={imported_at} /> },
];

const AllStatements = () => {
  const { data, error, reload } = useLoad('statements', (signal) => statements({ body: {}, signal }));
  if (!data) return error === undefined ? <Waiting /> : <Trouble error={error} onRetry={reload} />;
  return (
    <>
      <StatementUpload key={data.statements.map((one) => one.imported_at).join()} onDone={reload} />
      <DataTable<Statement>
        caption={translate('Statements')}
        columns={columns}
        rows={data.statements}
        keyOf={({ provider, month }) => `${provider} ${month}`}
        hrefOf={({ provider, month }) => link('/statements', { provider, month })}
        empty={<p>{translate('No statement was imported yet.')}</p>}
      />
    </>
  );
};

type Of = { provider: string; month: string };

/** Reads all pages of what was found in a statement. */
const readAll = async ({ provider, month }: Of, signal: AbortSignal) => {
  const findings: Finding[] = [];
  let page: number | null = 0;
  let statement: Statement | undefined;
  while (page !== null) {
    const body = { provider: provider as Statement['provider'], month, page };
    const reply: Reply = await statements({ body, signal });
    findings.push(...reply.findings);
    [statement] = reply.statements;
    page = reply.next_page;
  }
  return { statement, findings, claimable: statement ? await stillClaimable(statement, signal) : [] };
};

/** Returns the billed alerts whose credit can be claimed now: others may have been claimed since the import. */
const stillClaimable = async ({ claimable }: Statement, signal: AbortSignal): Promise<number[]> => {
  const billed = new Set(claimable);
  const found: number[] = [];
  let cursor: string | undefined;
  while (billed.size > 0) {
    const body = { state: ['claimable' as const], size: 100, ...(cursor !== undefined && { cursor }) };
    const { list, next_cursor } = await listCredits({ body, signal });
    found.push(...list.map(({ alert_id }) => Number(alert_id)).filter((id) => billed.has(id)));
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
};

const OneStatement = ({ provider, month }: Of) => {
  const { data, error, reload } = useLoad(`statement ${provider} ${month}`, (signal) =>
    readAll({ provider, month }, signal),
  );
  if (!data?.statement) return error === undefined ? <Waiting /> : <Trouble error={error} onRetry={reload} />;
  const { statement, findings, claimable } = data;
  const save = () => {
    const rows = [...findings, ...statement.problems.map((one) => ({ finding: 'not_read', ...one }))];
    saveFile(csvName('statement', [provider, month], serviceNow()), csvText(rows));
    say(translateCount(rows.length, '{count} row was saved.', '{count} rows were saved.'));
  };
  return (
    <>
      <Card
        title={translate('The bill')}
        actions={
          <>
            <Button onPress={save} disabled={findings.length + statement.problems.length === 0}>
              <DownloadIcon />
              CSV
            </Button>
            <ClaimAll alertIds={claimable} month={month} onDone={reload} />
          </>
        }
      >
        <ul class="tiles">
          <Tile label={translate('Billed')} value={sumText(statement.totals, 'billed')} />
          <Tile label={translate('Credited')} value={sumText(statement.totals, 'credited')} />
          <Tile
            label={translate('To question')}
            value={sumText(statement.totals, 'questioned')}
            note={translateCount(countAll(statement), '{count} finding', '{count} findings')}
          />
        </ul>
      </Card>
      <DataTable<Finding>
        caption={translate('Findings')}
        columns={findingColumns}
        rows={findings}
        keyOf={({ finding, line, case_id }) => `${finding} ${line} ${case_id}`}
        hrefOf={({ alert_id }) => (alert_id === null ? undefined : link(`/alerts/${alert_id}`))}
        empty={
          <p>
            {statement.unread > 0
              ? translate('The lines that could be read agree with the alerts that were received.')
              : translate('The bill agrees with the alerts that were received.')}
          </p>
        }
      />
      <Unread statement={statement} />
    </>
  );
};

/** The lines that were not compared: without them the bill is only partly checked. */
const Unread = ({ statement: { unread, problems } }: { statement: Statement }) => {
  if (unread === 0) return null;
  return (
    <Card title={translate('Lines that could not be read')}>
      <p class="note warn">
        {translateCount(unread, '{count} line was not compared.', '{count} lines were not compared.')}
      </p>
      <ul class="plain-list">
        {problems.map(({ line, problem }) => (
          <li key={line}>{translate('Line {line}: {problem}', { line, problem })}</li>
        ))}
      </ul>
      {unread > problems.length && (
        <p class="small">{translate('And {count} more.', { count: unread - problems.length })}</p>
      )}
    </Card>
  );
};

const findingColumns: readonly Column<Finding>[] = [
  { label: translate('Finding'), isMain: true, cell: ({ finding }) => findingWords[finding] },
  { label: translate('Line'), isNumber: true, cell: ({ line }) => line ?? '–' },
  { label: translate('Network’s number'), cell: ({ case_id }) => <span class="clipped">{case_id}</span> },
  { label: translate('Amount'), isNumber: true, cell: ({ amount, currency }) => amountText(amount, currency) },
  {
    label: translate('Agreed'),
    isNumber: true,
    cell: ({ agreed, agreed_currency }) => (agreed === null ? '–' : amountText(agreed, agreed_currency ?? '')),
  },
];

type ClaimProps = { alertIds: readonly number[]; month: string; onDone: () => void };

/** Claims the credits of all billed alerts, one after another, and shows how far it is. */
const ClaimAll = ({ alertIds, month, onDone }: ClaimProps) => {
  const [isOpen, setOpen] = useState(false);
  const [done, setDone] = useState<number>();
  const { length } = alertIds;
  if (length === 0) return null;
  const claim = async () => {
    setOpen(false);
    try {
      for (const [index, alert_id] of alertIds.entries()) {
        setDone(index);
        await setCredit({ params: { alert_id }, body: { state: 'claimed', note: `statement of ${month}` } });
      }
      say(translateCount(length, '{count} credit was claimed.', '{count} credits were claimed.'));
    } finally {
      setDone(undefined);
      onDone();
    }
  };
  const words = translateCount(length, 'Claim {count} credit', 'Claim {count} credits');
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)} isBusy={done !== undefined}>
        {done === undefined ? words : translate('{done} of {all} claimed', { done, all: length })}
      </Button>
      {isOpen && (
        <Confirm title={`${words}?`} yes={translate('Claim')} onYes={claim} onClose={() => setOpen(false)}>
          <p>{translate('The network billed these alerts, although their price can be claimed back.')}</p>
        </Confirm>
      )}
    </>
  );
};
