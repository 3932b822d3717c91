import { useState } from 'preact/hooks';
import type { createMerchantOperation as CreateMerchantOperation } from '#accounts/merchants/api/create-merchant/operation.ts';
import { remote } from '../app/client.ts';
import { chooseMerchant, isOperator } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';

const createMerchant = remote<typeof CreateMerchantOperation>({ path: '/api/v3/merchant/create' });

const services = [
  { name: 'alerts', label: 'Dispute alerts' },
  { name: 'cbm', label: 'Chargebacks, read from its processors' },
  { name: 'payments', label: 'Payments' },
  { name: 'threeDS', label: '3-D Secure' },
  { name: 'order_insights', label: 'Orders that banks can look up' },
] as const;

/** For operators: creates a merchant and chooses it, so that its sites and users can follow. */
export const NewMerchant = () => {
  const [isOpen, setOpen] = useState(false);
  if (!isOperator()) return null;
  const send = async ({ name = '', ...ticked }: Record<string, string>) => {
    const chosen = services.map((service) => [service.name, ticked[service.name] !== undefined]);
    const { mid } = await createMerchant({ body: { name, ...Object.fromEntries(chosen) } });
    chooseMerchant({ mid, name });
    say(`${name} was created. Create its first site next.`);
    setOpen(false);
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>New merchant</Button>
      {isOpen && (
        <Dialog title="New merchant" onClose={() => setOpen(false)}>
          <Form send="Create the merchant" onSend={send}>
            {(problems) => (
              <>
                <Field label="Name" name="name" required maxLength={200} problem={problems['name']} />
                <fieldset>
                  <legend>Services</legend>
                  {services.map(({ name, label }) => (
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
