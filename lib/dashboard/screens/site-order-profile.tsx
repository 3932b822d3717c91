import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field, LongField } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { amountText } from '../parts/money.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { orderProfile, type ProfileDto, type SiteDto, setOrderProfile } from './site-operations.ts';
import { SiteOrderSource } from './site-order-source.tsx';

const shop = [
  ['display_name', translate('Shop name'), 'text'],
  ['support_email', translate('Support e-mail'), 'email'],
  ['support_phone', translate('Support telephone'), 'tel'],
  ['support_url', translate('Support page'), 'url'],
] as const;

const logo = [['logo_url', translate('Logo that banks show'), 'url']] as const;
const refunds = [['refund_policy_url', translate('Page with the whole policy'), 'url']] as const;
const terms = [
  ['terms_url', translate('Terms'), 'url'],
  ['cancellation_policy_url', translate('Cancellation policy'), 'url'],
] as const;
const fieldsOfShop = [...shop, ...logo, ...refunds, ...terms] as const;

const parts = [
  ['address', translate('Street and number')],
  ['postcode', translate('Postcode')],
  ['suburb_city', translate('City')],
  ['state', translate('State|address')],
  ['country', translate('Country (two letters)')],
] as const;

/** Only in letters. */
const letterTexts = [
  ['checkout_terms', translate('How customers agree to the terms at checkout')],
  ['delivery_terms', translate('What customers are told about delivery')],
] as const;

/** A shop as banks show it with its orders, and as letters begin. */
export const SiteOrderProfile = ({ site }: { site: SiteDto }) => {
  const { sid } = site;
  const { data, error, reload } = useLoad(`profile ${sid}`, (signal) => orderProfile({ params: { sid }, signal }));
  return (
    <>
      <Card title={translate('Business profile')}>
        <p class="small quiet">
          {translate(
            'How banks show the shop to cardholders, with what they bought, and the head of every letter to a bank. An order keeps the profile it was stored with.',
          )}
        </p>
        <Trouble error={error} onRetry={reload} />
        {!data && !error && <Waiting rows={5} />}
        {data && (
          <div class="columns">
            <Letterhead profile={data} />
            <BankPage profile={data} />
          </div>
        )}
        {data &&
          (setOrderProfile.isAllowed() ? (
            <ProfileForm sid={sid} profile={data} onSaved={reload} />
          ) : (
            <Read profile={data} />
          ))}
      </Card>
      {data && <SiteOrderSource site={site} source={data.order_source} onChanged={reload} />}
    </>
  );
};

const Read = ({ profile }: { profile: ProfileDto }) => (
  <Facts
    facts={[
      ...fieldsOfShop.map(
        ([name, label, type]) => [label, type === 'url' ? <Page url={profile[name]} /> : profile[name]] as const,
      ),
      [
        translate('Address'),
        parts
          .map(([name]) => profile.address?.[name])
          .filter(Boolean)
          .join(', '),
      ],
      [translate('Refunds'), profile.refund_policy],
      ...letterTexts.map(([name, label]) => [label, profile[name]] as const),
      [translate('Orders are kept for'), translateCount(profile.retain_days, '{count} days', '{count} days')],
    ]}
  />
);

/** A page of the shop: a link that is seen to be one. */
const Page = ({ url }: { url: string | null | undefined }) =>
  url ? (
    <a href={url} target="_blank" rel="noreferrer">
      {url}
    </a>
  ) : null;

/** The head of a letter to a bank, as far as it is filled. */
const Letterhead = ({ profile }: { profile: ProfileDto }) => {
  const { address, display_name, support_email, support_phone, logo_type } = profile;
  const lines = [
    address?.['address'],
    [address?.['postcode'], address?.['suburb_city']].filter(Boolean).join(' '),
    [address?.['state'], address?.['country']].filter(Boolean).join(', '),
    [support_email, support_phone].filter(Boolean).join(' · '),
  ].filter(Boolean);
  return (
    <section class="letterhead" aria-label={translate('The head of your letters')}>
      <p class="small quiet">{translate('The head of your letters, as saved')}</p>
      <p>
        <strong>{display_name ?? translate('The shop has no name yet')}</strong>
        {logo_type !== null && <span class="quiet"> · {translate('with your logo')}</span>}
      </p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {lines.length === 0 && <p class="quiet">{translate('There is no address yet.')}</p>}
    </section>
  );
};

/** The page that banks show cardholders, with an example of a purchase, as far as the profile is filled. */
const BankPage = ({ profile }: { profile: ProfileDto }) => {
  const { display_name, logo_url, support_email, support_phone, support_url, refund_policy } = profile;
  const questions = [support_email, support_phone, support_url].filter(Boolean).join(' · ');
  const links = ([...refunds, ...terms] as const).flatMap(([name, label]) => (profile[name] ? [label] : []));
  const missing = [
    !logo_url && translate('Logo'),
    !questions && translate('Questions'),
    !refund_policy && !profile.refund_policy_url && translate('Refund policy'),
  ].filter((one) => one !== false);
  return (
    <section class="letterhead" aria-label={translate('The page that banks show')}>
      <p class="small quiet">{translate('The page that banks show, as saved, with an example')}</p>
      <p>
        <strong>{display_name ?? translate('The shop has no name yet')}</strong>
        {logo_url && <span class="quiet"> · {translate('with your logo')}</span>}
      </p>
      <p>{translate('1 × concert ticket, {amount}', { amount: amountText('58.00', 'USD') })}</p>
      {questions && <p>{translate('Questions: {ways}', { ways: questions })}</p>}
      {refund_policy && <p>{translate('Refunds: {policy}', { policy: refund_policy })}</p>}
      {links.length > 0 && <p class="quiet">{translate('With links: {names}', { names: links.join(', ') })}</p>}
      {missing.length > 0 && (
        <p class="small quiet">{translate('Not filled: {names}', { names: missing.join(', ') })}</p>
      )}
    </section>
  );
};

const profileFrom = (fields: Record<string, string>) => {
  const fieldOrNull = (name: string) => fields[name] ?? null;
  const address = Object.fromEntries(
    parts.flatMap(([name]) => (fields[`address.${name}`] ? [[name, fields[`address.${name}`]]] : [])),
  );
  return {
    ...Object.fromEntries(fieldsOfShop.map(([name]) => [name, fieldOrNull(name)])),
    ...Object.fromEntries(
      ['refund_policy', ...letterTexts.map(([name]) => name)].map((name) => [name, fieldOrNull(name)]),
    ),
    address: Object.keys(address).length === 0 ? null : address,
    ...(fields['retain_days'] !== undefined && { retain_days: fields['retain_days'] }),
  };
};

type ShopFieldsProps = {
  legend: string;
  /** Why the part has two fields for one thing. */
  why?: string;
  fields: readonly (typeof fieldsOfShop)[number][];
  profile: ProfileDto;
  problems: Readonly<Record<string, string>>;
  children?: ComponentChildren;
};

const ShopFields = ({ legend, why, fields, profile, problems, children }: ShopFieldsProps) => (
  <fieldset class="fields">
    <legend>{legend}</legend>
    {why && <p class="small quiet">{why}</p>}
    {fields.map(([name, label, type]) => (
      <Field
        key={name}
        {...{ name, label, type }}
        defaultValue={profile[name] ?? ''}
        hint={type === 'url' && profile[name] ? <Page url={profile[name]} /> : undefined}
        problem={problems[name]}
      />
    ))}
    {children}
  </fieldset>
);

type FieldsProps = Pick<ShopFieldsProps, 'profile' | 'problems'>;

const AddressFields = ({ profile, problems }: FieldsProps) => (
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
);

/** Settings of which there are two, together with the reason. */
const DoubleFields = ({ sid, profile, problems }: FieldsProps & { sid: number }) => (
  <>
    <ShopFields
      legend={translate('Logo')}
      why={translate('Two, as banks fetch theirs from an address, and a letter contains its own.')}
      fields={logo}
      {...{ profile, problems }}
    >
      <LogoField sid={sid} type={profile.logo_type} problem={problems['logo']} />
    </ShopFields>
    <ShopFields
      legend={translate('Refund policy')}
      why={translate('Two, as letters quote the sentence, and banks link to the page.')}
      fields={refunds}
      {...{ profile, problems }}
    >
      <LongField
        label={translate('In a sentence')}
        name="refund_policy"
        maxLength={250}
        defaultValue={profile.refund_policy ?? ''}
        problem={problems['refund_policy']}
      />
    </ShopFields>
  </>
);

type ProfileFormProps = { sid: number; profile: ProfileDto; onSaved: () => void };

const ProfileForm = ({ sid, profile, onSaved }: ProfileFormProps) => {
  const send = async (fields: Record<string, string>) => {
    await setOrderProfile({ params: { sid }, body: profileFrom(fields) });
    say(translate('The business profile is saved.'));
    onSaved();
  };
  return (
    <Form onSend={send} send={translate('Save the profile')}>
      {(problems) => (
        <>
          <ShopFields legend={translate('Shop')} fields={shop} {...{ profile, problems }} />
          <AddressFields {...{ profile, problems }} />
          <DoubleFields {...{ sid, profile, problems }} />
          <ShopFields legend={translate('Terms')} fields={terms} {...{ profile, problems }} />
          {letterTexts.map(([name, label]) => (
            <LongField
              key={name}
              {...{ label, name }}
              maxLength={1000}
              defaultValue={profile[name] ?? ''}
              problem={problems[name]}
            />
          ))}
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

const maxLogoBytes = 32 * 1024;

/** The logo at the head of letters: saved as soon as a picture is chosen, removed with a button. */
const LogoField = ({
  sid,
  type,
  problem,
}: {
  sid: number;
  type: ProfileDto['logo_type'];
  problem: string | undefined;
}) => {
  const [present, setPresent] = useState(type);
  const save = async (logo: string | null) => {
    try {
      const { logo_type } = await setOrderProfile({ params: { sid }, body: { logo } });
      setPresent(logo_type);
      say(logo === null ? translate('The logo is removed.') : translate('The logo is saved.'));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), 'bad');
    }
  };
  const choose = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > maxLogoBytes) return say(translate('The logo may have at most 32 KB.'), 'bad');
    const bytes = new Uint8Array(await file.arrayBuffer());
    await save(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
  };
  return (
    <div class="fields">
      <Field
        label={translate('Logo for letters: a PNG or JPEG of at most 32 KB')}
        type="file"
        accept="image/png,image/jpeg"
        hint={present === null ? undefined : translate('A logo is saved.')}
        problem={problem}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />
      {present !== null && <Button onPress={() => save(null)}>{translate('Remove the logo')}</Button>}
    </div>
  );
};
