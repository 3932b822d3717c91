import { useState } from 'preact/hooks';
import type { setAlertSettingsOperation as SetAlertSettingsOperation } from '#accounts/merchants/api/set-alert-settings/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { compose, inSentence, translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts } from '../parts/facts.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Term } from '../parts/term.tsx';
import { EndpointTest } from './endpoint-test.tsx';
import type { SiteDto } from './site-operations.ts';

const setAlertSettings = remote<typeof SetAlertSettingsOperation>({
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/alert',
  roles: ['developer', 'manager'],
});

type Settings = Extract<NonNullable<SiteDto['settings']>, { alertapiurl: string | null }>;
export const isOfAlerts = (settings: SiteDto['settings']): settings is Settings =>
  settings !== null && 'alertapiurl' in settings && 'deadline_hours' in settings;

const actions = [
  { value: '', label: translate('Refund (default)') },
  { value: 'REFUND', label: translate('Refund|noun') },
  { value: 'CANCEL', label: translate('Cancel|noun') },
  { value: 'REVIEW', label: translate('Review') },
];

/** The settings of a site's alerts and notifications. */
export const AlertSettingsForm = ({ site, onChanged }: { site: SiteDto; onChanged: () => void }) => {
  const { settings, sid, mid, rid } = site;
  if (!isOfAlerts(settings)) return null;
  if (!setAlertSettings.isAllowed()) return <Read settings={settings} />;
  const send = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const isTicked = (name: string) => new FormData(form).get(name) === 'on';
    const hours = (type: 'FRAUD' | 'DISPUTE' | 'CANCEL') =>
      fields[`deadline_hours.${type}`] ?? settings.deadline_hours[type];
    await setAlertSettings({
      params: { mid, rid, sid },
      body: {
        alertapiurl: fields['alertapiurl'] ?? null,
        statusupdate_url: fields['statusupdate_url'] ?? null,
        enrollment_url: fields['enrollment_url'] ?? null,
        ...(fields['token'] && { token: fields['token'] }),
        default_dispute_action: pickAction(fields['default_dispute_action']),
        max_refund_amount: fields['max_refund_amount'] ?? null,
        max_daily_refunds: fields['max_daily_refunds'] ?? null,
        alert_email: fields['alert_email'] ?? '',
        alert_triggeremail: isTicked('alert_triggeremail'),
        deadline_warning: isTicked('deadline_warning'),
        deadline_hours: { FRAUD: hours('FRAUD'), DISPUTE: hours('DISPUTE'), CANCEL: hours('CANCEL') },
      },
    });
    const isNew = (fields['alertapiurl'] || null) !== settings.alertapiurl;
    say(
      isNew && fields['alertapiurl']
        ? translate('The settings are saved. Test the endpoint next.')
        : translate('The settings are saved.'),
    );
    onChanged();
  };
  return (
    <>
      <Card title={translate('Alerts')}>
        <Form onSend={send} send={translate('Save')}>
          {(problems) => (
            <>
              <Endpoints {...{ settings, problems }} />
              <Money {...{ settings, problems }} />
              <Mails {...{ settings, problems }} />
            </>
          )}
        </Form>
      </Card>
      {settings.alertapiurl !== null && (
        <EndpointTest key={settings.alertapiurl} site={site} url={settings.alertapiurl} />
      )}
    </>
  );
};

/** For a site without any settings: makes it one that receives alerts. */
export const BeginAlerts = ({ site: { mid, rid, sid }, onChanged }: { site: SiteDto; onChanged: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const begin = async () => {
    await setAlertSettings({ params: { mid, rid, sid }, body: {} });
    say(translate('The site receives alerts now. Name its endpoint next.'));
    setOpen(false);
    onChanged();
  };
  return (
    <Card title={translate('What the site is for')}>
      <p>
        {compose('Nothing yet. It can receive alerts, which is set up here; for payments or 3-D Secure use {link}.', {
          link: <a href="docs">{translate('the API')}</a>,
        })}
      </p>
      {setAlertSettings.isAllowed() && (
        <div class="buttons">
          <Button look="main" onPress={() => setOpen(true)}>
            {translate('Use it for alerts')}
          </Button>
        </div>
      )}
      {isOpen && (
        <Confirm
          title={translate('Use the site for alerts?')}
          yes={translate('Use it for alerts')}
          onYes={begin}
          onClose={() => setOpen(false)}
        >
          <p>{translate('This is permanent: the site cannot take payments afterwards.')}</p>
        </Confirm>
      )}
    </Card>
  );
};

const pickAction = (text: string | undefined) =>
  (['REFUND', 'CANCEL', 'REVIEW'] as const).find((one) => one === text) ?? null;

type PartProps = { settings: Settings; problems: Readonly<Record<string, string>> };

const deadlineLabels = {
  FRAUD: translate('Time to answer fraud'),
  DISPUTE: translate('Time to answer disputes'),
  CANCEL: translate('Time to answer cancels'),
} as const;

const endpoints = [
  ['alertapiurl', translate('New alerts go to')],
  ['statusupdate_url', translate('Status updates go to')],
  ['enrollment_url', translate('Enrollment updates go to')],
] as const;

const Endpoints = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('Endpoints')}</legend>
    {endpoints.map(([name, label]) => (
      <Field
        key={name}
        label={label}
        name={name}
        type="url"
        defaultValue={settings[name] ?? ''}
        problem={problems[name]}
      />
    ))}
    <Field
      label={settings.token_set ? translate('New token for your endpoints') : translate('Token for your endpoints')}
      name="token"
      autoComplete="off"
      hint={
        settings.token_set
          ? translate('One is set. Leave empty to keep it.')
          : translate('Sent in the authorization header.')
      }
      problem={problems['token']}
    />
  </fieldset>
);

const Money = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('Decisions')}</legend>
    <Select
      label={translate('What a dispute asks for')}
      name="default_dispute_action"
      choices={actions}
      defaultValue={settings.default_dispute_action ?? ''}
      problem={problems['default_dispute_action']}
    />
    <div class="fields">
      <Field
        label={translate('Maximum refund by rules')}
        name="max_refund_amount"
        inputMode="decimal"
        defaultValue={settings.max_refund_amount ?? ''}
        problem={problems['max_refund_amount']}
      />
      <Field
        label={translate('Refunds by rules per day')}
        name="max_daily_refunds"
        type="number"
        min={0}
        defaultValue={settings.max_daily_refunds ?? ''}
        problem={problems['max_daily_refunds']}
      />
    </div>
    <p class="small quiet">
      {compose(
        'The network decides the {deadline} of an alert. It counts from the time that the network states, or from receipt if it states none. Fewer hours here make it earlier.',
        {
          deadline: <Term name="deadline">{inSentence(translate('Deadline'))}</Term>,
        },
      )}
    </p>
    <div class="fields">
      {(['FRAUD', 'DISPUTE', 'CANCEL'] as const).map((type) => (
        <Field
          key={type}
          label={deadlineLabels[type]}
          name={`deadline_hours.${type}`}
          type="number"
          min={1}
          max={720}
          required
          unit={translate('hours')}
          defaultValue={settings.deadline_hours[type]}
          problem={problems[`deadline_hours.${type}`]}
        />
      ))}
    </div>
  </fieldset>
);

const Mails = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('E-mails')}</legend>
    <Check
      label={translate('E-mail every new alert')}
      name="alert_triggeremail"
      defaultChecked={settings.alert_triggeremail === 1}
    />
    <Field
      label={translate('To')}
      name="alert_email"
      defaultValue={settings.alert_email}
      hint={translate('Addresses, separated by commas.')}
      problem={problems['alert_email']}
    />
    <Check
      label={translate('Notify before a deadline passes')}
      name="deadline_warning"
      defaultChecked={settings.deadline_warning}
    />
  </fieldset>
);

const Read = ({ settings }: { settings: Settings }) => (
  <Card title={translate('Alerts')}>
    <Facts
      facts={[
        [translate('New alerts go to'), settings.alertapiurl],
        [translate('Status updates go to'), settings.statusupdate_url],
        [translate('Enrollment updates go to'), settings.enrollment_url],
        [translate('Token'), settings.token_set ? translate('Set') : translate('None')],
        [
          translate('Maximum refund by rules'),
          settings.max_refund_amount === null ? '' : String(settings.max_refund_amount),
        ],
        ...(['FRAUD', 'DISPUTE', 'CANCEL'] as const).map(
          (type) =>
            [
              deadlineLabels[type],
              translateCount(settings.deadline_hours[type], 'at most {count} hour', 'at most {count} hours'),
            ] as const,
        ),
        [translate('Mailed to'), settings.alert_triggeremail === 1 ? settings.alert_email : ''],
      ]}
    />
  </Card>
);
