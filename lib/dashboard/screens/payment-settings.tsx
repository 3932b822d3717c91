import type { setPaymentSettingsOperation as SetPaymentSettingsOperation } from '#accounts/merchants/api/set-payment-settings/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import type { SiteDto } from './site-operations.ts';

export const setPaymentSettings = remote<typeof SetPaymentSettingsOperation>({
  path: '/api/v3/site/mid/{mid}/rid/{rid}/sid/{sid}/payment',
  roles: ['manager'],
});

type Settings = Exclude<NonNullable<SiteDto['settings']>, { deadline_hours: unknown } | { servicesettings: unknown }>;
const isOfPayments = (site: SiteDto): site is SiteDto & { settings: Settings | null } => site.type === 'payment';

const refundFlag = 'allow_refund';
/** The flags of the API are 1 or 0. */
const flags = [
  { name: 'skip_ccv', label: translate('Accept payments without the security code') },
  { name: 'allow_rebilling', label: translate('Allow repeat charges without it') },
  { name: 'shipping_n_tracking', label: translate('Require a shipping address') },
  { name: 'proceedeveniffail', label: translate('Accept payments if the fraud check is unavailable') },
  { name: 'bin_currency', label: translate('Offer the currency of the card’s country') },
] as const;
const mailFlags = [
  { name: 'first_transaction_alert', label: translate('E-mail the first payment') },
  { name: 'stop_send_email', label: translate('Send no e-mails, not even to payers') },
] as const;

const receivers = [
  { name: 'notify_email', label: translate('Payments are mailed to') },
  { name: 'cbreportemail', label: translate('Chargebacks are mailed to') },
] as const;

const signatures = [
  { value: 'optional', label: translate('Optional') },
  { value: 'required', label: translate('Required') },
] as const;

/** The form for a payment site's settings. The fraud template and the processors are set elsewhere. */
export const PaymentSettingsForm = ({ site, onChanged }: { site: SiteDto; onChanged: () => void }) => {
  if (!isOfPayments(site)) return null;
  const { mid, rid, sid } = site;
  const settings = site.settings ?? {};
  const send = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const ticked = new FormData(form);
    const names = [...[...flags, ...mailFlags].map(({ name }) => name), refundFlag];
    await setPaymentSettings({
      params: { mid, rid, sid },
      body: {
        ...Object.fromEntries(names.map((name) => [name, ticked.get(name) === 'on' ? 1 : 0])),
        allow_refund_time: fields['allow_refund_time'] ?? 0,
        margin_percentage: fields['margin_percentage'],
        signature: signatures.find(({ value }) => value === fields['signature'])?.value,
        notify_email: fields['notify_email'] ?? '',
        cbreportemail: fields['cbreportemail'] ?? '',
        emaildomain: fields['emaildomain'] ?? '',
      },
    });
    say(translate('The settings are saved.'));
    onChanged();
  };
  return (
    <Card title={translate('Payments')}>
      <Form onSend={send} send={translate('Save')}>
        {(problems) => (
          <>
            <Accepting {...{ settings, problems }} />
            <Refunds {...{ settings, problems }} />
            <Mails {...{ settings, problems }} />
          </>
        )}
      </Form>
    </Card>
  );
};

type PartProps = { settings: Settings; problems: Readonly<Record<string, string>> };

const Accepting = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('Accepting payments')}</legend>
    {flags.map(({ name, label }) => (
      <Check key={name} label={label} name={name} defaultChecked={settings[name] === 1} />
    ))}
    <div class="fields">
      <Field
        label={translate('Added to exchange rates, percent')}
        name="margin_percentage"
        inputMode="decimal"
        defaultValue={settings.margin_percentage ?? ''}
        required={settings.margin_percentage !== undefined}
        hint={translate('If this is empty, the retailer’s percentage applies.')}
        problem={problems['margin_percentage']}
      />
      <Select
        label={translate('Signature of the body')}
        name="signature"
        choices={signatures}
        defaultValue={settings.signature ?? 'optional'}
        problem={problems['signature']}
      />
    </div>
  </fieldset>
);

const Refunds = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('Refunds')}</legend>
    <Check label={translate('Allow refunds')} name={refundFlag} defaultChecked={settings.allow_refund !== 0} />
    <Field
      label={translate('Days for refunds (0: no limit)')}
      name="allow_refund_time"
      type="number"
      min={0}
      defaultValue={settings.allow_refund_time ?? 0}
      problem={problems['allow_refund_time']}
    />
  </fieldset>
);

const Mails = ({ settings, problems }: PartProps) => (
  <fieldset class="stack">
    <legend>{translate('E-mails')}</legend>
    {receivers.map(({ name, label }) => (
      <Field
        key={name}
        label={label}
        name={name}
        defaultValue={settings[name] ?? ''}
        hint={translate('Addresses, separated by commas.')}
        problem={problems[name]}
      />
    ))}
    <Field
      label={translate('Payers reply to')}
      name="emaildomain"
      defaultValue={settings.emaildomain ?? ''}
      hint={translate('A domain, such as shop.example: payers reply to payments@shop.example.')}
      problem={problems['emaildomain']}
    />
    {mailFlags.map(({ name, label }) => (
      <Check key={name} label={label} name={name} defaultChecked={settings[name] === 1} />
    ))}
  </fieldset>
);
