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
import { translate } from '../language/translate.ts';
import { AddButton } from '../parts/add-button.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { ByMerchant } from '../parts/by-merchant.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { SettingsTabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { ConnectionImport } from './connection-import.tsx';
import { type ConnectionSent, isConnectionKind, NewConnectionForm } from './new-connection.tsx';
import { connectionFields, processorTitle, registeringKinds } from './processor-fields.ts';
import { useProcessorAnswer } from './processor-sign-in.tsx';

const set = remote<typeof SetOperation>({ path: '/api/v3/merchant/{mid}/connections', roles: ['manager'] });
const registerWebhook = remote<typeof RegisterOperation>({
  path: '/api/v3/merchant/{mid}/connections/{id}/register-webhook',
  roles: ['manager'],
});
export const testConnection = remote<typeof TestOperation>({ path: '/api/v3/merchant/{mid}/connections/{id}/test' });

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
    const body = { connections, ...(data && { version: data.version }) };
    const saved = await set({ params: { mid: mid ?? 0 }, body });
    setSecret(saved.connections.at(-1)?.secret);
    reload();
  };
  const add = async (sent: ConnectionSent, close: () => void) => {
    await save([...present.map(withoutCredentials), sent]);
    close();
    say(translate('{label}: connected.', { label: sent.label }));
  };
  const signInKinds = (data?.sign_ins ?? []).map(({ kind }) => kind);
  const signInError = useProcessorAnswer(data !== undefined, async (kind, sign_in) => {
    if (isConnectionKind(kind)) await add({ kind, label: processorTitle(kind), sign_in }, () => undefined);
  });
  const remove = ({ id }: Connection) => save(present.filter((one) => one.id !== id).map(withoutCredentials));
  return (
    <Screen
      title={translate('Settings')}
      lede={translate('Your own processors: where the charges of your alerts are found and refunded.')}
      actions={
        set.isAllowed() &&
        (data || mid === undefined) && (
          <AddButton words={translate('Connect a processor')} title={translate('Connect a processor')}>
            {({ isDisabled, close }) => (
              <NewConnectionForm {...{ isDisabled, signInKinds }} onSend={(sent) => add(sent, close)} />
            )}
          </AddButton>
        )
      }
    >
      <SettingsTabs at="/connections" />
      <ByMerchant what={translate('Connections')}>
        {error !== undefined && <Trouble error={error} onRetry={reload} />}
        <Trouble error={signInError} />
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
      {translate(
        'No processor is connected. Connect the one that takes your payments: Forewarn then finds the charge of each alert and can refund it.',
      )}
    </p>
  </div>
);

const SecretOnce = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDialog
    title={translate('The secret of your service')}
    secrets={[{ name: translate('secret'), text: secret }]}
    done={translate('I have copied it')}
    onClose={onClose}
    isFirm
  >
    <p>{translate('Your service verifies the calls with it. It will not be shown again.')}</p>
  </SecretDialog>
);

const keyLabel = (kind: string, name: string): string =>
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
            <Button aria-label={translate('Remove {label}', { label })} onPress={() => setRemoving(true)}>
              {translate('Remove')}
            </Button>
          )}
        </>
      }
    >
      <Facts
        facts={[
          [translate('Processor'), processorTitle(kind)],
          [
            translate('State'),
            active ? (
              <Badge state="OK" label={translate('In use')} />
            ) : (
              <Badge state="DISABLED" label={translate('Not in use')} />
            ),
          ],
          [
            translate('For'),
            sids === null ? translate('All alert sites') : translate('Sites {sids}', { sids: sids.join(', ') }),
          ],
          ...Object.entries(credentials).map(([name, value]) => [keyLabel(kind, name), value] as const),
        ]}
      />
      <ConnectionImport {...{ mid, id, label }} />
      {isRemoving && (
        <Confirm
          title={translate('Remove {label}?', { label })}
          yes={translate('Remove')}
          onYes={onRemove}
          onClose={() => setRemoving(false)}
        >
          <p>{translate('Charges are no longer searched there. Refunds that have begun are still completed.')}</p>
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
      say(registered ? translate('{label}: webhooks are registered.', { label }) : `${label}: ${msg}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button aria-label={translate('Register webhooks of {label}', { label })} onPress={register} isBusy={isBusy}>
      {translate('Register webhooks')}
    </Button>
  );
};

const TestButton = ({ mid, id, label }: { mid: number; id: string; label: string }) => {
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<ReplyOf<typeof TestOperation>>();
  const run = async () => {
    setBusy(true);
    try {
      setResult(await testConnection({ params: { mid, id }, body: {} }));
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
            label={result.works ? translate('It works') : [result.msg, ...result.missing].join(': ')}
          />
        )}
      </span>
      <Button aria-label={translate('Test {label}', { label })} onPress={run} isBusy={isBusy}>
        {translate('Test')}
      </Button>
    </>
  );
};
