import { type AlertRow, findCharges, refundAlert } from '../app/operations.ts';
import { decide } from '../app/undo.tsx';
import { compose, translate, translateCount } from '../language/translate.ts';
import { CardNumber } from '../parts/card-number.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Waiting } from '../parts/waiting.tsx';
import { Said, toNotesDto } from './alert-refund.tsx';
import { ConfirmMany, expectConfirmed, sendDecided } from './bulk.tsx';
import { disputedText, plainRefund } from './plain-refund.ts';
import { reasonWords } from './reason-words.ts';
import { aboveLimits, type Limits, loadLimits } from './refund-limits.ts';

/** Checks whether an alert's type can be answered. */
const canBeRefunded = ({ alert_type }: AlertRow): boolean => ['FRAUD', 'DISPUTE', 'CANCEL'].includes(alert_type);

/** Names the charge of an alert that holds no payment; throws if none is certain. */
const chargeToRefund = async (alert: AlertRow): Promise<NonNullable<Parameters<typeof refundAlert>[0]['body']>> => {
  if (alert.held_txid !== null) return {};
  const refund = plainRefund(
    { alert, payment: undefined },
    await findCharges({ params: { alert_id: alert.alert_id } }),
  );
  if (!refund) throw new Error(translate('No certain charge was found.'));
  return refund.body;
};

const refundOne = async (alert: AlertRow, words: ReturnType<typeof toNotesDto>): Promise<string> => {
  const body = { ...(await chargeToRefund(alert)), ...words };
  const { transaction } = await refundAlert({ params: { alert_id: alert.alert_id }, body });
  if (transaction.status === 'EXC') throw new Error(transaction.error_msg ?? translate('The processor refused it.'));
  const amount = amountText(transaction.amount, transaction.currency);
  return transaction.status === 'OK'
    ? translate('{amount} refunded', { amount })
    : translate('{amount} on its way', { amount });
};

/** Returns why so many, or such alerts must be confirmed by typing. All are where the limits are not known. */
export const sayWhy = (alerts: readonly AlertRow[], limits: Limits | undefined): string | undefined => {
  if (!limits) return translate('How much their sites let rules refund could not be read.');
  const dear = aboveLimits(alerts, limits).length;
  if (dear === 0) return undefined;
  return translateCount(
    dear,
    '{count} alert is above what the site lets its rules refund.',
    '{count} alerts are above what the site lets its rules refund.',
  );
};

/** Refunds the payments of several alerts and answers them. Each alert is refunded once. */
export const BulkRefundDialog = ({
  rows,
  onClose,
}: {
  rows: readonly AlertRow[];
  onClose: (isChanged: boolean) => void;
}) => {
  const alerts = rows.filter(canBeRefunded);
  const limits = useLoad(alerts.map(({ alert_id }) => alert_id).join(), (signal) => loadLimits(alerts, signal));
  const send = ({ count, ...words }: Record<string, string>) => {
    expectConfirmed({ alerts, because: sayWhy(alerts, limits.data) }, count);
    decide({
      alerts: alerts.map(({ alert_id }) => alert_id),
      text: translateCount(
        alerts.length,
        'Refunding {count} alert, at most {amount}',
        'Refunding {count} alerts, at most {amount}',
        { amount: disputedText(alerts) },
      ),
      detail: translate('Then the networks are notified'),
      send: () => sendDecided(alerts, (alert) => refundOne(alert, toNotesDto(words)), 'refunded'),
    });
    onClose(true);
  };
  return (
    <Dialog
      title={translateCount(alerts.length, 'Refund {count} alert', 'Refund {count} alerts')}
      onClose={() => onClose(false)}
    >
      {limits.isLoading && <Waiting rows={3} />}
      {!limits.isLoading && (
        <Form
          onSend={send}
          send={translate('Refund {count}', { count: alerts.length })}
          look="danger"
          isDisabled={alerts.length === 0}
        >
          {() => (
            <>
              <Preview alerts={alerts} left={rows.length - alerts.length} />
              <Said isMany />
              <ConfirmMany alerts={alerts} because={sayWhy(alerts, limits.data)} />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
};

/** The consequence for each alert, and the alerts that are left out with the reason. */
const Preview = ({ alerts, left }: { alerts: readonly AlertRow[]; left: number }) => (
  <>
    <p>
      {translate(
        'At most {amount} in total: of each payment the disputed amount, or what is left of it. You can undo it for ten seconds.',
        { amount: disputedText(alerts) },
      )}
    </p>
    <ul class="each">
      {alerts.map((alert) => (
        <li key={alert.alert_id}>
          <span>
            {compose('{refund} to {card}', {
              refund: <b>{translate('Refund {amount}', { amount: disputedText([alert]) })}</b>,
              card: <CardNumber card={alert.card} />,
            })}
          </span>
          <span class="quiet small">
            {reasonWords(alert)}, {alert.site}.{' '}
            {alert.held_txid
              ? translate('Its payment is held for it.')
              : translate('Forewarn looks for the payment; without one, the alert stays open.')}
          </span>
        </li>
      ))}
    </ul>
    {left > 0 && (
      <p class="small quiet">
        {translateCount(
          left,
          '{count} alert left out: its type cannot be answered.',
          '{count} alerts left out: their types cannot be answered.',
        )}
      </p>
    )}
  </>
);
