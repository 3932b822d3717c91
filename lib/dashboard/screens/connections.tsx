import { useState } from 'preact/hooks';
import type { connectionDetailsOperation as DetailsOperation } from '#disputes/connections/api/connection-details/operation.ts';
import type { registerWebhookOperation as RegisterOperation } from '#disputes/connections/api/register-webhook/operation.ts';
import type { setConnectionsOperation as SetOperation } from '#disputes/connections/api/set-connections/operation.ts';
import type { testConnectionOperation as TestOperation } from '#disputes/connections/api/test-connection/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { connectionsOf } from '../app/operations.ts';
import { Screen } from '../app/screen.tsx';
import { AddButton } from '../parts/add-button.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts } from '../parts/facts.tsx';
import { Waiting } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { SettingsTabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { ConnectionImport } from './connection-import.tsx';
import { type ConnectionSent, NewConnectionForm } from './new-connection.tsx';
import { connectionFields, processorTitle, registeringKinds } from './processor-fields.ts';

const set = remote<typeof SetOperation>({ path: '/api/v3/merchant/{mid}/connections', roles: ['manager'] });
const registerWebhook = remote<typeof RegisterOperation>({
  path: '/api/v3/merchant/{mid}/connections/{id}/register-webhook',
  roles: ['manager'],
});
const test = remote<typeof TestOperation>({ path: '/api/v3/merchant/{mid}/connections/{id}/test' });

type Connection = ReplyOf<typeof DetailsOperation>['connections'][number];

/** A connection that is sent again without its credentials keeps them. */
const withoutCredentials = ({ id, kind, label, sids, active }: Connection) => ({ id, kind, label, sids, active });

/** A merchant's own processors, at which disputed charges are found and refunded, and their past. */
export const Connections = () => {
  const mid = presentMid();
  const [version, setVersion] = useState(0);
  const [secret, setSecret] = useState<string>();
  const { data, error } = useLoad(mid === undefined ? null : `connections ${mid} ${version}`, (signal) =>
    connectionsOf({ params: { mid: mid ?? 0 }, body: {}, signal }),
  );
  const present = data?.connections ?? [];
  const reload = () => setVersion((before) => before + 1);
  const save = async (connections: ConnectionSent[]) => {
    const saved = await set({ params: { mid: mid ?? 0 }, body: { connections } });
    setSecret(saved.connections.at(-1)?.secret);
    reload();
  };
  const add = async (sent: ConnectionSent, close: () => void) => {
    await save([...present.map(withoutCredentials), sent]);
    close();
    say(`${sent.label}: connected.`);
  };
  const remove = ({ id }: Connection) => save(present.filter((one) => one.id !== id).map(withoutCredentials));
  return (
    <Screen
      title="Settings"
      lede="Your own processors: where the charges of your alerts are found and refunded."
      actions={
        set.isAllowed() &&
        (data || mid === undefined) && (
          <AddButton words="Connect a processor" title="Connect a processor">
            {({ isDisabled, close }) => (
              <NewConnectionForm isDisabled={isDisabled} onSend={(sent) => add(sent, close)} />
            )}
          </AddButton>
        )
      }
    >
      <SettingsTabs at="/connections" />
      <ByMerchant what="Connections">
        {error !== undefined && <Trouble error={error} onRetry={reload} />}
        {error === undefined && !data && <Waiting />}
        {data?.connections.length === 0 && <NoneYet />}
        {present.map((connection) => (
          <ConnectionCard key={connection.id} {...{ mid: mid ?? 0, connection }} onRemove={() => remove(connection)} />
        ))}
      </ByMerchant>
      {secret !== undefined && <SecretOnce {...{ secret }} onClose={() => setSecret(undefined)} />}
    </Screen>
  );
};

const NoneYet = () => (
  <div class="empty">
    <p>
      No processor is connected. Connect the one that takes your payments: Forewarn then finds the charge of each alert
      and can refund it.
    </p>
  </div>
);

const SecretOnce = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDialog
    title="The secret of your service"
    secrets={[{ name: 'secret', text: secret }]}
    done="I have copied it"
    onClose={onClose}
    isFirm
  >
    <p>Your service verifies the calls with it. It will not be shown again.</p>
  </SecretDialog>
);

const labelOf = (kind: string, name: string): string =>
  connectionFields[kind]?.find((one) => one.name === name)?.label.split(',')[0] ?? stateWords(name);

type CardProps = { mid: number; connection: Connection; onRemove: () => Promise<void> };

const ConnectionCard = ({ mid, connection, onRemove }: CardProps) => {
  const { id, kind, label, active, sids, credentials } = connection;
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Card
      title={label}
      actions={
        <>
          <TestButton {...{ mid, id, label }} />
          {registeringKinds.includes(kind) && registerWebhook.isAllowed() && <RegisterButton {...{ mid, id, label }} />}
          {set.isAllowed() && (
            <Button aria-label={`Remove ${label}`} onPress={() => setRemoving(true)}>
              Remove
            </Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          ['Processor', processorTitle(kind)],
          ['State', active ? <Badge state="OK" label="In use" /> : <Badge state="DISABLED" label="Not in use" />],
          ['For', sids === null ? 'All alert sites' : `Sites ${sids.join(', ')}`],
          ...Object.entries(credentials).map(([name, value]) => [labelOf(kind, name), value] as const),
        ]}
      />
      <ConnectionImport {...{ mid, id, label }} />
      {isRemoving && (
        <Confirm title={`Remove ${label}?`} yes="Remove" onYes={onRemove} onClose={() => setRemoving(false)}>
          <p>Charges are no longer searched there. Refunds that have begun are still completed.</p>
        </Confirm>
      )}
    </Card>
  );
};

const RegisterButton = ({ mid, id, label }: { mid: number; id: string; label: string }) => {
  const [isBusy, setBusy] = useState(false);
  const register = async () => {
    setBusy(true);
    try {
      const { registered, msg } = await registerWebhook({ params: { mid, id }, body: {} });
      say(registered ? `${label}: webhooks are registered.` : `${label}: ${msg}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button aria-label={`Register webhooks of ${label}`} onPress={register} isBusy={isBusy}>
      Register webhooks
    </Button>
  );
};

const TestButton = ({ mid, id, label }: { mid: number; id: string; label: string }) => {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<ReplyOf<typeof TestOperation>>();
  const run = async () => {
    setBusy(true);
    try {
      setResult(await test({ params: { mid, id }, body: {} }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <span role="status">
        {result && (
          <Badge
            state={result.works ? 'OK' : 'FAILED'}
            label={result.works ? 'It works' : [result.msg, ...result.missing].join(': ')}
          />
        )}
      </span>
      <Button aria-label={`Test ${label}`} onPress={run} isBusy={isBusy}>
        Test
      </Button>
    </>
  );
};
