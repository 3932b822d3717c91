import { useState } from 'preact/hooks';
import type { setServicesOperation as SetServicesOperation } from '#accounts/merchants/api/set-services/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { serviceNames } from './new-merchant.tsx';

const setServices = remote<typeof SetServicesOperation>({ path: '/api/v3/merchant/{mid}', method: 'PATCH' });

type Services = Readonly<Record<(typeof serviceNames)[number]['name'], boolean>>;

/** For operators: switches a merchant's services on and off. Only those that were switched are sent. */
export const MerchantServices = ({
  merchant,
  onDone,
}: {
  merchant: Services & { mid: number; name: string };
  onDone: () => void;
}) => {
  const [isOpen, setOpen] = useState(false);
  const { mid, name } = merchant;
  const send = async (ticked: Record<string, string>) => {
    const switched = serviceNames.filter((one) => (ticked[one.name] !== undefined) !== merchant[one.name]);
    if (switched.length > 0)
      await setServices({
        params: { mid },
        body: Object.fromEntries(switched.map((one) => [one.name, !merchant[one.name]])),
      });
    setOpen(false);
    say(translate('The services of {name} are saved.', { name }));
    onDone();
  };
  return (
    <>
      <Button aria-label={translate('Change the services of {name}', { name })} onPress={() => setOpen(true)}>
        {translate('Change the services')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Services of {name}', { name })} onClose={() => setOpen(false)}>
          <Form send={translate('Save')} onSend={send}>
            {() => (
              <fieldset>
                <legend>{translate('Services')}</legend>
                {serviceNames.map((one) => (
                  <Check
                    key={one.name}
                    name={one.name}
                    label={one.label}
                    hint={one.off ?? translate('Off: only noted here. Its sites go on as they are.')}
                    defaultChecked={merchant[one.name]}
                  />
                ))}
              </fieldset>
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
};
