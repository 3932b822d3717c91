import { useState } from 'preact/hooks';
import type { createMerchantOperation as CreateMerchantOperation } from '#accounts/merchants/api/create-merchant/operation.ts';
import { remote } from '../app/client.ts';
import { chooseMerchant, isOperator } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';

const createMerchant = remote<typeof CreateMerchantOperation>({ path: '/api/v3/merchant/create' });

type Service = { name: Name; label: string; short: string; off: string | null };
type Name = 'alerts' | 'cbm' | 'payments' | 'threeDS' | 'order_insights';

/** `off`: what ends when it is switched off; null: nothing by itself. */
export const serviceNames: readonly Service[] = [
  { name: 'alerts', label: translate('Dispute alerts'), short: translate('Alerts'), off: null },
  {
    ...{ name: 'cbm', label: translate('Chargebacks, read from its processors'), short: translate('Chargebacks') },
    off: translate('Off: its processors are no longer asked for new chargebacks. Known chargebacks stay as last read.'),
  },
  { name: 'payments', label: translate('Payments'), short: translate('Payments'), off: null },
  { name: 'threeDS', label: translate('3-D Secure'), short: translate('3-D Secure'), off: null },
  {
    ...{ name: 'order_insights', label: translate('Orders that banks can look up'), short: translate('Orders') },
    off: translate('Off: new orders are refused. Banks still see those stored until their retention ends.'),
  },
];

/** For operators: creates a merchant and chooses it, so that its sites and users can follow. */
export const NewMerchant = () => {
  const [isOpen, setOpen] = useState(false);
  if (!isOperator()) return null;
  const send = async ({ name = '', ...ticked }: Record<string, string>) => {
    const chosen = serviceNames.map((service) => [service.name, ticked[service.name] !== undefined]);
    const { mid } = await createMerchant({ body: { name, ...Object.fromEntries(chosen) } });
    chooseMerchant({ mid, name });
    say(translate('{name} was created. Create its first site next.', { name }));
    setOpen(false);
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{translate('New merchant')}</Button>
      {isOpen && (
        <Dialog title={translate('New merchant')} onClose={() => setOpen(false)}>
          <Form send={translate('Create the merchant')} onSend={send}>
            {(problems) => (
              <>
                <Field label={translate('Name')} name="name" required maxLength={200} problem={problems['name']} />
                <fieldset>
                  <legend>{translate('Services')}</legend>
                  {serviceNames.map(({ name, label }) => (
                    <Check key={name} name={name} label={label} defaultChecked={name === 'alerts' || name === 'cbm'} />
                  ))}
                </fieldset>
              </>
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
};
