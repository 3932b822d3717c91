import { useState } from 'preact/hooks';
import type { rotateRcodeOperation as RotateRcodeOperation } from '#accounts/merchants/api/rotate-rcode/operation.ts';
import type { rotateSigningSecretOperation as RotateSigningSecretOperation } from '#accounts/merchants/api/rotate-signing-secret/operation.ts';
import { remote } from '../app/client.ts';
import { Screen } from '../app/screen.tsx';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AlertSettingsForm, BeginAlerts } from './alert-settings.tsx';
import { SiteFees } from './site-fees.tsx';
import { SiteFraudLists } from './site-fraud-lists.tsx';
import { type SiteDto, siteDetails } from './site-operations.ts';
import { SiteOrderProfile } from './site-order-profile.tsx';
import { SiteProcessors } from './site-processors.tsx';
import { pagesOf, type SitePageName, SiteTabs, sitePages } from './site-tabs.tsx';
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
      title={data?.name ?? `Site ${id}`}
      from={{ label: 'Settings', href: '#/settings' }}
      {...(data?.type === 'alert' && { actions: <TestAlert /> })}
      {...(data && { lede: `Site ${data.sid} of ${data.retailer_name}, ${data.merchant_name}` })}
    >
      <Trouble error={error} onRetry={reload} />
      {data && <SiteTabs site={data} at={at} />}
      {data ? <Page site={data} at={at} onChanged={reload} /> : !error && <Waiting />}
    </Screen>
  );
};

const Page = ({ site, at, onChanged }: { site: SiteDto; at: SitePageName; onChanged: () => void }) => {
  if (!pagesOf(site).includes(at)) return <p>This site has no such settings.</p>;
  if (at === 'processors') return <SiteProcessors site={site} />;
  if (at === 'fees') return <SiteFees site={site} />;
  if (at === 'fraud-lists') return <SiteFraudLists site={site} />;
  if (at === 'order-profile') return <SiteOrderProfile site={site} />;
  return <Known site={site} onChanged={onChanged} />;
};

const Known = ({ site, onChanged }: { site: SiteDto; onChanged: () => void }) => (
  <div class="split">
    <div class="stack">
      {site.type === null && <BeginAlerts site={site} onChanged={onChanged} />}
      {site.type === 'alert' && <AlertSettingsForm site={site} onChanged={onChanged} />}
      {(site.type === 'payment' || site.type === '3ds') && <Settings site={site} />}
    </div>
    <div class="stack">
      {rotateRcode.isAllowed() && <Secrets site={site} />}
      <Card title="The site">
        <Facts
          facts={[
            ['Number', String(site.sid)],
            ['Address', site.url ?? ''],
            ['Currency', site.currency ?? ''],
            ['Created', <Time key="made" at={site.created_at} />],
            ['Remarks', site.remarks ?? ''],
          ]}
        />
      </Card>
    </div>
  </div>
);

/** The settings whose names need words; `isFlag`: 1 is yes. */
const settingWords: Readonly<Record<string, { label: string; isFlag?: true }>> = {
  stop_send_email: { label: 'E-mails stopped', isFlag: true },
  notify_email: { label: 'Payments are mailed to' },
  cbreportemail: { label: 'Chargebacks are mailed to' },
  first_transaction_alert: { label: 'First payment is mailed', isFlag: true },
  emaildomain: { label: 'Payers reply to' },
  ftid: { label: 'Fraud template' },
  proceedeveniffail: { label: 'Payments accepted if the fraud check is unavailable', isFlag: true },
  skip_ccv: { label: 'Security code not needed', isFlag: true },
  allow_rebilling: { label: 'Repeat charges without it', isFlag: true },
  bin_currency: { label: 'Offered in the card’s currency', isFlag: true },
  margin_percentage: { label: 'Added to exchange rates, percent' },
  allow_refund: { label: 'Refunds allowed', isFlag: true },
  allow_refund_time: { label: 'Days for refunds (0: no limit)' },
  shipping_n_tracking: { label: 'Shipping address required', isFlag: true },
  signature: { label: 'Signature of the body' },
  mcc: { label: 'Merchant category' },
  acquirerBin: { label: 'Acquirer BIN' },
  acquirerMid: { label: 'Merchant ID at the acquirer' },
  requestorURL: { label: 'Requestor’s website' },
  three_ds_provider: { label: '3DS server' },
  verbose: { label: 'Verbose', isFlag: true },
  skip3d2: { label: '3-D Secure skipped', isFlag: true },
};

const valueText = (name: string, value: unknown): string => {
  if (settingWords[name]?.isFlag && value !== null && value !== undefined) return Number(value) === 1 ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.join(', ');
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
};
const wordsOf = (name: string): string =>
  settingWords[name]?.label ?? stateWords(name.replace(/([a-z])([A-Z])/g, '$1_$2'));

const factsOf = (fields: object): Fact[] =>
  Object.entries(fields).map(([name, value]) => [wordsOf(name), valueText(name, value)] as const);

/** Settings that are read here and changed by the API. */
const Settings = ({ site: { settings, type } }: { site: SiteDto }) => {
  const parts =
    settings && 'servicesettings' in settings ? { ...settings.settings, ...settings.servicesettings } : settings;
  return (
    <Card title={type === '3ds' ? '3-D Secure' : 'Payments'}>
      {parts && Object.entries(parts).some(([name, value]) => valueText(name, value) !== '') ? (
        <Facts facts={factsOf(parts)} />
      ) : (
        <p class="quiet">Nothing is set: the defaults apply.</p>
      )}
      <p class="small quiet">
        Change these through <a href="docs">the API</a>.
      </p>
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
      setRotated({ name: 'signing secret', secret: signing_secret, previousUntil: previous_valid_until });
    }
    setAsked(undefined);
  };
  return (
    <Card title="Secrets">
      <p class="small">
        Your calls are signed with the <strong>rcode</strong>, our notifications to you with the{' '}
        <strong>signing secret</strong>. After a rotation the previous one keeps working for a day.
      </p>
      <div class="buttons">
        <Button onPress={() => setAsked('rcode')}>Rotate the rcode</Button>
        <Button onPress={() => setAsked('signing secret')}>Rotate the signing secret</Button>
      </div>
      {asked && (
        <Confirm title={`Rotate the ${asked}?`} yes="Rotate it" onYes={rotate} onClose={() => setAsked(undefined)}>
          <p>
            A new {asked} is created. Put it into your programs within 24 hours: until then the current one works too.
          </p>
        </Confirm>
      )}
      {rotated && <NewSecret {...rotated} onClose={() => setRotated(undefined)} />}
    </Card>
  );
};

const NewSecret = ({ name, secret, previousUntil, onClose }: Rotated & { onClose: () => void }) => (
  <SecretDialog title={`The new ${name}`} secrets={[{ name, text: secret }]} done="I have saved it" onClose={onClose}>
    <p>Copy it now: it will not be shown again.</p>
    {previousUntil && (
      <p>
        The previous one works until <Time at={previousUntil} exact />.
      </p>
    )}
  </SecretDialog>
);
