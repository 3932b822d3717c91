import { useState } from 'preact/hooks';
import type { setCreditOperation as SetCreditOperation } from '#disputes/costs/api/set-credit/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { isOperator } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { inSentence, translate } from '../language/translate.ts';
import { stateWords, type Tone } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { LongField, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type CreditReason, creditReasons } from './credit-words.ts';

export const setCredit = remote<typeof SetCreditOperation>({
  path: '/api/v3/service_alerts/alert/{alert_id}/credit',
  roles: ['analyst', 'manager'],
});
type Reply = ReplyOf<typeof SetCreditOperation>;
type State = Exclude<Reply['credit'], 'none'>;

export const creditTones: Readonly<Record<State, Tone>> = {
  claimable: 'act',
  claimed: 'warn',
  granted: 'good',
  refused: 'bad',
};

export const creditReasonChoices = Object.entries(creditReasons).map(([value, label]) => ({ value, label }));
const readReason = (text: string | undefined): CreditReason | undefined =>
  (Object.keys(creditReasons) as CreditReason[]).find((one) => one === text);

/** Returns the next states of a credit; merchants claim, operators record the result. */
const nextStates = (state: string): readonly State[] => {
  if (state === 'none') return ['claimed'];
  if (state === 'claimable') return ['claimed', ...(isOperator() ? (['granted', 'refused'] as const) : [])];
  if (state === 'claimed') return isOperator() ? ['granted', 'refused', 'claimable'] : ['claimable'];
  return isOperator() ? (['claimed', 'granted', 'refused'] as const).filter((one) => one !== state) : [];
};
const stateLabels: Readonly<Record<State, string>> = {
  claimed: translate('Claim it from the network'),
  claimable: translate('Withdraw the claim'),
  granted: translate('Granted'),
  refused: translate('Refused'),
};

type CreditProps = { alertId: number; state: string; reason: string | null; onDone: () => void };

/** Claims the price of an alert, or records the result. */
export const ChangeCredit = (props: CreditProps) => {
  const [isOpen, setOpen] = useState(false);
  const states = nextStates(props.state);
  const [first] = states;
  if (first === undefined || !setCredit.isAllowed()) return null;
  const word = first === 'claimed' ? translate('Claim') : translate('Change');
  return (
    <>
      <Button
        aria-label={
          first === 'claimed'
            ? translate('Claim the credit of alert {id}', { id: props.alertId })
            : translate('Change the credit of alert {id}', { id: props.alertId })
        }
        onPress={() => setOpen(true)}
      >
        {word}
      </Button>
      {isOpen && <CreditDialog {...props} states={[first, ...states.slice(1)]} onClose={() => setOpen(false)} />}
    </>
  );
};

type NextState = ReturnType<typeof nextStates>[number];
type DialogProps = CreditProps & { states: readonly [NextState, ...NextState[]]; onClose: () => void };

const CreditDialog = ({ alertId, reason, states, onDone, onClose }: DialogProps) => {
  const send = async (fields: Record<string, string>) => {
    const next = states.find((one) => one === fields['state']) ?? states[0];
    const why = readReason(fields['reason']);
    const { credit } = await setCredit({
      params: { alert_id: alertId },
      body: { state: next, ...(why && { reason: why }), ...(fields['note'] && { note: fields['note'] }) },
    });
    say(
      credit === 'none'
        ? translate('The claim is withdrawn: alert {alertId} shows nothing to claim.', { alertId })
        : translate('The credit of alert {alertId} is {state}.', { alertId, state: inSentence(stateWords(credit)) }),
    );
    onClose();
    onDone();
  };
  return (
    <Dialog title={translate('Credit for alert {alertId}', { alertId })} onClose={onClose}>
      <Form onSend={send} send={translate('Save')}>
        {(problems) => (
          <>
            <Select
              label={translate('Credit')}
              name="state"
              choices={states.map((value) => ({ value, label: stateLabels[value] }))}
              problem={problems['state']}
            />
            {states[0] === 'claimed' && (
              <Select
                label={translate('Reason')}
                name="reason"
                choices={creditReasonChoices}
                defaultValue={reason ?? ''}
                problem={problems['reason']}
              />
            )}
            <LongField label={translate('Note (optional)')} name="note" maxLength={1000} problem={problems['note']} />
          </>
        )}
      </Form>
    </Dialog>
  );
};
