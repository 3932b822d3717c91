import { useState } from 'preact/hooks';
import { type AlertRow, answerAlert, listReasonCodes, type ReasonCode } from '../app/operations.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { sumsText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { countWords } from '../parts/words.ts';
import { resultWords } from './answer-words.ts';
import { ConfirmMany, expectConfirmed, type Result, Results, sendAll } from './bulk.tsx';

type Answerable = Pick<AlertRow, 'alert_id' | 'sid' | 'amount' | 'currency' | 'provider'>;

const outcomes = [
  { value: 'RESOLVED', label: 'Resolved' },
  { value: 'DECLINED', label: 'Declined' },
  { value: 'WIP', label: 'In progress' },
] as const;

const outcomeOf = (text: string): Outcome => outcomes.find(({ value }) => value === text)?.value ?? 'RESOLVED';

/** The codes that every one of several alerts takes: those of different networks differ. */
const sharedCodes = async (alerts: readonly Answerable[], signal: AbortSignal): Promise<readonly ReasonCode[]> => {
  const providers = [...new Set(alerts.map(({ provider }) => provider))];
  const lists = await Promise.all(
    providers.map(async (provider) => (await listReasonCodes({ body: { provider }, signal })).list),
  );
  const [first = [], ...others] = lists;
  return first.filter(({ reason_code }) => others.every((list) => list.some((one) => one.reason_code === reason_code)));
};

type DialogProps = { alerts: readonly Answerable[]; onClose: (isChanged: boolean) => void };

/** Answers alerts: what with, what that comes to, and then what came of each. */
export const AnswerDialog = ({ alerts, onClose }: DialogProps) => {
  const [done, setDone] = useState<readonly Result[]>();
  const title =
    alerts.length === 1 ? `Answer alert ${alerts[0]?.alert_id}` : `Answer ${countWords(alerts.length, 'alert')}`;
  return (
    <Dialog title={title} onClose={() => onClose(done !== undefined)}>
      {done ? (
        <Results done={done} what="answered" onClose={() => onClose(true)} />
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
  const send = async ({ count, ...fields }: Record<string, string>) => {
    if (!code) throw new Error('No reason code fits all of these alerts: answer those of each network separately.');
    expectConfirmed({ alerts }, count);
    const all = await sendAll(alerts, async (alert) => {
      await answerAlert({ params: { alert_id: alert.alert_id }, body: bodyOf(alert, { outcome, code, fields }) });
      return 'Answered';
    });
    if (alerts.length === 1 && all.error) throw all.error;
    onDone(all.results);
  };
  return (
    <Form onSend={send} send={alerts.length === 1 ? 'Send the answer' : `Answer ${alerts.length}`}>
      {(problems) => (
        <>
          <p>
            {alerts.length > 1 && `${countWords(alerts.length, 'alert')} about `}
            {sumsText(alerts)}
            {alerts.length > 1 && ' in total'}. An alert that is resolved or declined cannot be answered again.
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
          <ConfirmMany alerts={alerts} />
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
      label={code.needs.includes('comments') ? 'Why nothing was refunded' : 'Comment for the network (optional)'}
      name="comments"
      maxLength={2000}
      required={code.needs.includes('comments')}
      problem={problems['comments']}
    />
    <LongField label="Note for colleagues (optional)" name="merchant_notes" maxLength={5000} />
  </>
);

/** What the form says: the same for each alert. */
type Chosen = { outcome: Outcome; code: ReasonCode; fields: Readonly<Record<string, string>> };

type Body = NonNullable<Parameters<typeof answerAlert>[0]['body']>;
type Outcome = (typeof outcomes)[number]['value'];

const bodyOf = ({ sid, currency }: Answerable, { outcome, code, fields }: Chosen): Body => {
  const { duplicate_alertid, alert_outcome_amount, comments, merchant_notes } = fields;
  return {
    status: outcome,
    reason_code: code.reason_code,
    ...(sid !== null && { sid }),
    ...(comments && { comments }),
    ...(merchant_notes && { merchant_notes }),
    ...(alert_outcome_amount && { alert_outcome_amount, alert_outcome_currency: currency }),
    ...(duplicate_alertid && { tx_details: [{ duplicate_alertid }] }),
  };
};
