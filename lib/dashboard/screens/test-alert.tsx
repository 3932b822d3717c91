import { useState } from 'preact/hooks';
import type { createTestAlertOperation as CreateTestAlertOperation } from '#disputes/alerts/api/create-test-alert/operation.ts';
import { address, go, link } from '../app/address.ts';
import { remote } from '../app/client.ts';
import { ofMerchant } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { listSites } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { listEnrollments } from './enrollments.tsx';

export const createTestAlert = remote<typeof CreateTestAlertOperation>({
  path: '/secure/alerts/service_dummy',
  roles: ['developer', 'manager'],
});

type Target = { value: string; label: string; body: { descriptor: string; sid?: number } };

/** The descriptors that networks watch, and the sites for alerts. */
const readTargets = async (signal: AbortSignal): Promise<Target[]> => {
  const { mid } = ofMerchant();
  const [enrolled, sites] = await Promise.all([
    listEnrollments({ body: { offset: 0, size: 100, ...(mid !== undefined && { mid: [mid] }) }, signal }),
    listSites({ body: { type: ['alert'], size: 100, ...ofMerchant() }, signal }),
  ]);
  const items = enrolled.list.flatMap(({ enrollment_items }) => enrollment_items);
  const watched = items.filter(({ status, descriptor }) => status === 'ENROLLED' && descriptor !== '');
  return [
    ...[...new Set(watched.map(({ descriptor }) => descriptor))].map((descriptor) => ({
      value: `descriptor ${descriptor}`,
      label: translate('The descriptor {descriptor}', { descriptor }),
      body: { descriptor },
    })),
    ...sites.list.map(({ sid, name }) => ({
      value: `site ${sid}`,
      label: translate('The site {name}', { name }),
      body: { sid, descriptor: 'TEST ALERT' },
    })),
  ];
};

const types = [
  { value: 'DISPUTE', label: translate('Dispute') },
  { value: 'FRAUD', label: translate('Fraud') },
] as const;

const toBody = (fields: Record<string, string>, targets: readonly Target[] = []) => {
  const { alert_type, amount = '', currency = '', target } = fields;
  const type = types.find(({ value }) => value === alert_type)?.value ?? 'DISPUTE';
  const to = targets.find(({ value }) => value === target)?.body ?? { descriptor: '' };
  return { alert_type: type, amount, currency, ...to };
};

/** Sends an alert that is marked as a test through everything a real one goes through. */
export const TestAlert = ({ onMade }: { onMade?: () => void }) => {
  const [isOpen, setOpen] = useState(address.value.query.get('do') === 'test-alert');
  if (!createTestAlert.isAllowed()) return null;
  const { data: targets } = useLoad(isOpen ? 'targets of a test alert' : null, readTargets);
  const send = async (fields: Record<string, string>) => {
    const { alert_id } = await createTestAlert({ body: toBody(fields, targets) });
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
                    'It has webhooks, e-mails and a deadline like a real one. By a descriptor it finds its site as a network’s alert does.',
                  )}
                </p>
                <Select label={translate('Type')} name="alert_type" choices={types} problem={problems['alert_type']} />
                <Select
                  label={translate('Goes to')}
                  name="target"
                  choices={targets ?? []}
                  key={String(targets?.length)}
                  problem={problems['descriptor'] ?? problems['sid']}
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
