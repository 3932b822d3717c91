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

export const serviceNames = [
  { name: 'alerts', label: translate('Dispute alerts') },
  { name: 'cbm', label: translate('Chargebacks, read from its processors') },
  { name: 'payments', label: translate('Payments') },
  { name: 'threeDS', label: translate('3-D Secure') },
  { name: 'order_insights', label: translate('Orders that banks can look up') },
] as const;

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
