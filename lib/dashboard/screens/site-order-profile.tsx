import { say } from '../app/messages.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field, LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { orderProfile, type ProfileDto, type SiteDto, setOrderProfile } from './site-operations.ts';
import { SiteOrderSource } from './site-order-source.tsx';

const shop = [
  ['display_name', translate('Shop name'), 'text'],
  ['support_email', translate('Support e-mail'), 'email'],
  ['support_phone', translate('Support telephone'), 'tel'],
] as const;

const pages = [
  ['support_url', translate('Support page'), 'url'],
  ['logo_url', translate('Logo'), 'url'],
  ['refund_policy_url', translate('Refund policy'), 'url'],
  ['terms_url', translate('Terms'), 'url'],
  ['cancellation_policy_url', translate('Cancellation policy'), 'url'],
] as const;

const parts = [
  ['address', translate('Street and number')],
  ['postcode', translate('Postcode')],
  ['suburb_city', translate('City')],
  ['state', translate('State|address')],
  ['country', translate('Country (two letters)')],
] as const;

/** A shop as banks show it with its orders. */
export const SiteOrderProfile = ({ site }: { site: SiteDto }) => {
  const { sid } = site;
  const { data, error, reload } = useLoad(`profile ${sid}`, (signal) => orderProfile({ params: { sid }, signal }));
  return (
    <>
      <Card title={translate('Order profile')}>
        <p class="small quiet">
          {translate(
            'How banks show the shop to cardholders, beside what they bought. An order keeps the profile it was stored with.',
          )}
        </p>
        <Trouble error={error} onRetry={reload} />
        {!data && !error && <Waiting rows={5} />}
        {data && (setOrderProfile.isAllowed() ? <ProfileForm sid={sid} profile={data} /> : <Read profile={data} />)}
      </Card>
      {data && <SiteOrderSource site={site} source={data.order_source} onChanged={reload} />}
    </>
  );
};

const Read = ({ profile }: { profile: ProfileDto }) => (
  <Facts
    facts={[
      ...[...shop, ...pages].map(([name, label]) => [label, profile[name]] as const),
      [
        translate('Address'),
        parts
          .map(([name]) => profile.address?.[name])
          .filter(Boolean)
          .join(', '),
      ],
      [translate('Refunds'), profile.refund_policy],
      [translate('Orders are kept for'), translateCount(profile.retain_days, '{count} days', '{count} days')],
    ]}
  />
);

const profileFrom = (fields: Record<string, string>) => {
  const fieldOrNull = (name: string) => fields[name] ?? null;
  const address = Object.fromEntries(
    parts.flatMap(([name]) => (fields[`address.${name}`] ? [[name, fields[`address.${name}`]]] : [])),
  );
  return {
    ...Object.fromEntries([...shop, ...pages].map(([name]) => [name, fieldOrNull(name)])),
    refund_policy: fieldOrNull('refund_policy'),
    address: Object.keys(address).length === 0 ? null : address,
    ...(fields['retain_days'] !== undefined && { retain_days: fields['retain_days'] }),
  };
};

type ShopFieldsProps = {
  legend: string;
  fields: typeof shop | typeof pages;
  profile: ProfileDto;
  problems: Readonly<Record<string, string>>;
};

const ShopFields = ({ legend, fields, profile, problems }: ShopFieldsProps) => (
  <fieldset class="fields">
    <legend>{legend}</legend>
    {fields.map(([name, label, type]) => (
      <Field key={name} {...{ name, label, type }} defaultValue={profile[name] ?? ''} problem={problems[name]} />
    ))}
  </fieldset>
);

const ProfileForm = ({ sid, profile }: { sid: number; profile: ProfileDto }) => {
  const send = async (fields: Record<string, string>) => {
    await setOrderProfile({ params: { sid }, body: profileFrom(fields) });
    say(translate('The order profile is saved.'));
  };
  return (
    <Form onSend={send} send={translate('Save the profile')}>
      {(problems) => (
        <>
          <ShopFields legend={translate('Shop')} fields={shop} {...{ profile, problems }} />
          <ShopFields legend={translate('Links')} fields={pages} {...{ profile, problems }} />
          <fieldset class="fields">
            <legend>{translate('Address')}</legend>
            {parts.map(([name, label]) => (
              <Field
                key={name}
                label={label}
                name={`address.${name}`}
                defaultValue={profile.address?.[name] ?? ''}
                problem={problems[`address.${name}`]}
              />
            ))}
          </fieldset>
          <LongField
            label={translate('Refund policy in a sentence')}
            name="refund_policy"
            maxLength={250}
            defaultValue={profile.refund_policy ?? ''}
            problem={problems['refund_policy']}
          />
          <div class="fields">
            <Field
              label={translate('Days to keep orders')}
              name="retain_days"
              type="number"
              min={30}
              max={1100}
              defaultValue={profile.retain_days}
              problem={problems['retain_days']}
            />
          </div>
        </>
      )}
    </Form>
  );
};
