import { useState } from 'preact/hooks';
import { type AlertRow, refundAlert } from '../app/operations.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText, sumsText } from '../parts/money.ts';
import { countWords } from '../parts/words.ts';
import { Said, toNotesDto } from './alert-refund.tsx';
import { ConfirmMany, expectConfirmed, type Result, Results, sendAll } from './bulk.tsx';
import { aboveLimits, type Limits, loadLimits } from './refund-limits.ts';

/** Types of alerts that nobody can answer, by a refund or otherwise. */
const canBeRefunded = ({ alert_type }: AlertRow): boolean => ['FRAUD', 'DISPUTE', 'CANCEL'].includes(alert_type);

const refundOne = async ({ alert_id }: AlertRow, words: ReturnType<typeof toNotesDto>): Promise<string> => {
  const { transaction } = await refundAlert({ params: { alert_id }, body: words });
  if (transaction.status === 'EXC') throw new Error(transaction.error_msg ?? 'The processor refused it.');
  const amount = amountText(transaction.amount, transaction.currency);
  return transaction.status === 'OK' ? `${amount} refunded` : `${amount} on its way`;
};

/** Refunds the payments of many alerts, and answers them with that. Each alert is refunded once, whoever asks how often. */
export const BulkRefund = ({ rows, done }: { rows: readonly AlertRow[]; done: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  if (!refundAlert.isAllowed()) return null;
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) done();
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>Refund {rows.length}</Button>
      {isOpen && <RefundDialog rows={rows} onClose={close} />}
    </>
  );
};

/** Why so many, or such ones, are to be confirmed by typing. Where nobody knows the limits, all are. */
const becauseOf = (alerts: readonly AlertRow[], limits: Limits | undefined): string | undefined => {
  if (!limits) return 'How much their sites let rules refund could not be read.';
  const dear = aboveLimits(alerts, limits).length;
  if (dear === 0) return undefined;
  return `${countWords(dear, 'alert')} ${dear === 1 ? 'is' : 'are'} above what the site lets its rules refund.`;
};

const RefundDialog = ({ rows, onClose }: { rows: readonly AlertRow[]; onClose: (isChanged: boolean) => void }) => {
  const [results, setResults] = useState<readonly Result[]>();
  const alerts = rows.filter(canBeRefunded);
  const limits = useLoad(alerts.map(({ alert_id }) => alert_id).join(), (signal) => loadLimits(alerts, signal));
  const send = async ({ count, ...words }: Record<string, string>) => {
    expectConfirmed({ alerts, because: becauseOf(alerts, limits.data) }, count);
    setResults((await sendAll(alerts, (alert) => refundOne(alert, toNotesDto(words)))).results);
  };
  return (
    <Dialog title={`Refund ${countWords(alerts.length, 'alert')}`} onClose={() => onClose(results !== undefined)}>
      {results && <Results done={results} what="refunded" onClose={() => onClose(true)} />}
      {!results && limits.isLoading && <Waiting rows={3} />}
      {!results && !limits.isLoading && (
        <Form onSend={send} send={`Refund ${alerts.length}`} look="danger" isDisabled={alerts.length === 0}>
          {() => (
            <>
              <Preview alerts={alerts} left={rows.length - alerts.length} />
              <Said isMany />
              <ConfirmMany alerts={alerts} because={becauseOf(alerts, limits.data)} />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
};

/** What would be refunded, and what is left out and why. */
const Preview = ({ alerts, left }: { alerts: readonly AlertRow[]; left: number }) => {
  return (
    <>
      <p>
        At most {sumsText(alerts)} in total: of each payment the disputed amount, or what is left of it. Each alert is
        answered with its refund. Refunds cannot be undone.
      </p>
      <p class="small quiet">Alerts for which you have no payment are refused one by one, and stay open.</p>
      {left > 0 && (
        <p class="small quiet">
          {countWords(left, 'alert')} left out: {left === 1 ? 'its type' : 'their types'} cannot be answered.
        </p>
      )}
    </>
  );
};
