import { useState } from 'preact/hooks';
import { type AlertRow, answerAlert, listReasonCodes, type ReasonCode } from '../app/operations.ts';
import { decide } from '../app/undo.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Field, LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { resultWords, statesRefund } from './answer-words.ts';
import { ConfirmMany, expectConfirmed, sendDecided } from './bulk.tsx';
import { disputedText } from './plain-refund.ts';

type Answerable = Pick<AlertRow, 'alert_id' | 'sid' | 'amount' | 'currency' | 'provider'> &
  Partial<Pick<AlertRow, 'dispute_amount' | 'dispute_currency'>>;

const outcomes = [
  { value: 'RESOLVED', label: translate('Resolved') },
  { value: 'DECLINED', label: translate('Declined') },
  { value: 'WIP', label: translate('In progress') },
  { value: 'ELSEWHERE', label: translate('Already refunded elsewhere…') },
] as const;
type Outcome = (typeof outcomes)[number]['value'];

const pickOutcome = (text: string): Outcome | undefined => outcomes.find(({ value }) => value === text)?.value;

/** Nothing is preset: an answer that was only confirmed would reach the network as the user's. */
const unchosen = { value: '', label: translate('Choose') };

const offeredFor = (codes: readonly ReasonCode[], outcome: Outcome | undefined): readonly ReasonCode[] =>
  codes.filter((code) => (outcome === 'ELSEWHERE' ? statesRefund(code.reason_code) : code.outcome === outcome));

type SharedCodes = { codes: readonly ReasonCode[]; since: string | null };

/** The codes that every one of several alerts takes: those of different networks differ. */
const sharedCodes = async (alerts: readonly Answerable[], signal: AbortSignal): Promise<SharedCodes> => {
  const providers = [...new Set(alerts.map(({ provider }) => provider))];
  const replies = await Promise.all(providers.map((provider) => listReasonCodes({ body: { provider }, signal })));
  const [first = [], ...others] = replies.map(({ list }) => list);
  const since = new Set(replies.map(({ in_force_since }) => in_force_since));
  return {
    codes: first.filter(({ reason_code }) =>
      others.every((list) => list.some((one) => one.reason_code === reason_code)),
    ),
    since: since.size === 1 ? (replies[0]?.in_force_since ?? null) : null,
  };
};

/** A proposed answer: its outcome, fitting codes with the best first, and an initial comment. */
export type Preset = { outcome: Outcome; codes?: readonly string[]; comments?: string };

type DialogProps = {
  alerts: readonly Answerable[];
  preset?: Preset;
  /** `isDecided`: whether an answer is pending. */
  onClose: (isDecided: boolean) => void;
};

const titleBy =
  (one: (amount: string) => string, many: (count: number) => string) =>
  (alerts: readonly Answerable[]): string => {
    const [first] = alerts;
    return first && alerts.length === 1 ? one(amountText(first.amount, first.currency)) : many(alerts.length);
  };
const answerTitle = titleBy(
  (amount) => translate('Answer the alert about {amount}', { amount }),
  (count) => translateCount(count, 'Answer {count} alert', 'Answer {count} alerts'),
);
const titles: Readonly<Record<Outcome, (alerts: readonly Answerable[]) => string>> = {
  RESOLVED: answerTitle,
  DECLINED: titleBy(
    (amount) => translate('Decline {amount}', { amount }),
    (count) => translateCount(count, 'Decline {count} alert', 'Decline {count} alerts'),
  ),
  WIP: answerTitle,
  ELSEWHERE: titleBy(
    (amount) => translate('Already refunded: {amount}', { amount }),
    (count) => translateCount(count, 'Already refunded: {count} alert', 'Already refunded: {count} alerts'),
  ),
};

/** Answers alerts. An answer can be undone for ten seconds before it is sent. */
export const AnswerDialog = ({ alerts, preset, onClose }: DialogProps) => {
  const title = titles[preset?.outcome ?? 'RESOLVED'](alerts);
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <AnswerForm {...{ alerts, preset }} onDone={() => onClose(true)} />
    </Dialog>
  );
};

const isCode =
  (wanted: string | undefined) =>
  ({ reason_code }: ReasonCode): boolean =>
    reason_code === wanted;

/**
 * Checks whether the answer states a refund for whose date the sender vouches: of many alerts, no record is looked at first. A duplicate
 * names the alert that was refunded.
 */
const isVouchedFor = ({ reason_code }: ReasonCode, outcome: Outcome | undefined, count: number): boolean =>
  statesRefund(reason_code) && (outcome === 'ELSEWHERE' || (count > 1 && !reason_code.startsWith('940.')));

type FormProps = Pick<DialogProps, 'alerts'> & { preset: Preset | undefined; onDone: () => void };

const decidedTexts: Readonly<Record<Outcome, (what: string) => string>> = {
  RESOLVED: (what) => translate('Resolving {what}', { what }),
  DECLINED: (what) => translate('Declining {what}', { what }),
  WIP: (what) => translate('Marking as in progress: {what}', { what }),
  ELSEWHERE: (what) => translate('Reporting as refunded: {what}', { what }),
};
/** `3 alerts, $120.00`; the amount alone for one alert. */
const whatText = (alerts: readonly Answerable[]): string =>
  alerts.length > 1
    ? translateCount(alerts.length, '{count} alert, {amount}', '{count} alerts, {amount}', {
        amount: disputedText(alerts),
      })
    : disputedText(alerts);

/** Sends an answer for each alert after the time to undo has passed. */
const decideAnswer = (alerts: readonly Answerable[], chosen: Chosen): void =>
  decide({
    alerts: alerts.map(({ alert_id }) => alert_id),
    text: decidedTexts[chosen.outcome](whatText(alerts)),
    detail: translate('Then the network is told “{meaning}”', { meaning: chosen.code.meaning }),
    send: () =>
      sendDecided(
        alerts,
        async (alert) => {
          await answerAlert({ params: { alert_id: alert.alert_id }, body: answerBody(alert, chosen) });
          return translate('Answered');
        },
        'answered',
      ),
  });

/** Of several codes that need nothing else, the one that states an earlier refund comes first. */
const isEarlierRefund = ({ reason_code }: ReasonCode): boolean => reason_code.startsWith('951');

/**
 * The best of the proposed codes that the network takes. For a refund that was made elsewhere, which its date and reference explain, it is found among
 * those that need nothing else.
 */
const proposedCode = (preset: Preset | undefined, offered: readonly ReasonCode[]): string | undefined => {
  const proposed = preset?.codes?.find((one) => offered.some(isCode(one)));
  if (proposed !== undefined || preset?.outcome !== 'ELSEWHERE') return proposed;
  const plain = offered.filter(({ needs }) => needs.length === 0);
  return (plain.find(isEarlierRefund) ?? plain[0])?.reason_code;
};

const AnswerForm = ({ alerts, preset, onDone }: FormProps) => {
  const [outcome, setOutcome] = useState<Outcome | undefined>(preset?.outcome);
  const [chosen, setChosen] = useState<string>();
  const ids = alerts.map(({ alert_id }) => alert_id).join();
  const { data: shared, error, reload } = useLoad(ids, (signal) => sharedCodes(alerts, signal));
  if (!shared) return <Trouble error={error} onRetry={reload} />;
  const offered = offeredFor(shared.codes, outcome);
  const proposed = outcome === preset?.outcome ? proposedCode(preset, offered) : undefined;
  const code = offered.find(isCode(chosen ?? proposed));
  const isElsewhere = code !== undefined && isVouchedFor(code, outcome, alerts.length);
  const send = ({ count, ...fields }: Record<string, string>) => {
    if (!code || !outcome)
      throw new Error(translate('No reason code fits all of these alerts: answer those of each network separately.'));
    expectConfirmed({ alerts }, count);
    decideAnswer(alerts, { outcome, code, fields });
    onDone();
  };
  return (
    <Form
      onSend={send}
      send={alerts.length === 1 ? translate('Send the answer') : translate('Answer {count}', { count: alerts.length })}
    >
      {(problems) => (
        <>
          <Consequence alerts={alerts} />
          {isElsewhere && <Elsewhere isOne={alerts.length === 1} problems={problems} />}
          {!preset && <OutcomeChoice value={outcome} onChoose={setOutcome} />}
          <ReasonChoice
            {...{ offered, problems }}
            since={shared.since}
            value={code?.reason_code ?? ''}
            onChoose={setChosen}
          />
          {code && (
            <Particulars
              {...{ code, problems }}
              comments={preset?.comments ?? ''}
              isOne={alerts.length === 1}
              alert={alerts[0]}
            />
          )}
          <ConfirmMany alerts={alerts} />
        </>
      )}
    </Form>
  );
};

type OutcomeChoiceProps = { value: Outcome | undefined; onChoose: (outcome: Outcome | undefined) => void };

const OutcomeChoice = ({ value, onChoose }: OutcomeChoiceProps) => (
  <Select
    label={translate('Outcome')}
    choices={[unchosen, ...outcomes]}
    value={value ?? ''}
    required
    onChange={(event) => onChoose(pickOutcome(event.currentTarget.value))}
  />
);

type ReasonChoiceProps = {
  offered: readonly ReasonCode[];
  since: string | null;
  value: string;
  problems: Readonly<Record<string, string>>;
  onChoose: (code: string) => void;
};

const ReasonChoice = ({ offered, since, value, problems, onChoose }: ReasonChoiceProps) => (
  <Select
    label={translate('Reason')}
    choices={[
      unchosen,
      ...offered.map(({ reason_code, meaning }) => ({
        value: reason_code,
        label: `${reason_code} ${meaning} (${resultWords(reason_code)})`,
      })),
    ]}
    value={value}
    required
    onChange={(event) => onChoose(event.currentTarget.value)}
    hint={since === null ? '' : translate('Codes of the network, in force since {day}.', { day: since })}
    problem={problems['reason_code']}
  />
);

const Consequence = ({ alerts }: Pick<DialogProps, 'alerts'>) => (
  <p>
    {alerts.length > 1
      ? translateCount(
          alerts.length,
          '{count} alert about {amount} in total. You can undo the answer for ten seconds; after that, an alert that is resolved or declined cannot be answered again.',
          '{count} alerts about {amount} in total. You can undo the answer for ten seconds; after that, an alert that is resolved or declined cannot be answered again.',
          { amount: disputedText(alerts) },
        )
      : translate(
          '{amount}. You can undo the answer for ten seconds; after that, an alert that is resolved or declined cannot be answered again.',
          { amount: disputedText(alerts) },
        )}
  </p>
);

/** The fields of a refund that Forewarn did not make. */
const Elsewhere = ({ isOne, problems }: Pick<ParticularsProps, 'isOne' | 'problems'>) => (
  <>
    <Field
      label={isOne ? translate('Refunded on') : translate('Refunded on, for all of them')}
      hint={translate('The network is told this date, and the refund is shown as reported by you.')}
      name="refunded_on"
      type="date"
      required
      problem={problems['refunded_elsewhere.date']}
    />
    {isOne && (
      <Field
        label={translate('Reference of the refund (optional)')}
        name="refund_reference"
        maxLength={100}
        problem={problems['refunded_elsewhere.reference']}
      />
    )}
  </>
);

type ParticularsProps = {
  code: ReasonCode;
  problems: Readonly<Record<string, string>>;
  isOne: boolean;
  alert: Answerable | undefined;
  comments: string;
};

/** The additional fields of a code, and the notes. */
const Particulars = ({ code, problems, isOne, alert, comments }: ParticularsProps) => (
  <>
    {code.needs.includes('alert_outcome_amount') && isOne && (
      <Field
        label={translate('Amount refunded, in {currency}', { currency: alert?.currency ?? '' })}
        name="alert_outcome_amount"
        inputMode="decimal"
        required
        problem={problems['alert_outcome_amount']}
      />
    )}
    {code.needs.includes('duplicate_alertid') && (
      <Field
        label={translate('Number of the alert that this one repeats')}
        name="duplicate_alertid"
        inputMode="numeric"
        required
        problem={problems['tx_details.0.duplicate_alertid']}
      />
    )}
    <LongField
      label={
        code.outcome === 'DECLINED'
          ? code.needs.includes('comments')
            ? translate('Evidence, in words for the network')
            : translate('Evidence, in words for the network (optional)')
          : code.needs.includes('comments')
            ? translate('Why nothing was refunded')
            : translate('Comment for the network (optional)')
      }
      name="comments"
      maxLength={2000}
      defaultValue={comments}
      required={code.needs.includes('comments')}
      problem={problems['comments']}
    />
    <LongField label={translate('Note for colleagues (optional)')} name="merchant_notes" maxLength={5000} />
  </>
);

/** The values of the form: the same for each alert. */
type Chosen = { outcome: Outcome; code: ReasonCode; fields: Readonly<Record<string, string>> };

type Body = NonNullable<Parameters<typeof answerAlert>[0]['body']>;

const answerBody = ({ sid, currency }: Answerable, { outcome, code, fields }: Chosen): Body => {
  const { duplicate_alertid, alert_outcome_amount, comments, merchant_notes, refunded_on, refund_reference } = fields;
  return {
    status: outcome === 'ELSEWHERE' ? code.outcome : outcome,
    reason_code: code.reason_code,
    ...(sid !== null && { sid }),
    ...(comments && { comments }),
    ...(merchant_notes && { merchant_notes }),
    ...(alert_outcome_amount && { alert_outcome_amount, alert_outcome_currency: currency }),
    ...(refunded_on && {
      refunded_elsewhere: { date: refunded_on, ...(refund_reference && { reference: refund_reference }) },
    }),
    ...(duplicate_alertid && { tx_details: [{ duplicate_alertid }] }),
  };
};
