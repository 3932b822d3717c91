import { useState } from 'preact/hooks';
import type { programmeReportOperation as ProgrammesOperation } from '#disputes/reports/api/programmes/operation.ts';
import type { setFiguresOperation as SetFiguresOperation } from '#disputes/reports/api/set-figures/operation.ts';
import { remote } from '../app/client.ts';
import { ofMerchant } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { monthText } from '../parts/dates.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { limitsOf, type ProgrammeRow } from './programme-limits.ts';

export const programmeReport = remote<typeof ProgrammesOperation>({ path: '/api/v3/reports/programmes' });
const setFigures = remote<typeof SetFiguresOperation>({ path: '/api/v3/reports/figures/set', roles: ['manager'] });

export const standings: Readonly<Record<ProgrammeRow['status'], { label: string; tone: Tone }>> = {
  ok: { label: translate('Below'), tone: 'good' },
  near: { label: translate('Near'), tone: 'warn' },
  over: { label: translate('Over'), tone: 'bad' },
  unknown: { label: translate('Not known'), tone: 'plain' },
};

/** A merchant's standing in the schemes' programmes in a month (`2026-04`): both limits in one gauge. */
export const Programmes = ({ month }: { month: string }) => {
  const [isOpen, setOpen] = useState(false);
  const body = { ...ofMerchant(), month };
  const { data, error, reload } = useLoad(JSON.stringify(body), (signal) => programmeReport({ body, signal }));
  return (
    <Card
      title={translate('Card scheme programmes, {month}', { month: monthText(month) })}
      actions={setFigures.isAllowed() && <Button onPress={() => setOpen(true)}>{translate('Enter figures')}</Button>}
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
  const { title, status, ratio_bps, denominator, limits_source } = row;
  const { label, tone } = standings[status];
  const limits = limitsOf(row);
  return (
    <>
      <strong>{title}</strong> <Badge state={status} label={label} tone={tone} />
      <p class="small">
        {denominator === null || ratio_bps === null
          ? translate('Your acquirer’s figures for the month are missing.')
          : `${limits.map(({ words }) => words).join('; ')}. ${translate('A merchant is over when all limits are reached.')}`}
      </p>
      <p class="small">
        <a href={limits_source} target="_blank" rel="noopener noreferrer">
          {translate('Where the limits of {title} are published', { title })}
        </a>
      </p>
      {ratio_bps !== null && (
        <div class="gauges">
          {limits.map(
            ({ value, limit, words }) =>
              value !== null && (
                <meter
                  key={words}
                  aria-label={`${title}: ${words}`}
                  min={0}
                  max={limit * 1.5}
                  high={limit}
                  value={value}
                />
              ),
          )}
        </div>
      )}
    </>
  );
};

const schemes = [
  { value: 'VISA', label: 'Visa' },
  { value: 'MASTERCARD', label: 'Mastercard' },
] as const;

const regions = [
  { value: 'NORTH_AMERICA', label: translate('North America') },
  { value: 'EUROPE', label: translate('Europe') },
  { value: 'LAC', label: translate('Latin America and the Caribbean') },
  { value: 'ASIA_PACIFIC', label: translate('Asia-Pacific') },
  { value: 'MENA', label: translate('Middle East and North Africa') },
] as const;

type CountProps = { label: string; name: string; required?: boolean; problem: string | undefined };

const Count = (props: CountProps) => <Field {...props} type="number" min={0} />;

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
        ...readRegion(fields),
        ...readFigures(fields),
      },
    });
    say(translate('The figures are saved.'));
    onClose(true);
  };
  return (
    <Dialog title={translate('Your acquirer’s figures')} onClose={() => onClose(false)}>
      <Form onSend={send} send={translate('Save')}>
        {(problems) => (
          <>
            <Field
              label={translate('Month')}
              name="month"
              type="month"
              required
              defaultValue={month}
              problem={problems['month']}
            />
            <Select label={translate('Scheme')} name="scheme" choices={schemes} problem={problems['scheme']} />
            <Count
              label={translate('Settled payments')}
              name="settled_count"
              required
              problem={problems['settled_count']}
            />
            <Count
              label={translate('Chargebacks')}
              name="chargeback_count"
              required
              problem={problems['chargeback_count']}
            />
            <Count
              label={translate('Reports of fraud (Visa: TC40)')}
              name="fraud_count"
              problem={problems['fraud_count']}
            />
            <RegionFields problems={problems} />
          </>
        )}
      </Form>
    </Dialog>
  );
};

const readRegion = (fields: Readonly<Record<string, string>>) => {
  const region = regions.find(({ value }) => value === fields['region'])?.value;
  return region && { region };
};

/** The figures that only some programmes need. */
const furtherFigures: readonly [name: string, label: string][] = [
  ['amount_usd', translate('Disputes and reports of fraud in US dollars')],
  ['fraud_chargeback_count', translate('Chargebacks for fraud')],
  ['fraud_chargeback_usd', translate('Chargebacks for fraud in US dollars')],
  ['three_ds_percent', translate('Share of payments with 3-D Secure in percent')],
  ['enumerated_count', translate('Authorisations that test cards, as Visa reports them')],
  ['authorisation_count', translate('All authorisations, approved or declined')],
];

const readFigures = (fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(furtherFigures.map(([name]) => [name, fields[name]]).filter(([, value]) => value));

/** The region, which decides which limits hold, and further figures. */
const RegionFields = ({ problems }: { problems: Readonly<Record<string, string>> }) => (
  <>
    <Select
      label={translate('Region of the acquirer')}
      name="region"
      choices={[{ value: '', label: translate('Not stated') }, ...regions]}
      problem={problems['region']}
      hint={translate('The limits of Visa differ in some regions.')}
    />
    {furtherFigures.map(([name, label]) => (
      <Count key={name} label={label} name={name} problem={problems[name]} />
    ))}
  </>
);
