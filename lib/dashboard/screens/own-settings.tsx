import type { setOwnSettingsOperation as SetOwnSettingsOperation } from '#accounts/auth/api/set-own-settings/operation.ts';
import type { ReplyOf } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Check, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import type { Loaded } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { setOwnSettings } from './own-settings-operation.ts';
import { alertEmailWords } from './setting-words.ts';

/** The zones that this browser knows, its own first. */
const findZones = (chosen: string | null): string[] => {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])].filter(
    (zone) => zone !== 'UTC',
  );
};

const sayWhere = (email: string): string =>
  email === ''
    ? translate('You have no e-mail address here, so none of these reach you. A manager can add one under Users.')
    : translate('They go to {email}.', { email });

/** The settings of the e-mails that the signed-in user gets. */
export const OwnSettings = ({ data, error, reload }: Loaded<ReplyOf<typeof SetOwnSettingsOperation>>) => {
  const save = async ({ time_zone = '', alert_emails, monthly_report }: Record<string, string>) => {
    const emails = alert_emails === 'daily' ? 'daily' : 'each';
    await setOwnSettings({
      body: { time_zone: time_zone || null, alert_emails: emails, monthly_report: monthly_report === 'on' },
    });
    say(translate('Your settings are saved.'));
    reload();
  };
  return (
    <Card title={translate('E-mails to you')}>
      {!data && <Trouble error={error} onRetry={reload} />}
      {!data && !error && <Waiting rows={2} />}
      {data && <p class="quiet">{sayWhere(data.email)}</p>}
      {data && (
        <Form onSend={save} send={translate('Save')}>
          {(problems) => (
            <>
              <Select
                name="time_zone"
                label={translate('Time zone of deadlines')}
                hint={translate('E-mails state deadlines in this time zone.')}
                choices={[
                  { value: '', label: 'UTC' },
                  ...findZones(data.time_zone).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
                ]}
                defaultValue={data.time_zone ?? ''}
                problem={problems['time_zone']}
              />
              <Select
                name="alert_emails"
                label={translate('New and changed alerts')}
                hint={translate('Warnings of deadlines, assignments and mentions always come at once.')}
                choices={[
                  { value: 'each', label: alertEmailWords.each },
                  { value: 'daily', label: alertEmailWords.daily },
                ]}
                defaultValue={data.alert_emails}
                problem={problems['alert_emails']}
              />
              <Check
                name="monthly_report"
                label={translate('The report of each month, as a PDF')}
                hint={translate('It comes on the first day of the next month.')}
                defaultChecked={data.monthly_report}
              />
            </>
          )}
        </Form>
      )}
    </Card>
  );
};
