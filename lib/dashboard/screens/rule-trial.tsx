import type { AlertRow } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { useLoad } from '../parts/load.ts';
import { dayText } from '../parts/times.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { Unrefunded } from './dry-run.tsx';
import { readAlerts } from './read-alerts.ts';
import { AlertResults } from './rule-done.tsx';
import { Dots } from './rule-dots.tsx';
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
          {rule.action.type === 'refund' && <Unrefunded run={data.run} />}
          {data.same.length + data.other.length > 0 && <Compared from={dayText(data.run.from)} {...data} />}
          {data.other.length > 0 && (
            <>
              <h3>{translate('Where people did otherwise')}</h3>
              <AlertResults rows={data.other} />
            </>
          )}
        </>
      )}
    </Card>
  );
};

type ComparedProps = { from: string; same: readonly AlertRow[]; other: readonly AlertRow[] };

/** The alerts that people answered meanwhile, filled where they did as the rule would have. */
const Compared = ({ from, same, other }: ComparedProps) => {
  const rows = [...same, ...other.map((row) => ({ ...row, isOther: true }))];
  const words = translate('People answered {all} of these; {same} as the rule would have.', {
    all: countText(rows.length),
    same: countText(same.length),
  });
  return (
    <>
      <p>{words}</p>
      <Dots {...{ from, rows, words }} />
    </>
  );
};
