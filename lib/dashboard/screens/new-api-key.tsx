import type { createApiKeyOperation as CreateApiKeyOperation } from '#accounts/auth/api/create-api-key/operation.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { translate } from '../language/translate.ts';
import { Check, Field, problemIn, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Permission, permissionLabels } from './permission-words.ts';

export type ApiKeySent = Omit<Request<typeof CreateApiKeyOperation>['body'], 'mid'>;

const names = Object.keys(permissionLabels) as Permission[];
const dangerous = (name: Permission): boolean => /^settings:(money|data|secrets)$/.test(name);

const sensitiveLegend = translate('Sensitive permissions, used without a person’s confirmation');

const expiries = [
  { value: '365', label: translate('In a year') },
  { value: '90', label: translate('In 90 days') },
  { value: '30', label: translate('In 30 days') },
  { value: 'never', label: translate('Never') },
];

const listIn = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);

type FormProps = { onSend: (body: ApiKeySent) => Promise<void>; isDisabled: boolean };

/** The permissions, addresses and expiry of a new key. */
export const NewApiKeyForm = ({ onSend, isDisabled }: FormProps) => {
  const send = (fields: Record<string, string>) => {
    const sites = listIn(fields['sites']).map(Number);
    const ranges = listIn(fields['ip_ranges']);
    return onSend({
      name: fields['name'] ?? '',
      permissions: names.filter((name) => fields[`may ${name}`] === 'on'),
      ...(sites.length > 0 && { sites }),
      ...(ranges.length > 0 && { ip_ranges: ranges }),
      ...(fields['valid_days'] !== 'never' && { valid_days: Number(fields['valid_days']) }),
    });
  };
  return (
    <Form onSend={send} send={translate('Create')} isDisabled={isDisabled}>
      {(problems) => (
        <>
          <Field
            label={translate('Name')}
            name="name"
            required
            maxLength={100}
            autoComplete="off"
            hint={translate('The program that will use the key.')}
            problem={problems['name']}
          />
          <Permissions
            legend={translate('Permissions')}
            of={names.filter((name) => !dangerous(name))}
            problem={problems['permissions']}
          />
          <Permissions legend={sensitiveLegend} of={names.filter(dangerous)} />
          <Select label={translate('Expires')} name="valid_days" choices={expiries} problem={problems['valid_days']} />
          <Field
            label={translate('Only for sites (optional)')}
            name="sites"
            autoComplete="off"
            hint={translate('Site numbers, separated by commas.')}
            problem={problemIn(problems, 'sites')}
          />
          <Field
            label={translate('Only from addresses (optional)')}
            name="ip_ranges"
            autoComplete="off"
            spellcheck={false}
            hint={translate('IP addresses or ranges such as 203.0.113.0/24, separated by commas.')}
            problem={problemIn(problems, 'ip_ranges')}
          />
        </>
      )}
    </Form>
  );
};

type PermissionsProps = { legend: string; of: readonly Permission[]; problem?: string | undefined };

const Permissions = ({ legend, of, problem }: PermissionsProps) => (
  <fieldset class="ticks even">
    <legend>{legend}</legend>
    {of.map((name) => (
      <Check key={name} label={permissionLabels[name]} name={`may ${name}`} />
    ))}
    {problem && <p class="problem">{problem}</p>}
  </fieldset>
);
