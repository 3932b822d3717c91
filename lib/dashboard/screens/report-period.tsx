import { address, setQuery } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import { inSentence, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { spanText } from '../parts/dates.ts';
import { Field, formFields, Select } from '../parts/field.tsx';
import { SiteField } from '../parts/site-field.tsx';
import { SiteText } from '../parts/site-name.tsx';
import { dayText } from '../parts/times.ts';

/** The days and the site that a report is about. */

const groups = [
  { value: 'day', label: translate('By day') },
  { value: 'month', label: translate('By month') },
] as const;

export type Span = { from: string; to: string; sid: string; group: 'day' | 'month' };

const toMonth = (time: number, back: number): { from: string; to: string } => {
  const now = new Date(time);
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1);
  const last = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1, 0);
  return { from: dayText(first), to: dayText(last) };
};

/** Returns the period in the address; this month without one. */
export const presentSpan = (): Span => {
  const { query } = address.value;
  const month = toMonth(serviceNow(), 0);
  return {
    from: query.get('from') ?? month.from,
    to: query.get('to') ?? month.to,
    sid: query.get('sid') ?? '',
    group: query.get('group') === 'month' ? 'month' : 'day',
  };
};

/** The period at a glance and the two that are asked for most; the form with days and site opens on demand. */
export const Period = ({ span }: { span: Span }) => {
  const now = serviceNow();
  const [present, last] = [toMonth(now, 0), toMonth(now, 1)];
  const isAt = (month: typeof last) => month.from === span.from && month.to === span.to;
  const choose = (month: typeof last, label: string) => (
    <Button aria-pressed={isAt(month)} onPress={() => setQuery({ ...month, group: 'day' })}>
      {label}
    </Button>
  );
  return (
    <div class="period">
      <span class="buttons tight">
        {choose(last, translate('Last month'))}
        {choose(present, translate('This month'))}
      </span>
      <details>
        <summary>
          {spanText(span.from, span.to)},{' '}
          {span.sid === '' ? inSentence(translate('All sites')) : <SiteText sid={Number(span.sid)} />}
        </summary>
        <SpanForm span={span} />
      </details>
    </div>
  );
};

const SpanForm = ({ span }: { span: Span }) => (
  <form
    class="fields paired"
    key={JSON.stringify(span)}
    onSubmit={(event) => {
      event.preventDefault();
      const { from, to, sid, group } = formFields(event.currentTarget);
      setQuery({ from, to, sid, group });
    }}
  >
    <Field label={translate('From|date')} name="from" type="date" required defaultValue={span.from} />
    <Field label={translate('Until')} name="to" type="date" required defaultValue={span.to} />
    <SiteField type="alert" none={translate('All sites')} value={span.sid} />
    <Select label={translate('Rows')} name="group" choices={groups} defaultValue={span.group} />
    <div class="buttons">
      <Button type="submit">{translate('Show')}</Button>
    </div>
  </form>
);
