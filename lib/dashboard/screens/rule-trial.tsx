import { link } from '../app/address.ts';
import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { cardText } from '../parts/card-text.ts';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { statesRefund } from './answer-words.ts';
import { readAlerts } from './read-alerts.ts';
import { reasonWords } from './reason-words.ts';
import type { RuleDto } from './rule-operations.ts';
import { compareWithPeople, trialWords } from './rule-results.ts';
import { tryRules } from './rule-work.tsx';

const readTrial = async ({ rule_id, version, sid, mid }: RuleDto, signal: AbortSignal) => {
  const owner = sid === null ? { ...(mid !== null && { mid }) } : { sid };
  const run = (await tryRules([{ owner, rule_id, version }])).get(rule_id);
  if (!run) return undefined;
  const asked = { date_from: dayText(run.from), ...(sid !== null && { sid: [sid] }) };
  const { rows } = await readAlerts(asked, signal);
  return { run, ...compareWithPeople(run.list, rows) };
};

const maxShown = 8;

/** The alerts of the last 30 days that a rule on trial would have answered, next to what people did. */
export const TrialSoFar = ({ rule }: { rule: RuleDto }) => {
  const { data, error, reload } = useLoad(`trial ${rule.rule_id} ${rule.version}`, (signal) => readTrial(rule, signal));
  return (
    <Card title={translate('On trial, last 30 days')}>
      {!data && !error && <p class="quiet">{translate('Loading …')}</p>}
      <Trouble error={error} onRetry={reload} />
      {data && (
        <>
          <p>
            <i>{trialWords(data.run)}</i>
          </p>
          {data.same.length + data.other.length > 0 && (
            <p>
              {translate('People answered {all} of these; {same} as the rule would have.', {
                all: countText(data.same.length + data.other.length),
                same: countText(data.same.length),
              })}
            </p>
          )}
          {data.other.length > 0 && <Otherwise rows={data.other} />}
        </>
      )}
    </Card>
  );
};

const Otherwise = ({ rows }: { rows: readonly AlertRow[] }) => (
  <>
    <h3>{translate('Where people did otherwise')}</h3>
    <ul class="plain-list">
      {rows.slice(0, maxShown).map((row) => (
        <li key={row.alert_id}>
          <a href={link(`/alerts/${row.alert_id}`)}>
            {amountText(row.amount, row.currency)}, {cardText(row.card)}
          </a>
          <span class="beneath">
            {row.status === 'DECLINED'
              ? translate('{reason}: declined', { reason: reasonWords(row) })
              : statesRefund(row.reason_code ?? '')
                ? translate('{reason}: refunded', { reason: reasonWords(row) })
                : translate('{reason}: resolved without a refund', { reason: reasonWords(row) })}
          </span>
        </li>
      ))}
    </ul>
    {rows.length > maxShown && <p class="small">{translate('And {count} more.', { count: rows.length - maxShown })}</p>}
  </>
);
