import { useState } from 'preact/hooks';
import type { rotateRcodeOperation as RotateRcodeOperation } from '#accounts/merchants/api/rotate-rcode/operation.ts';
import type { rotateSigningSecretOperation as RotateSigningSecretOperation } from '#accounts/merchants/api/rotate-signing-secret/operation.ts';
import { remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { compose, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { MailFaultWords } from '../parts/mail-fault.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { AlertSettingsForm, BeginAlerts } from './alert-settings.tsx';
import { PaymentSettingsForm, setPaymentSettings } from './payment-settings.tsx';
import { settingLabel, settingText } from './setting-words.ts';
import { SiteFees } from './site-fees.tsx';
import { SiteFraudLists } from './site-fraud-lists.tsx';
import { type SiteDto, siteDetails } from './site-operations.ts';
import { SiteOrderProfile } from './site-order-profile.tsx';
import { SiteProcessors } from './site-processors.tsx';
import { type SitePageName, SiteTabs, sitePages, tabsFor } from './site-tabs.tsx';
import { TestAlert } from './test-alert.tsx';

const rotateRcode = remote<typeof RotateRcodeOperation>({
  path: '/api/v3/site/{sid}/rcode/rotate',
  roles: ['developer', 'manager'],
});
const rotateSigningSecret = remote<typeof RotateSigningSecretOperation>({
  path: '/api/v3/site/{sid}/signing-secret/rotate',
  roles: ['developer', 'manager'],
});

/** One site: its settings, and its secrets. */
export const SitePage = ({ params: { id = '', page } }: { params: Readonly<Record<string, string | undefined>> }) => {
  const at = sitePages.find((name) => name === page) ?? 'settings';
  const { data, error, reload } = useLoad(id, (signal) => siteDetails({ params: { sid: id }, signal }));
  return (
    <Screen
      title={data?.name ?? translate('Site {id}', { id })}
      from={{ label: translate('Settings'), href: '#/settings' }}
      {...(data?.type === 'alert' && { actions: <TestAlert /> })}
      {...(data && {
        lede: translate('Site {sid} of {retailer}, {merchant}', {
          sid: data.sid,
          retailer: data.retailer_name,
          merchant: data.merchant_name,
        }),
      })}
    >
      <Trouble error={error} onRetry={reload} />
      {data && <SiteTabs site={data} at={at} />}
      {data ? <Page site={data} at={at} onChanged={reload} /> : !error && <Waiting />}
    </Screen>
  );
};

const Page = ({ site, at, onChanged }: { site: SiteDto; at: SitePageName; onChanged: () => void }) => {
  if (!tabsFor(site).includes(at)) return <p>{translate('This site has no such settings.')}</p>;
  if (at === 'processors') return <SiteProcessors site={site} />;
  if (at === 'fees') return <SiteFees site={site} />;
  if (at === 'fraud-lists') return <SiteFraudLists site={site} />;
  if (at === 'order-profile') return <SiteOrderProfile site={site} />;
  return <Known site={site} onChanged={onChanged} />;
};

const Known = ({ site, onChanged }: { site: SiteDto; onChanged: () => void }) => (
  <div class="split">
    <div class="stack">
      {site.mail_faults.map((fault) => (
        <p key={fault.email} class="problem" role="status">
          {fault.email}: <MailFaultWords fault={fault} />
        </p>
      ))}
      {site.type === null && <BeginAlerts site={site} onChanged={onChanged} />}
      {site.type === 'alert' && <AlertSettingsForm site={site} onChanged={onChanged} />}
      {site.type === 'payment' && setPaymentSettings.isAllowed() ? (
        <PaymentSettingsForm site={site} onChanged={onChanged} />
      ) : (
        (site.type === 'payment' || site.type === '3ds') && <Settings site={site} />
      )}
    </div>
    <div class="stack">
      {rotateRcode.isAllowed() && <Secrets site={site} />}
      <Card title={translate('The site')}>
        <Facts
          facts={[
            [translate('Number'), String(site.sid)],
            [translate('Address'), site.url ?? ''],
            [translate('Currency'), site.currency ?? ''],
            [translate('Created'), <Time key="made" at={site.created_at} />],
            [translate('Remarks'), site.remarks ?? ''],
          ]}
        />
      </Card>
    </div>
  </div>
);

const toFacts = (fields: object): Fact[] =>
  Object.entries(fields).map(([name, value]) => [settingLabel(name), settingText(name, value)] as const);

/** The settings of a site as a list. Those of 3-D Secure are changed through the API, those of payments by managers. */
const Settings = ({ site: { settings, type } }: { site: SiteDto }) => {
  const parts =
    settings && 'servicesettings' in settings ? { ...settings.settings, ...settings.servicesettings } : settings;
  return (
    <Card title={type === '3ds' ? translate('3-D Secure') : translate('Payments')}>
      {parts && Object.entries(parts).some(([name, value]) => settingText(name, value) !== '') ? (
        <Facts facts={toFacts(parts)} />
      ) : (
        <p class="quiet">{translate('Nothing is set: the defaults apply.')}</p>
      )}
      {type === '3ds' && (
        <p class="small quiet">
          {compose('Change these through {link}.', { link: <a href="docs">{translate('the API')}</a> })}
        </p>
      )}
    </Card>
  );
};

type Rotated = { name: string; secret: string; previousUntil: string | null };

/** The secrets of programs. Each is shown only right after it was created. */
const Secrets = ({ site: { sid } }: { site: SiteDto }) => {
  const [asked, setAsked] = useState<'rcode' | 'signing secret'>();
  const [rotated, setRotated] = useState<Rotated>();
  const rotate = async () => {
    const params = { sid };
    if (asked === 'rcode') {
      const { rcode, previous_valid_until } = await rotateRcode({ params, body: {} });
      setRotated({ name: asked, secret: rcode, previousUntil: previous_valid_until });
    } else {
      const { signing_secret, previous_valid_until } = await rotateSigningSecret({ params, body: {} });
      setRotated({ name: translate('signing secret'), secret: signing_secret, previousUntil: previous_valid_until });
    }
    setAsked(undefined);
  };
  const name = asked === 'rcode' ? 'rcode' : translate('signing secret');
  return (
    <Card title={translate('Secrets')}>
      <p class="small">
        {compose(
          'Your calls are signed with the {rcode}, our notifications to you with the {secret}. After a rotation the previous one keeps working for a day.',
          { rcode: <strong>rcode</strong>, secret: <strong>{translate('signing secret')}</strong> },
        )}
      </p>
      <div class="buttons">
        <Button onPress={() => setAsked('rcode')}>{translate('Rotate the rcode')}</Button>
        <Button onPress={() => setAsked('signing secret')}>{translate('Rotate the signing secret')}</Button>
      </div>
      {asked && (
        <Confirm
          title={translate('Rotate the {name}?', { name })}
          yes={translate('Rotate it')}
          onYes={rotate}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {translate(
              'A new {name} is created. Put it into your programs within 24 hours: until then the current one works too.',
              { name },
            )}
          </p>
        </Confirm>
      )}
      {rotated && <NewSecret {...rotated} onClose={() => setRotated(undefined)} />}
    </Card>
  );
};

const NewSecret = ({ name, secret, previousUntil, onClose }: Rotated & { onClose: () => void }) => (
  <SecretDialog
    title={translate('The new {name}', { name })}
    secrets={[{ name, text: secret }]}
    done={translate('I have saved it')}
    onClose={onClose}
  >
    <p>{translate('Copy it now: it will not be shown again.')}</p>
    {previousUntil && (
      <p>{compose('The previous one works until {time}.', { time: <Time at={previousUntil} exact /> })}</p>
    )}
  </SecretDialog>
);
