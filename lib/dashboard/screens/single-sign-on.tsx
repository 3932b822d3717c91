import type { setSingleSignOnOperation as SetSingleSignOnOperation } from '#accounts/auth/api/set-single-sign-on/operation.ts';
import type { singleSignOnDetailsOperation as DetailsOperation } from '#accounts/auth/api/single-sign-on-details/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Copied } from '../parts/copy.tsx';
import { Check, Field, problemIn, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';

const details = remote<typeof DetailsOperation>({ path: '/api/v3/merchant/{mid}/sso/details', roles: ['manager'] });
const save = remote<typeof SetSingleSignOnOperation>({ path: '/api/v3/merchant/{mid}/sso', roles: ['manager'] });
type Settings = ReplyOf<typeof DetailsOperation>;

const roles = [
  { value: 'none', label: translate('May not sign in') },
  { value: 'analyst', label: translate('Analyst') },
  { value: 'developer', label: translate('Developer') },
  { value: 'manager', label: translate('Manager') },
] as const;

const listIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** The identity provider with which a merchant's people sign in. */
export const SingleSignOn = () => (
  <Screen
    title={translate('Single sign-on')}
    lede={translate('Your users sign in at your own identity provider (OpenID Connect).')}
  >
    <PeopleTabs at="/single-sign-on" />
    <Content />
  </Screen>
);

const Content = () => {
  const mid = presentMid();
  const { data, error } = useLoad(mid === undefined || !details.isAllowed() ? null : String(mid), () =>
    details({ params: { mid: mid ?? 0 }, body: {} }),
  );
  if (!details.isAllowed()) return <Empty words={translate('Managers set up single sign-on.')} />;
  if (mid === undefined) return <Empty words={translate('Choose a merchant at the top of the page first.')} />;
  if (error !== undefined) return <Trouble error={error} />;
  return data ? <SettingsForm {...data} /> : <Waiting />;
};

const Empty = ({ words }: { words: string }) => (
  <div class="empty">
    <p>{words}</p>
  </div>
);

const SettingsForm = (settings: Settings) => {
  const { mid, issuer, redirect_uri: redirectUri } = settings;
  const send = async (fields: Record<string, string>) => {
    const fallback = roles.find(({ value }) => value === fields['default_role'])?.value ?? 'none';
    await save({
      params: { mid },
      body: {
        issuer: fields['issuer'] ?? '',
        client_id: fields['client_id'] ?? '',
        ...(fields['client_secret'] && { client_secret: fields['client_secret'] }),
        domains: listIn(fields['domains']),
        link_by_email: fields['link_by_email'] === 'on',
        verified_claim: fields['verified_claim'] ?? '',
        role_claim: fields['role_claim'] ?? '',
        role_values: {
          analyst: listIn(fields['analyst']),
          developer: listIn(fields['developer']),
          manager: listIn(fields['manager']),
        },
        default_role: fallback === 'none' ? null : fallback,
        enabled: fields['enabled'] === 'on',
      },
    });
    say(translate('Single sign-on was saved.'));
  };
  return (
    <div class="columns">
      <Card title={translate('Identity provider')}>
        <Form onSend={send} send={translate('Save')}>
          {(problems) => (
            <>
              <ProviderFields settings={settings} problems={problems} />
              <VerifiedClaimField settings={settings} problems={problems} />
              <RoleFields settings={settings} problems={problems} />
              <Check
                label={translate('Link existing users by their verified e-mail address')}
                name="link_by_email"
                defaultChecked={settings.link_by_email}
                hint={translate('Otherwise a person whose address is already a username is refused.')}
              />
              <Check
                label={translate('Allow single sign-on')}
                name="enabled"
                defaultChecked={settings.enabled || issuer === ''}
              />
            </>
          )}
        </Form>
      </Card>
      <Card title={translate('Addresses')}>
        <p>{translate('First register this redirect URI at your identity provider:')}</p>
        <p>
          <Copied text={redirectUri} label={translate('Copy the redirect URI')} />
        </p>
        <p>{translate('Once the settings are saved, your users sign in with this link:')}</p>
        <p>
          <Copied text={`${redirectUri}?sso=${mid}`} label={translate('Copy the link')} />
        </p>
      </Card>
    </div>
  );
};

type FieldsProps = { settings: Settings; problems: Readonly<Record<string, string>> };

const ProviderFields = ({ settings, problems }: FieldsProps) => (
  <>
    <Field
      label={translate('Issuer')}
      name="issuer"
      type="url"
      required
      defaultValue={settings.issuer}
      hint={translate('For example https://login.microsoftonline.com/TENANT/v2.0 or https://YOU.okta.com')}
      problem={problems['issuer']}
    />
    <Field
      label={translate('Client ID')}
      name="client_id"
      required
      autoComplete="off"
      defaultValue={settings.client_id}
      problem={problems['client_id']}
    />
    <Field
      label={translate('Client secret')}
      name="client_secret"
      type="password"
      autoComplete="off"
      required={settings.issuer === ''}
      hint={
        settings.issuer === ''
          ? translate('It is kept encrypted and not shown again.')
          : translate('One is set. Leave it empty to keep it.')
      }
      problem={problems['client_secret']}
    />
    <Field
      label={translate('E-mail domains')}
      name="domains"
      required
      autoComplete="off"
      defaultValue={settings.domains.join(', ')}
      hint={translate('Separated by commas. Only addresses of these domains may sign in.')}
      problem={problemIn(problems, 'domains')}
    />
  </>
);

const VerifiedClaimField = ({ settings, problems }: FieldsProps) => (
  <Field
    label={translate('Verified e-mail claim')}
    name="verified_claim"
    required
    autoComplete="off"
    defaultValue={settings.verified_claim}
    hint={translate(
      'It states that the address is verified: email_verified, or the optional claim xms_edov at Entra ID.',
    )}
    problem={problems['verified_claim']}
  />
);

const groupLabels = {
  manager: translate('Groups of managers (optional)'),
  developer: translate('Groups of developers (optional)'),
  analyst: translate('Groups of analysts (optional)'),
};

const RoleFields = ({ settings, problems }: FieldsProps) => (
  <>
    <Field
      label={translate('Groups claim')}
      name="role_claim"
      required
      autoComplete="off"
      defaultValue={settings.role_claim}
      problem={problems['role_claim']}
    />
    {(['manager', 'developer', 'analyst'] as const).map((role) => (
      <Field
        key={role}
        label={groupLabels[role]}
        name={role}
        autoComplete="off"
        defaultValue={settings.role_values[role].join(', ')}
        problem={problemIn(problems, `role_values.${role}`)}
      />
    ))}
    <Select
      label={translate('Role for everyone else')}
      name="default_role"
      choices={roles}
      defaultValue={settings.default_role ?? 'none'}
      problem={problems['default_role']}
    />
  </>
);
