import { milliseconds } from '#core/kernel/clock.ts';
import { link } from '../app/address.ts';
import { serviceNow } from '../app/clock.ts';
import type { AlertRow } from '../app/operations.ts';
import { inSentence, listText, translate, translateCount } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Card } from '../parts/card.tsx';
import { cardText } from '../parts/card-text.ts';
import { Day } from '../parts/day.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, sumsText } from '../parts/money.ts';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { statesRefund } from './answer-words.ts';
import { type AlertsRead, newestOnly, readAlerts, sumRules } from './read-alerts.ts';
import { reasonWords } from './reason-words.ts';
import { Dots } from './rule-dots.tsx';
import type { RuleDto } from './rule-operations.ts';

const maxShown = 8;

const resultText = (row: AlertRow): string => {
  const reason = reasonWords(row);
  if (row.status === 'DECLINED') return translate('{reason}: declined', { reason });
  if (row.status !== 'RESOLVED')
    return translate('{reason}: {result}', { reason, result: inSentence(stateWords(row.status)) });
  return statesRefund(row.reason_code ?? '')
    ? translate('{reason}: refunded', { reason })
    : translate('{reason}: resolved without a refund', { reason });
};

/** Alerts by money and card, each with what became of it. */
export const AlertResults = ({ rows }: { rows: readonly AlertRow[] }) => (
  <>
    <ul class="plain-list">
      {rows.slice(0, maxShown).map((row) => (
        <li key={row.alert_id}>
          <a href={link(`/alerts/${row.alert_id}`)}>
            {amountText(row.amount, row.currency)}, {cardText(row.card)}
          </a>
          <span class="beneath">
            {resultText(row)}, <Day at={row.alert_date} />
          </span>
        </li>
      ))}
    </ul>
    {rows.length > maxShown && <p class="small">{translate('And {count} more.', { count: rows.length - maxShown })}</p>}
  </>
);

/** The alerts of the last 30 days that a rule decided, or could not decide. Test alerts are left out. */
const readDone = async (
  { rule_id, sid, mid }: RuleDto,
  signal: AbortSignal,
): Promise<AlertsRead & { from: string }> => {
  const from = dayText(serviceNow() - 30 * milliseconds.day);
  const owner = sid !== null ? { sid: [sid] } : mid !== null ? { mid: [mid] } : {};
  const { rows, isWhole } = await readAlerts({ date_from: from, ...owner }, signal);
  return { from, rows: rows.filter(({ rule, test }) => rule?.rule_id === rule_id && !test), isWhole };
};

/** The answers of a rule in 30 days, as a sentence. */
const doneText = (rows: readonly AlertRow[]): string => {
  const [own] = sumRules(rows);
  if (!own) return translate('It answered no alert of the last 30 days.');
  const amount = sumsText(own.refunded);
  return own.refunded.length === 0
    ? translateCount(
        own.answered,
        'It answered {count} alert of the last 30 days.',
        'It answered {count} alerts of the last 30 days.',
      )
    : translateCount(
        own.answered,
        'It answered {count} alert of the last 30 days, {amount} refunded.',
        'It answered {count} alerts of the last 30 days, {amount} refunded.',
        { amount },
      );
};

/** Why alerts that it applied to were left to people, with how many each. */
const leftText = (rows: readonly AlertRow[]): string | undefined => {
  const left = rows.filter(({ rule }) => rule?.result === 'left_to_merchant');
  if (left.length === 0) return undefined;
  const reasons = [...Map.groupBy(left, ({ rule }) => rule?.reason ?? '')].map(
    ([reason, own]) => `${inSentence(stateWords(reason))} (${countText(own.length)})`,
  );
  return translateCount(
    left.length,
    'It left {count} alert to people: {reasons}.',
    'It left {count} alerts to people: {reasons}.',
    { reasons: listText(reasons) },
  );
};

/** The answers of a rule to alerts of the last 30 days, by day and one by one. */
export const RuleDone = ({ rule }: { rule: RuleDto }) => {
  const { data, error, reload } = useLoad(`done ${rule.rule_id} ${rule.version}`, (signal) => readDone(rule, signal));
  return (
    <Card title={data ? doneText(data.rows) : translate('The last 30 days')}>
      {!data && !error && <p class="quiet">{translate('Loading …')}</p>}
      <Trouble error={error} onRetry={reload} />
      {data && (
        <>
          {leftText(data.rows) && <p>{leftText(data.rows)}</p>}
          {data.rows.length > 0 && <Dots {...data} words={doneText(data.rows)} />}
          <AlertResults rows={data.rows} />
          {!data.isWhole && <p class="small quiet">{newestOnly()}</p>}
        </>
      )}
    </Card>
  );
};
