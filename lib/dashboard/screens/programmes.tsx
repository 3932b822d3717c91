import { useState } from 'preact/hooks';
import type { programmeReportOperation as ProgrammesOperation } from '#disputes/reports/api/programmes/operation.ts';
import type { setFiguresOperation as SetFiguresOperation } from '#disputes/reports/api/set-figures/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { ofMerchant } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';

export const programmeReport = remote<typeof ProgrammesOperation>({ path: '/api/v3/reports/programmes' });
const setFigures = remote<typeof SetFiguresOperation>({ path: '/api/v3/reports/figures/set', roles: ['manager'] });
export type ProgrammeRow = RowOf<typeof ProgrammesOperation>;

export const standings: Readonly<Record<ProgrammeRow['status'], { label: string; tone: Tone }>> = {
  ok: { label: 'Below', tone: 'good' },
  near: { label: 'Near', tone: 'warn' },
  over: { label: 'Over', tone: 'bad' },
  unknown: { label: 'Not known', tone: 'plain' },
};

export const percent = (bps: number): string => `${(bps / 100).toFixed(2)}%`;

/** A merchant's standing in the schemes' programmes in a month (`2026-04`): both limits in one gauge. */
export const Programmes = ({ month }: { month: string }) => {
  const [isOpen, setOpen] = useState(false);
  const body = { ...ofMerchant(), month };
  const { data, error, reload } = useLoad(JSON.stringify(body), (signal) => programmeReport({ body, signal }));
  return (
    <Card
      title={`Card scheme programmes, ${month}`}
      actions={setFigures.isAllowed() && <Button onPress={() => setOpen(true)}>Enter figures</Button>}
    >
      <Trouble error={error} onRetry={reload} />
      <ul class="plain-list">
        {(data?.list ?? []).map((row) => (
          <li key={row.programme}>
            <Gauge row={row} />
          </li>
        ))}
      </ul>
      {isOpen && (
        <Figures
          month={month}
          onClose={(isSaved) => {
            setOpen(false);
            if (isSaved) reload();
          }}
        />
      )}
    </Card>
  );
};

const Gauge = ({ row }: { row: ProgrammeRow }) => {
  const { title, status, ratio_bps, threshold_bps, numerator, count_threshold, denominator, limits_source } = row;
  const { label, tone } = standings[status];
  return (
    <>
      <strong>{title}</strong> <Badge state={status} label={label} tone={tone} />
      <p class="small">
        {denominator === null || ratio_bps === null ? (
          'Your acquirer’s figures for the month are missing.'
        ) : (
          <>
            {percent(ratio_bps)} of {countText(denominator)} payments, limit {percent(threshold_bps)};{' '}
            {countText(numerator)} disputes, limit {countText(count_threshold)}. A merchant is over when both limits are
            reached.
          </>
        )}
      </p>
      <p class="small">
        <a href={limits_source} target="_blank" rel="noopener noreferrer">
          Where the limits of {title} are published
        </a>
      </p>
      {ratio_bps !== null && (
        <div class="gauges">
          <meter
            aria-label={`${title}: ratio`}
            min={0}
            max={threshold_bps * 1.5}
            high={threshold_bps}
            value={ratio_bps}
          />
          <meter
            aria-label={`${title}: number`}
            min={0}
            max={count_threshold * 1.5}
            high={count_threshold}
            value={numerator}
          />
        </div>
      )}
    </>
  );
};

const schemes = [
  { value: 'VISA', label: 'Visa' },
  { value: 'MASTERCARD', label: 'Mastercard' },
] as const;

const Figures = ({ month, onClose }: { month: string; onClose: (isSaved: boolean) => void }) => {
  const send = async (fields: Record<string, string>) => {
    const { scheme, settled_count = '', chargeback_count = '', fraud_count } = fields;
    await setFigures({
      body: {
        ...ofMerchant(),
        month: fields['month'] ?? month,
        scheme: schemes.find(({ value }) => value === scheme)?.value ?? 'VISA',
        settled_count,
        chargeback_count,
        ...(fraud_count && { fraud_count }),
      },
    });
    say('The figures are saved.');
    onClose(true);
  };
  return (
    <Dialog title="Your acquirer’s figures" onClose={() => onClose(false)}>
      <Form onSend={send} send="Save">
        {(problems) => (
          <>
            <Field label="Month" name="month" type="month" required defaultValue={month} problem={problems['month']} />
            <Select label="Scheme" name="scheme" choices={schemes} problem={problems['scheme']} />
            <Field
              label="Settled payments"
              name="settled_count"
              type="number"
              min={0}
              required
              problem={problems['settled_count']}
            />
            <Field
              label="Chargebacks"
              name="chargeback_count"
              type="number"
              min={0}
              required
              problem={problems['chargeback_count']}
            />
            <Field
              label="Reports of fraud (Visa: TC40)"
              name="fraud_count"
              type="number"
              min={0}
              problem={problems['fraud_count']}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
};
