import { useState } from 'preact/hooks';
import type { createApiKeyOperation as CreateApiKeyOperation } from '#accounts/auth/api/create-api-key/operation.ts';
import type { listApiKeysOperation as ListApiKeysOperation } from '#accounts/auth/api/list-api-keys/operation.ts';
import type { revokeApiKeyOperation as RevokeApiKeyOperation } from '#accounts/auth/api/revoke-api-key/operation.ts';
import { link } from '../app/address.ts';
import { type RowOf, remote } from '../app/client.ts';
import { serviceNow } from '../app/clock.ts';
import { ofMerchant } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { translate } from '../language/translate.ts';
import { AddButton } from '../parts/add-button.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Listing } from '../parts/listing.tsx';
import type { PageAsked } from '../parts/narrow-pages.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { type ApiKeySent, NewApiKeyForm } from './new-api-key.tsx';
import { permissionLabels } from './permission-words.ts';

export const listApiKeys = remote<typeof ListApiKeysOperation>({ path: '/api/v3/api-keys/list', roles: ['manager'] });
const createApiKey = remote<typeof CreateApiKeyOperation>({ path: '/api/v3/api-keys/create', roles: ['manager'] });
const revokeApiKey = remote<typeof RevokeApiKeyOperation>({ path: '/api/v3/api-keys/revoke', roles: ['manager'] });
type Row = RowOf<typeof ListApiKeysOperation>;

const load = (_: unknown, page: PageAsked, signal?: AbortSignal) =>
  listApiKeys({ body: { ...ofMerchant(), ...page }, ...(signal && { signal }) });

const sayLimits = ({ sites, ip_ranges: ranges }: Row): string =>
  [sites && translate('Sites {sites}', { sites: sites.join(', ') }), ranges.join(', ')].filter(Boolean).join(' · ') ||
  translate('None');

const makeColumns = (reload: () => void): readonly Column<Row>[] => [
  { label: translate('Name'), isMain: true, cell: ({ name }) => name },
  { label: translate('Number'), isShort: true, cell: ({ id }) => String(id) },
  {
    label: translate('Permissions'),
    isPlain: true,
    cell: ({ permissions }) => permissions.map((name) => permissionLabels[name]).join('; '),
  },
  { label: translate('Limits'), isExtra: true, cell: sayLimits },
  {
    label: translate('Last used'),
    cell: ({ last_used_at: at }) => (at === null ? translate('Never') : <Time at={at} />),
  },
  {
    label: translate('Expires'),
    cell: ({ expires_at: at }) => (at === null ? translate('Never') : <Time at={at} />),
  },
  { label: translate('State'), isPlain: true, cell: (row) => <State {...row} /> },
  {
    label: translate('Revoke'),
    isPlain: true,
    cell: (row) => row.revoked_at === null && <Revoke row={row} onDone={reload} />,
  },
];

const keyCsv = (row: Row) => ({
  ...row,
  permissions: row.permissions.join(' '),
  sites: row.sites?.join(' ') ?? '',
  ip_ranges: row.ip_ranges.join(' '),
});

/** The log of a key: of the day on which it was last used, unless that is today. */
const logOf = ({ id, last_used_at: at }: Row): string => {
  const today = new Date(serviceNow()).toISOString().slice(0, 10);
  return link(`/api-keys/${id}`, at !== null && at.slice(0, 10) !== today ? { day: at.slice(0, 10) } : {});
};

/** The API keys of a merchant's programs. */
export const ApiKeys = () => {
  const [version, setVersion] = useState(0);
  const [key, setKey] = useState<string>();
  const reload = () => setVersion((before) => before + 1);
  const show = (made: string) => {
    setKey(made);
    reload();
  };
  return (
    <Screen
      title={translate('API keys')}
      lede={translate('Your programs call the service with API keys.')}
      actions={listApiKeys.isAllowed() && <Create onDone={show} />}
    >
      <PeopleTabs at="/api-keys" />
      {listApiKeys.isAllowed() ? (
        <Listing<Row>
          name="api-keys"
          caption={translate('API keys')}
          filters={[]}
          columns={makeColumns(reload)}
          load={load}
          version={version}
          csvOf={keyCsv}
          keyOf={({ id }) => String(id)}
          hrefOf={logOf}
          empty={
            <p>
              {translate(
                'Create a key for each program that calls the service, with no more permissions than it needs.',
              )}
            </p>
          }
        />
      ) : (
        <div class="empty">
          <p>{translate('Managers create and revoke API keys.')}</p>
        </div>
      )}
      {key !== undefined && (
        <SecretDialog
          title={translate('Your API key')}
          secrets={[{ name: translate('key'), text: key }]}
          done={translate('I have copied it')}
          onClose={() => setKey(undefined)}
          isFirm
        >
          <p>{translate('Copy it into your program’s secrets now. It will not be shown again.')}</p>
        </SecretDialog>
      )}
    </Screen>
  );
};

const State = ({ revoked_at: revoked, expires_at: expires }: Row) => {
  if (revoked !== null) return <Badge state="DISABLED" label={translate('Revoked')} />;
  const isOver = expires !== null && Date.parse(expires) <= serviceNow();
  return isOver ? (
    <Badge state="DISABLED" label={translate('Expired')} />
  ) : (
    <Badge state="OK" label={translate('Valid')} />
  );
};

const Create = ({ onDone }: { onDone: (key: string) => void }) => {
  const send = async (body: ApiKeySent, close: () => void) => {
    const { key } = await createApiKey({ body: { ...ofMerchant(), ...body } });
    close();
    onDone(key);
  };
  return (
    <AddButton words={translate('Create a key')} title={translate('Create an API key')}>
      {({ isDisabled, close }) => <NewApiKeyForm onSend={(body) => send(body, close)} isDisabled={isDisabled} />}
    </AddButton>
  );
};

const Revoke = ({ row: { id, name }, onDone }: { row: Row; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const revoke = async () => {
    await revokeApiKey({ body: { id } });
    setOpen(false);
    say(translate('{name} was revoked.', { name }));
    onDone();
  };
  return (
    <>
      <Button aria-label={translate('Revoke {name}', { name })} onPress={() => setOpen(true)}>
        {translate('Revoke')}
      </Button>
      {isOpen && (
        <Confirm
          title={translate('Revoke {name}?', { name })}
          yes={translate('Revoke')}
          onYes={revoke}
          onClose={() => setOpen(false)}
        >
          <p>{translate('Programs that use this key are refused within a minute. This cannot be undone.')}</p>
        </Confirm>
      )}
    </>
  );
};
