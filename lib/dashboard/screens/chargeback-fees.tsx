import { useState } from 'preact/hooks';
import type { alertPriceDetailsOperation as FeeDetailsOperation } from '#disputes/costs/api/alert-price-details/operation.ts';
import type { setChargebackFeesOperation as SetFeesOperation } from '#disputes/costs/api/set-chargeback-fees/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { evidenceProcessors } from './chargeback-kinds.ts';
import { processorTitle } from './processor-fields.ts';

export const feeDetails = remote<typeof FeeDetailsOperation>({ path: '/api/v3/merchant/{mid}/alert-prices/details' });
const setFees = remote<typeof SetFeesOperation>({ path: '/api/v3/merchant/{mid}', roles: ['manager'] });
type Fee = ReplyOf<typeof FeeDetailsOperation>['chargeback_fees'][number];
type SentFees = NonNullable<NonNullable<Parameters<typeof setFees>[0]['body']>['chargeback_fees']>;

/** The fees that estimates use, one processor at a time. */
export const FeesButton = ({ onSaved }: { onSaved?: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const mid = presentMid();
  if (mid === undefined || !setFees.isAllowed()) return null;
  return (
    <>
      <Button onPress={() => setOpen(true)}>{onSaved ? translate('Enter the fees…') : translate('Fees')}</Button>
      {isOpen && <Fees mid={mid} onSaved={onSaved} onClose={() => setOpen(false)} />}
    </>
  );
};

type DialogProps = { mid: number; onSaved: (() => void) | undefined; onClose: () => void };

const Fees = ({ mid, onSaved, onClose }: DialogProps) => {
  const { data } = useLoad(`fees ${mid}`, (signal) => feeDetails({ params: { mid }, signal }));
  const [processor, setProcessor] = useState('');
  const known = data?.chargeback_fees.find((one) => (one.processor ?? '') === processor);
  const send = async ({ currency = '', dispute_fee = '', counter_fee = '', returned }: Record<string, string>) => {
    const others = (data?.chargeback_fees ?? []).filter((one) => (one.processor ?? '') !== processor);
    const own = {
      processor: processor || null,
      currency: currency.toUpperCase(),
      dispute_fee,
      counter_fee,
      counter_fee_returned: Boolean(returned),
    };
    await setFees({ params: { mid }, body: { chargeback_fees: [...others, own] as SentFees } });
    say(translate('The fees are saved.'));
    onClose();
    onSaved?.();
  };
  return (
    <Dialog title={translate('Fees of processors for chargebacks')} onClose={onClose}>
      <p class="small">
        {translate(
          'Your contract with the processor states them. Estimates and rules use them; without them, a value is not known.',
        )}
      </p>
      {data && (
        <Form key={processor} onSend={send} send={translate('Save')}>
          {(problems) => <FeeFields {...{ known, processor, problems }} onProcessor={setProcessor} />}
        </Form>
      )}
    </Dialog>
  );
};

type FieldsProps = {
  known: Fee | undefined;
  processor: string;
  problems: Readonly<Record<string, string>>;
  onProcessor: (processor: string) => void;
};

const FeeFields = ({ known, processor, problems, onProcessor }: FieldsProps) => (
  <>
    <Select
      label={translate('Processor')}
      choices={[
        { value: '', label: translate('Any other') },
        ...evidenceProcessors.map((value) => ({ value, label: processorTitle(value) })),
      ]}
      value={processor}
      onChange={(event) => onProcessor(event.currentTarget.value)}
    />
    <Field
      label={translate('Currency')}
      name="currency"
      required
      maxLength={3}
      defaultValue={known?.currency ?? 'USD'}
      problem={problems['chargeback_fees.0.currency']}
    />
    <Field
      label={translate('Fee for the dispute')}
      name="dispute_fee"
      inputMode="decimal"
      required
      defaultValue={known?.dispute_fee ?? ''}
      problem={problems['chargeback_fees.0.dispute_fee']}
    />
    <Field
      label={translate('Fee for contesting')}
      name="counter_fee"
      inputMode="decimal"
      required
      defaultValue={known?.counter_fee ?? ''}
      problem={problems['chargeback_fees.0.counter_fee']}
    />
    <Check
      label={translate('The fee for contesting is returned if you win')}
      name="returned"
      defaultChecked={known?.counter_fee_returned ?? false}
    />
  </>
);
