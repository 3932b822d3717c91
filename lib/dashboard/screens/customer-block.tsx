import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import type { CustomerDto } from './customer-operations.ts';
import { fraudLists, setFraudLists } from './site-operations.ts';

/** The sites that took a payment of the customer here: only these refuse payments by a list. */
const listSites = ({ purchases }: CustomerDto): number[] => [
  ...new Set(purchases.filter(({ txid }) => txid !== null).map(({ sid }) => sid)),
];

/** Adds to the site's list what is not on it, on condition that the list is unchanged since it was read. */
const block = async (sid: number, emails: readonly string[], ips: readonly string[]): Promise<void> => {
  const { block: present, version } = await fraudLists({ params: { sid } });
  const added = { emails: [...new Set([...present.emails, ...emails])], ips: [...new Set([...present.ips, ...ips])] };
  await setFraudLists({ params: { sid }, body: { block: added, version } });
};

const othersText = ({ others, more }: CustomerDto['ips'][number]): string => {
  if (others === 0) return translate('No other customer was found with it.');
  return more
    ? translate('At least {count} other customers use it, who are refused as well.', { count: others })
    : translateCount(
        others,
        '{count} other customer uses it, who is refused as well.',
        '{count} other customers use it, who are refused as well.',
      );
};

/** Refuses a customer's further payments, by address and by connection; says whom else that hits. */
export const BlockCustomer = ({ customer }: { customer: CustomerDto }) => {
  const [isOpen, setOpen] = useState(false);
  const sites = listSites(customer);
  if (sites.length === 0 || !setFraudLists.isAllowed() || (customer.email === null && customer.ips.length === 0))
    return null;
  const send = async (fields: Record<string, string>) => {
    const ips = customer.ips.filter((_, at) => fields[`ip${at}`] !== undefined).map(({ ip }) => ip);
    const emails = customer.email !== null && fields['email'] !== undefined ? [customer.email] : [];
    if (ips.length + emails.length === 0) throw new Error(translate('Choose what is refused.'));
    await block(Number(fields['sid'] ?? sites[0]), emails, ips);
    say(translate('Further payments are refused.'));
    setOpen(false);
  };
  return (
    <>
      <Button onPress={() => setOpen(true)}>{translate('Block…')}</Button>
      {isOpen && (
        <Dialog title={translate('Block this customer')} onClose={() => setOpen(false)}>
          <Form onSend={send} send={translate('Refuse further payments')} look="danger">
            {() => <BlockFields customer={customer} sites={sites} />}
          </Form>
        </Dialog>
      )}
    </>
  );
};

const BlockFields = ({ customer: { email, ips }, sites }: { customer: CustomerDto; sites: readonly number[] }) => (
  <>
    {sites.length > 1 && (
      <Select
        name="sid"
        label={translate('Site')}
        choices={sites.map((sid) => ({ value: String(sid), label: translate('Site {sid}', { sid }) }))}
      />
    )}
    {email !== null && (
      <Check
        name="email"
        value="yes"
        label={email}
        hint={translate('With all spellings of the mailbox. It is one person’s.')}
        checked
      />
    )}
    {ips.map((one, at) => (
      <Check key={one.ip} name={`ip${at}`} value="yes" label={one.ip} hint={othersText(one)} />
    ))}
    <p class="quiet small">
      {translate(
        'The site refuses payments until someone removes the entry under Fraud lists. No money moves. A card is blocked there by its number.',
      )}
    </p>
  </>
);
