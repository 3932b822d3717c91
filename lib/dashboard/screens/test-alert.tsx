import { useState } from 'preact/hooks';
import type { createTestAlertOperation as CreateTestAlertOperation } from '#disputes/alerts/api/create-test-alert/operation.ts';
import { address, go, link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';

export const createTestAlert = remote<typeof CreateTestAlertOperation>({
  path: '/secure/alerts/service_dummy',
  roles: ['developer', 'manager'],
});

const types = [
  { value: 'DISPUTE', label: translate('Dispute') },
  { value: 'FRAUD', label: translate('Fraud') },
] as const;

/** Sends an alert that is marked as a test through everything a real one goes through. */
export const TestAlert = ({ onMade }: { onMade?: () => void }) => {
  const [isOpen, setOpen] = useState(address.value.query.get('do') === 'test-alert');
  if (!createTestAlert.isAllowed()) return null;
  const send = async ({ alert_type, amount = '', currency = '', descriptor = '' }: Record<string, string>) => {
    const type = types.find(({ value }) => value === alert_type)?.value ?? 'DISPUTE';
    const { alert_id } = await createTestAlert({ body: { alert_type: type, amount, currency, descriptor } });
    say(translate('Test alert {alertId} was created.', { alertId: alert_id }));
    setOpen(false);
    onMade?.();
    go(link(`/alerts/${alert_id}`));
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{translate('Send a test alert')}</Button>
      {isOpen && (
        <Dialog title={translate('Send a test alert')} onClose={() => setOpen(false)}>
          <Form onSend={send} send={translate('Send it')}>
            {(problems) => (
              <>
                <p>
                  {translate(
                    'It goes to the site that enrolled the descriptor, with webhooks, e-mails and a deadline like a real one.',
                  )}
                </p>
                <Select label={translate('Type')} name="alert_type" choices={types} problem={problems['alert_type']} />
                <Field
                  label={translate('Descriptor')}
                  name="descriptor"
                  required
                  maxLength={64}
                  hint={translate('One that is enrolled.')}
                  problem={problems['descriptor']}
                />
                <Field
                  label={translate('Amount')}
                  name="amount"
                  inputMode="decimal"
                  required
                  defaultValue="12.50"
                  problem={problems['amount']}
                />
                <Field
                  label={translate('Currency')}
                  name="currency"
                  required
                  maxLength={3}
                  defaultValue="USD"
                  problem={problems['currency']}
                />
              </>
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
};
