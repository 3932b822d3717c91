import { serviceNow } from '../app/clock.ts';
import { type AlertRow, answerAlert, listReasonCodes, refundAlert } from '../app/operations.ts';
import { decide } from '../app/undo.tsx';
import { compose, translate, translateCount } from '../language/translate.ts';
import { CardNumber } from '../parts/card-number.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { readAdvised } from './alert-facts.ts';
import { ConfirmMany, expectConfirmed, sendDecided } from './bulk.tsx';
import { sayWhy } from './bulk-refund.tsx';
import { disputedText, refundedText } from './plain-refund.ts';
import { reasonWords } from './reason-words.ts';
import { type Planned, planAnswer } from './recommended-answers.ts';
import { type Limits, loadLimits } from './refund-limits.ts';

type PlannedRow = { row: AlertRow; planned: Planned };
type Plans = { rows: readonly PlannedRow[]; limits: Limits };

const readAtOnce = 4;

/** Reads what is recommended for each alert, now: what was recommended when the row was drawn may have changed. */
const readPlans = async (rows: readonly AlertRow[], signal: AbortSignal): Promise<Plans> => {
  const providers = [...new Set(rows.map(({ provider }) => provider))];
  const replies = await Promise.all(providers.map((provider) => listReasonCodes({ body: { provider }, signal })));
  const codesOf = ({ provider }: AlertRow) => replies[providers.indexOf(provider)]?.list ?? [];
  const planned: PlannedRow[] = [];
  for (let from = 0; from < rows.length && !signal.aborted; from += readAtOnce) {
    const some = rows.slice(from, from + readAtOnce).map(async (row) => ({
      row,
      planned: await readAdvised(String(row.alert_id), true).then(
        (advised) => planAnswer(advised, codesOf(row), serviceNow()),
        (): Planned => ({ kind: 'left', why: translate('It could not be read.') }),
      ),
    }));
    planned.push(...(await Promise.all(some)));
  }
  const refunds = planned.flatMap((one) => (one.planned.kind === 'refund' ? [one.row] : []));
  return { rows: planned, limits: await loadLimits(refunds, signal) };
};

const sendPlanned = async ({ row: { alert_id, sid }, planned }: PlannedRow): Promise<string> => {
  if (planned.kind === 'refund') {
    return refundedText((await refundAlert({ params: { alert_id }, body: planned.refund.body })).transaction);
  }
  if (planned.kind === 'left') throw new Error(planned.why);
  const { code, comments } = planned;
  const body = { status: 'DECLINED' as const, reason_code: code.reason_code, ...(comments && { comments }) };
  await answerAlert({ params: { alert_id }, body: { ...body, ...(sid !== null && { sid }) } });
  return translate('Declined');
};

const isDone = ({ planned }: PlannedRow): boolean =>
  planned.kind === 'decline' || (planned.kind === 'refund' && refundAlert.isAllowed());

/** Says for each alert what will happen and why, then does all of it after the time to undo. */
export const ApplyDialog = ({
  rows,
  onClose,
}: {
  rows: readonly AlertRow[];
  onClose: (isDecided: boolean) => void;
}) => {
  const { data, error, reload } = useLoad(rows.map(({ alert_id }) => alert_id).join(), (signal) =>
    readPlans(rows, signal),
  );
  return (
    <Dialog title={translate('Apply what is recommended')} onClose={() => onClose(false)} isWide>
      <Trouble error={error} onRetry={reload} />
      {data ? <Apply plans={data} onClose={onClose} /> : !error && <Waiting rows={4} />}
    </Dialog>
  );
};

const Apply = ({ plans, onClose }: { plans: Plans; onClose: (isDecided: boolean) => void }) => {
  const done = plans.rows.filter(isDone);
  const left = plans.rows.filter((one) => !isDone(one));
  const alerts = done.map(({ row }) => row);
  const refunds = done.flatMap(({ row, planned }) =>
    planned.kind === 'refund' ? [{ ...row, amount: planned.refund.amount, currency: planned.refund.currency }] : [],
  );
  const because = refunds.length > 0 ? sayWhy(refunds, plans.limits) : undefined;
  const send = ({ count }: Record<string, string>) => {
    expectConfirmed({ alerts, because }, count);
    const byId = new Map(done.map((one) => [one.row.alert_id, one]));
    decide({
      alerts: alerts.map(({ alert_id }) => alert_id),
      text: doneText(refunds.length, done.length - refunds.length, disputedText(refunds)),
      detail: translate('Then the networks are notified'),
      send: () =>
        sendDecided(
          alerts,
          (alert) => {
            const one = byId.get(alert.alert_id);
            return one ? sendPlanned(one) : Promise.reject(new Error(translate('Not sent')));
          },
          'answered',
        ),
    });
    onClose(true);
  };
  return (
    <Form
      onSend={send}
      send={translateCount(done.length, 'Apply {count} recommendation', 'Apply {count} recommendations')}
      isDisabled={done.length === 0}
    >
      {() => (
        <>
          <p>{doneText(refunds.length, done.length - refunds.length, disputedText(refunds))}</p>
          <PlanList rows={done} />
          {left.length > 0 && (
            <>
              <h3>{translateCount(left.length, '{count} is left to you', '{count} are left to you')}</h3>
              <PlanList rows={left} />
            </>
          )}
          <ConfirmMany alerts={alerts} because={because} />
        </>
      )}
    </Form>
  );
};

const doneText = (refunds: number, declines: number, amount: string): string =>
  [
    refunds > 0 &&
      translateCount(refunds, 'Refund {count} alert, {amount}', 'Refund {count} alerts, {amount}', { amount }),
    declines > 0 && translateCount(declines, 'Decline {count} alert', 'Decline {count} alerts'),
  ]
    .filter(Boolean)
    .join('; ') || translate('Nothing is certain enough to be done at once.');

const plannedWords = ({ row, planned }: PlannedRow): string => {
  if (planned.kind === 'refund') {
    return translate('Refund {amount}', { amount: amountText(planned.refund.amount, planned.refund.currency) });
  }
  return planned.kind === 'decline'
    ? translate('Decline {amount}', { amount: disputedText([row]) })
    : translate('Leave {amount}', { amount: disputedText([row]) });
};

const PlanList = ({ rows }: { rows: readonly PlannedRow[] }) => (
  <ul class="each">
    {rows.map((one) => (
      <li key={one.row.alert_id}>
        <span>
          {compose('{what}, {card}', { what: <b>{plannedWords(one)}</b>, card: <CardNumber card={one.row.card} /> })}
        </span>
        <span class="quiet small">
          {reasonWords(one.row)}, {one.row.site}. {one.planned.why}
        </span>
      </li>
    ))}
  </ul>
);
