import { useState } from 'preact/hooks';
import { say } from '../app/messages.tsx';
import { connectionsOf } from '../app/operations.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { countText } from '../parts/words.ts';
import { type ProfileDto, type SiteDto, setOrderProfile } from './site-operations.ts';

type Source = ProfileDto['order_source'];
const shopTitles = { shopify: 'Shopify', woocommerce: 'WooCommerce' } as const;

type Props = { site: SiteDto; source: Source; onChanged: () => void };

/** The shop that a site's orders are imported from. */
export const SiteOrderSource = (props: Props) => (
  <Card title={translate('Import of orders')}>
    <p class="small quiet">
      {translate(
        'Orders of a shop at Shopify or WooCommerce are read every 15 minutes, so that banks find them. The first import reads 120 days.',
      )}
    </p>
    {props.source && <Progress source={props.source} />}
    {setOrderProfile.isAllowed() && <SourceForm {...props} />}
  </Card>
);

const countedText = (count: number) => count > 0 && countText(count);

const Progress = ({ source }: { source: NonNullable<Source> }) => (
  <>
    {source.trouble !== null && <p class="note warn">{source.trouble}</p>}
    {source.retries.length > 0 && (
      <div class="note warn">
        <p>{translate('These orders could not be read and are not found by banks. They are read again.')}</p>
        <ul>
          {source.retries.map(({ reference, reason, next_try_at: at }) => (
            <li key={reference}>
              {reason} {translate('Next try')}: <Time at={at} />
            </li>
          ))}
        </ul>
      </div>
    )}
    <Facts
      facts={[
        [translate('Shop'), source.base_url ?? shopTitles[source.kind]],
        [translate('Consumer key'), source.consumer_key],
        [translate('Last import'), source.last_run_at !== null && <Time at={source.last_run_at} />],
        [translate('Next import'), source.next_run_at !== null && <Time at={source.next_run_at} />],
        [translate('Orders imported'), countText(source.imported)],
        [translate('Refunds and deliveries added'), countedText(source.updated)],
        [translate('Left out: card not known'), countedText(source.without_card)],
        [translate('Orders refused'), countedText(source.refused)],
        [translate('Last refusal'), source.last_refusal],
        [translate('Refunds stated in two ways'), source.contradiction],
      ]}
    />
  </>
);

/** The source as the form has it; null: none. Keys that are left empty stay. */
const sourceFrom = ({
  kind,
  connection = '',
  base_url = '',
  consumer_key,
  consumer_secret,
}: Record<string, string>) => {
  if (kind === 'shopify') return { kind, connection } as const;
  if (kind !== 'woocommerce') return null;
  const keys = { ...(consumer_key && { consumer_key }), ...(consumer_secret && { consumer_secret }) };
  return { kind, base_url, ...keys } as const;
};

const SourceForm = ({ site: { sid, mid }, source, onChanged }: Props) => {
  const [kind, setKind] = useState<string>(source?.kind ?? '');
  const send = async (fields: Record<string, string>, form: HTMLFormElement) => {
    await setOrderProfile({ params: { sid }, body: { order_source: sourceFrom(fields) } });
    for (const field of form.querySelectorAll<HTMLInputElement>('input[autocomplete="off"]')) field.value = '';
    say(translate('The import of orders is saved.'));
    onChanged();
  };
  const choices = [
    { value: '', label: translate('No import') },
    { value: 'shopify', label: shopTitles.shopify },
    { value: 'woocommerce', label: shopTitles.woocommerce },
  ];
  return (
    <Form onSend={send} send={translate('Save the import')}>
      {(problems) => (
        <div class="fields">
          <Select
            label={translate('Import orders from')}
            name="kind"
            choices={choices}
            defaultValue={kind}
            onChange={(event) => setKind(event.currentTarget.value)}
          />
          {kind === 'shopify' && <ShopifyField {...{ mid, source, problems }} />}
          {kind === 'woocommerce' && <WooCommerceFields {...{ source, problems }} />}
        </div>
      )}
    </Form>
  );
};

type FieldsProps = { source: Source; problems: Readonly<Record<string, string>> };

const ShopifyField = ({ mid, source, problems }: FieldsProps & { mid: number }) => {
  const { data, error, reload } = useLoad(`shops ${mid}`, (signal) =>
    connectionsOf({ params: { mid }, body: {}, signal }),
  );
  if (error !== undefined) return <Trouble error={error} onRetry={reload} />;
  const shops = data?.connections.filter((one) => one.kind === 'shopify') ?? [];
  const problem = problems['order_source.connection'];
  return (
    <Select
      label={translate('Connection to Shopify')}
      hint={data && shops.length === 0 && translate('Connect the shop first, under Settings, Connections.')}
      name="connection"
      required
      choices={shops.map(({ id, label }) => ({ value: id, label }))}
      {...(source?.connection !== undefined && { defaultValue: source.connection })}
      problem={problem}
    />
  );
};

const WooCommerceFields = ({ source, problems }: FieldsProps) => (
  <>
    <Field
      label={translate('Address of the shop')}
      name="base_url"
      type="url"
      required
      defaultValue={source?.base_url ?? ''}
      problem={problems['order_source.base_url']}
    />
    <Field
      label={translate('Consumer key')}
      hint={translate(
        'From WooCommerce, Settings, Advanced, REST API, with the permission Read. Empty: the keys stay.',
      )}
      name="consumer_key"
      autocomplete="off"
      problem={problems['order_source.consumer_key']}
    />
    <Field
      label={translate('Consumer secret')}
      name="consumer_secret"
      type="password"
      autocomplete="off"
      problem={problems['order_source.consumer_secret']}
    />
  </>
);
