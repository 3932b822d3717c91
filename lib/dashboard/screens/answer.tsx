import { useState } from 'preact/hooks';
import { type AlertRow, answerAlert, listReasonCodes, type ReasonCode } from '../app/operations.ts';
import { ServiceError } from '../app/transport.ts';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, sumByCurrency } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { counted } from '../parts/words.ts';

type Answerable = Pick<AlertRow, 'alert_id' | 'amount' | 'currency' | 'provider'>;
type Result = { id: number; outcome: 'done' | 'refused' | 'left'; words: string };

const outcomes = [
  { value: 'RESOLVED', label: 'Resolved' },
  { value: 'DECLINED', label: 'Declined' },
  { value: 'WIP', label: 'In progress' },
] as const;

const outcomeOf = (text: string): Outcome => outcomes.find(({ value }) => value === text)?.value ?? 'RESOLVED';

const results = { '001': 'refunded', '002': 'not refunded', '003': 'not settled' } as const;
const resultWords = (code: string): string => results[code.slice(4) as keyof typeof results] ?? '';

/** The codes that every one of several alerts takes: those of different networks differ. */
const sharedCodes = async (alerts: readonly Answerable[], signal: AbortSignal): Promise<readonly ReasonCode[]> => {
  const providers = [...new Set(alerts.map(({ provider }) => provider))];
  const lists = await Promise.all(
    providers.map(async (provider) => (await listReasonCodes({ body: { provider }, signal })).list),
  );
  const [first = [], ...others] = lists;
  return first.filter(({ reason_code }) => others.every((list) => list.some((one) => one.reason_code === reason_code)));
};

/** More than these are confirmed by typing how many. */
const mostUnconfirmed = 20;

type DialogProps = { alerts: readonly Answerable[]; onClose: (isChanged: boolean) => void };

/** Answers alerts: what with, what that comes to, and then what came of each. */
export const AnswerDialog = ({ alerts, onClose }: DialogProps) => {
  const [done, setDone] = useState<readonly Result[]>();
  const title =
    alerts.length === 1 ? `Answer alert ${alerts[0]?.alert_id}` : `Answer ${counted(alerts.length, 'alert')}`;
  return (
    <Dialog title={title} onClose={() => onClose(done !== undefined)}>
      {done ? (
        <Results {...{ done }} onClose={() => onClose(true)} />
      ) : (
        <AnswerForm {...{ alerts }} onDone={(all) => (isPlainSuccess(all) ? onClose(true) : setDone(all))} />
      )}
    </Dialog>
  );
};

const isPlainSuccess = (all: readonly Result[]): boolean => all.length === 1 && all[0]?.outcome === 'done';

const AnswerForm = ({
  alerts,
  onDone,
}: {
  alerts: readonly Answerable[];
  onDone: (all: readonly Result[]) => void;
}) => {
  const [outcome, setOutcome] = useState<Outcome>('RESOLVED');
  const [chosen, setChosen] = useState('');
  const ids = alerts.map(({ alert_id }) => alert_id).join();
  const { data: codes, error, reload } = useLoad(ids, (signal) => sharedCodes(alerts, signal));
  if (!codes) return <Trouble error={error} onRetry={reload} />;
  const offered = codes.filter((code) => code.outcome === outcome);
  const code = offered.find(({ reason_code }) => reason_code === chosen) ?? offered[0];
  const sums = sumByCurrency(alerts);
  const send = async ({ count, ...fields }: Record<string, string>) => {
    if (!code) throw new Error('No reason code fits all of these alerts: answer those of each network by themselves.');
    if (alerts.length > mostUnconfirmed && count !== String(alerts.length)) {
      throw new Error(`Type ${alerts.length} to confirm that you mean all of them.`);
    }
    const all = await answerAll(alerts, { outcome, code, fields });
    if (alerts.length === 1 && all.error) throw all.error;
    onDone(all.results);
  };
  return (
    <Form onSend={send} send={alerts.length === 1 ? 'Send the answer' : `Answer ${alerts.length}`}>
      {(problems) => (
        <>
          <p>
            {alerts.length > 1 && `${counted(alerts.length, 'alert')}, `}
            {sums.map(({ amount, currency }) => amountText(amount, currency)).join(' and ')} in all. A resolved or
            declined alert cannot be answered again.
          </p>
          <Select
            label="Outcome"
            choices={outcomes}
            value={outcome}
            onChange={(event) => setOutcome(outcomeOf(event.currentTarget.value))}
          />
          <Select
            label="Reason"
            choices={offered.map(({ reason_code, meaning }) => ({
              value: reason_code,
              label: `${reason_code} ${meaning} (${resultWords(reason_code)})`,
            }))}
            value={code?.reason_code ?? ''}
            onChange={(event) => setChosen(event.currentTarget.value)}
            problem={problems['reason_code']}
          />
          {code && <Particulars {...{ code, problems }} isOne={alerts.length === 1} alert={alerts[0]} />}
          {alerts.length > mostUnconfirmed && (
            <Field label={`Type ${alerts.length} to confirm`} name="count" inputMode="numeric" required />
          )}
        </>
      )}
    </Form>
  );
};

type ParticularsProps = {
  code: ReasonCode;
  problems: Readonly<Record<string, string>>;
  isOne: boolean;
  alert: Answerable | undefined;
};

/** What a code needs besides, and what may be said with any. */
const Particulars = ({ code, problems, isOne, alert }: ParticularsProps) => (
  <>
    {code.needs.includes('alert_outcome_amount') && isOne && (
      <Field
        label={`Amount refunded, in ${alert?.currency}`}
        name="alert_outcome_amount"
        inputMode="decimal"
        required
        problem={problems['alert_outcome_amount']}
      />
    )}
    {code.needs.includes('duplicate_alertid') && (
      <Field
        label="Number of the alert that this one repeats"
        name="duplicate_alertid"
        inputMode="numeric"
        required
        problem={problems['tx_details.0.duplicate_alertid']}
      />
    )}
    <LongField
      label={code.needs.includes('comments') ? 'Why nothing is refunded' : 'Comment for the network (optional)'}
      name="comments"
      maxLength={2000}
      required={code.needs.includes('comments')}
      problem={problems['comments']}
    />
    <LongField label="Note for colleagues (optional)" name="merchant_notes" maxLength={5000} />
  </>
);

const atOnce = 5;

/** What the form says: the same for each alert. */
type Chosen = { outcome: Outcome; code: ReasonCode; fields: Readonly<Record<string, string>> };

/** Sends one answer for each alert, five at a time; stops where the service says that it is too much. */
const answerAll = async (alerts: readonly Answerable[], chosen: Chosen) => {
  const all: Result[] = [];
  let error: unknown;
  let isStopped = false;
  for (let from = 0; from < alerts.length; from += atOnce) {
    const some = alerts.slice(from, from + atOnce);
    const answered = await Promise.all(
      some.map(async (alert): Promise<Result> => {
        if (isStopped) return { id: alert.alert_id, outcome: 'left', words: 'Not sent' };
        try {
          await answerAlert({ params: { alert_id: alert.alert_id }, body: bodyOf(alert, chosen) });
          return { id: alert.alert_id, outcome: 'done', words: 'Answered' };
        } catch (thrown) {
          error = thrown;
          return { id: alert.alert_id, outcome: 'refused', words: wordsOf(thrown) };
        }
      }),
    );
    isStopped ||= error instanceof ServiceError && error.status === 429;
    all.push(...answered);
  }
  return { results: all, error };
};

type Body = NonNullable<Parameters<typeof answerAlert>[0]['body']>;
type Outcome = (typeof outcomes)[number]['value'];

const bodyOf = ({ currency }: Answerable, { outcome, code, fields }: Chosen): Body => {
  const { duplicate_alertid, alert_outcome_amount, comments, merchant_notes } = fields;
  return {
    status: outcome,
    reason_code: code.reason_code,
    ...(comments && { comments }),
    ...(merchant_notes && { merchant_notes }),
    ...(alert_outcome_amount && { alert_outcome_amount, alert_outcome_currency: currency }),
    ...(duplicate_alertid && { tx_details: [{ duplicate_alertid }] }),
  };
};

const wordsOf = (error: unknown): string =>
  error instanceof ServiceError ? [error.message, error.details].filter(Boolean).join(': ') : String(error);

const Results = ({ done, onClose }: { done: readonly Result[]; onClose: () => void }) => (
  <>
    <p>
      {counted(done.filter(({ outcome }) => outcome === 'done').length, 'alert')} answered,{' '}
      {done.filter(({ outcome }) => outcome !== 'done').length} not.
    </p>
    <table class="plain">
      <caption class="unseen">What came of each alert</caption>
      <thead>
        <tr>
          <th scope="col">Alert</th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      <tbody>
        {done.map(({ id, outcome, words }) => (
          <tr key={id}>
            <th scope="row">{id}</th>
            <td>{outcome === 'done' ? <Badge state="DELIVERED" label="Answered" /> : words}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <div class="buttons">
      <Button look="main" onPress={onClose}>
        Close
      </Button>
    </div>
  </>
);
