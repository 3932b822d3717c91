import { useState } from 'preact/hooks';
import { link } from '../app/address.ts';
import { type AlertDto, type ChargeFound, findCharges, refundAlert } from '../app/operations.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { matchText } from '../parts/match-words.ts';
import { amountText, isAbove } from '../parts/money.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { countWords } from '../parts/words.ts';
import { Said, sayRefunded, toNotesDto } from './alert-refund.tsx';

type ChargesProps = { alert: AlertDto; onChanged: () => void };

/** Where the charge is that an alert is about: asked of the merchant's own processors when somebody wants to know. */
export const Charges = ({ alert, onChanged }: ChargesProps) => {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isLoading, reload } = useLoad(isAsked ? `charges ${alert.alert_id}` : null, (signal) =>
    findCharges({ params: { alert_id: alert.alert_id }, signal }),
  );
  const look = () => (isAsked ? reload() : setAsked(true));
  return (
    <Card
      title="Where the charge is"
      actions={
        <Button onPress={look} isBusy={isAsked && isLoading}>
          {data ? 'Look again' : 'Look for it'}
        </Button>
      }
    >
      {!isAsked && <p class="quiet">Looks for it among the payments taken here and at your own processors.</p>}
      <Trouble error={error} onRetry={reload} />
      {isAsked && isLoading && !data && <Waiting rows={2} />}
      {data && <Found found={data} alert={alert} onChanged={onChanged} />}
    </Card>
  );
};

const Found = ({ found, ...shown }: ChargesProps & { found: Awaited<ReturnType<typeof findCharges>> }) => {
  const others = found.transactions.filter(({ matches }) => !matches);
  return (
    <>
      <p>{matchWords[found.match]}</p>
      <List charges={found.transactions.filter(({ matches }) => matches)} {...shown} />
      {others.length > 0 && (
        <details>
          <summary>{countWords(others.length, 'other charge')} of this card</summary>
          <List charges={others} {...shown} />
        </details>
      )}
      {found.unasked.map(({ connection, label, kind, msg }) => (
        <p key={connection} class="note warn">
          <span>
            {label || stateWords(kind)} could not be asked: {msg}
          </span>
        </p>
      ))}
    </>
  );
};

const matchWords = {
  none: 'No charge that was found matches the alert.',
  one: 'This is the charge:',
  many: 'Several charges match: compare them before you refund one.',
  uncertain: 'No charge is certain enough to be refunded automatically. The most likely one comes first.',
} as const;

const List = ({ charges, ...shown }: ChargesProps & { charges: readonly ChargeFound[] }) =>
  charges.length === 0 ? null : (
    <ul class="charges">
      {charges.map((charge) => (
        <li key={`${charge.connection} ${charge.reference}`}>
          <Charge charge={charge} {...shown} />
        </li>
      ))}
    </ul>
  );

/** Whether any of a charge may still go back for this alert. */
const canGoBack = ({ refundable, charged_back }: ChargeFound): boolean =>
  !charged_back && refundable !== null && isAbove(refundable, '0');

const leftWords = ({ refundable, currency, charged_back }: ChargeFound): string => {
  if (charged_back) return 'It was charged back.';
  if (refundable === null) return 'The card has refunds that may belong to this charge or to another.';
  return isAbove(refundable, '0')
    ? `${amountText(refundable, currency)} can be refunded.`
    : 'All of it has been refunded.';
};

const Charge = ({ charge, alert, onChanged }: ChargesProps & { charge: ChargeFound }) => {
  const { kind, txid, reference, date, amount, currency, matches, evidence } = charge;
  const isPossible = canGoBack(charge) && refundAlert.isAllowed() && ['OPEN', 'WIP', 'OTHER'].includes(alert.status);
  const [isOpen, setOpen] = useState(false);
  const close = (isChanged: boolean) => {
    setOpen(false);
    if (isChanged) onChanged();
  };
  return (
    <>
      <div>
        <p>
          <strong>{amountText(amount, currency)}</strong>, <Time at={date} />{' '}
          {matches && <Badge state="MATCH" tone="good" label="Fits the alert" />}
        </p>
        <p class="small quiet">
          {kind === 'forewarn' ? 'Taken here' : stateWords(kind)},{' '}
          {txid === null ? <span class="code">{reference}</span> : <a href={link(`/payments/${txid}`)}>{txid}</a>}.{' '}
          {leftWords(charge)}
        </p>
        {evidence && <p class="small quiet">{matchText(evidence)}</p>}
      </div>
      {isPossible && (
        <Button aria-label={`Refund ${txid ?? reference}`} onPress={() => setOpen(true)}>
          Refund
        </Button>
      )}
      {isOpen && <ChargeRefundDialog {...{ charge, alert }} onClose={close} />}
    </>
  );
};

type DialogProps = { charge: ChargeFound; alert: AlertDto; onClose: (isChanged: boolean) => void };

/** Refunds a charge where it was made, and answers the alert with that. What has not settled goes back as a whole. */
const ChargeRefundDialog = ({ charge, alert, onClose }: DialogProps) => {
  const { connection, reference, txid, currency, settled, refundable } = charge;
  const most = refundable ?? '0';
  const wanted = isAbove(most, alert.amount) && alert.currency === currency ? alert.amount : most;
  const send = async ({ amount, ...words }: Record<string, string>) => {
    const where = connection === null ? { ...(txid && { txid }) } : { connection, reference };
    const { transaction } = await refundAlert({
      params: { alert_id: alert.alert_id },
      body: { ...where, ...(settled && amount && { amount, currency }), ...toNotesDto(words) },
    });
    sayRefunded(transaction);
    onClose(true);
  };
  return (
    <Dialog title={`Refund ${txid ?? reference}`} onClose={() => onClose(false)}>
      <Form onSend={send} send="Refund and answer" look="danger">
        {(problems) => (
          <>
            <p>
              {settled
                ? `Up to ${amountText(most, currency)} can be refunded.`
                : 'It has not settled, so all of it is refunded.'}{' '}
              The refund answers alert {alert.alert_id}, and it cannot be undone.
            </p>
            {settled && (
              <Field
                label={`Amount in ${currency}`}
                name="amount"
                inputMode="decimal"
                required
                defaultValue={wanted}
                problem={problems['amount']}
              />
            )}
            <Said />
          </>
        )}
      </Form>
    </Dialog>
  );
};
