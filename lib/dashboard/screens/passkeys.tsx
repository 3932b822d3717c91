import { useState } from 'preact/hooks';
import type { beginPasskeySetupOperation as BeginSetupOperation } from '#accounts/auth/api/begin-passkey-setup/operation.ts';
import type { finishPasskeySetupOperation as FinishSetupOperation } from '#accounts/auth/api/finish-passkey-setup/operation.ts';
import type { listPasskeysOperation as ListPasskeysOperation } from '#accounts/auth/api/list-passkeys/operation.ts';
import type { removePasskeyOperation as RemovePasskeyOperation } from '#accounts/auth/api/remove-passkey/operation.ts';
import type { renamePasskeyOperation as RenamePasskeyOperation } from '#accounts/auth/api/rename-passkey/operation.ts';
import { type RowOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { makePasskey, passkeyObstacle } from '../app/passkey.ts';
import { compose, translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { useLoad } from '../parts/load.ts';
import { Time } from '../parts/time.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { RecoveryCodes } from './factor-step.tsx';

const roles = { roles: ['analyst', 'developer', 'manager'] } as const;
const listPasskeys = remote<typeof ListPasskeysOperation>({ path: '/api/v3/session/passkey/list' });
const beginSetup = remote<typeof BeginSetupOperation>({ path: '/api/v3/session/passkey/setup', ...roles });
const finishSetup = remote<typeof FinishSetupOperation>({ path: '/api/v3/session/passkey/add', ...roles });
const renamePasskey = remote<typeof RenamePasskeyOperation>({ path: '/api/v3/session/passkey/rename', ...roles });
const removePasskey = remote<typeof RemovePasskeyOperation>({ path: '/api/v3/session/passkey/remove', ...roles });
type Passkey = RowOf<typeof ListPasskeysOperation>;
/** The dialog over the list. */
type Opened = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey };

/** The passkeys of the person who is signed in. */
export const Passkeys = ({ onChange }: { onChange: () => void }) => {
  const [version, setVersion] = useState(0);
  const [opened, setOpened] = useState<Opened>();
  const { data, error } = useLoad(String(version), () => listPasskeys({ body: {} }));
  const obstacle = passkeyObstacle();
  const finish = (words: string) => {
    say(words);
    setOpened(undefined);
    setVersion((before) => before + 1);
    onChange();
  };
  return (
    <Card title={translate('Passkeys')}>
      <p>
        {translate(
          'Sign in with your fingerprint, your face or a security key in place of your password and second factor.',
        )}
      </p>
      {obstacle && <p class="note">{obstacle}</p>}
      <Trouble error={error} />
      {data && data.list.length > 0 && (
        <ul class="plain-list">
          {data.list.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onOpen={(what) => setOpened({ what, passkey })} />
          ))}
        </ul>
      )}
      <div class="buttons">
        <Button onPress={() => setOpened({ what: 'add' })} disabled={obstacle !== undefined}>
          {translate('Add a passkey')}
        </Button>
      </div>
      {opened && <Over opened={opened} onDone={finish} onClose={() => setOpened(undefined)} />}
    </Card>
  );
};

type RowProps = { passkey: Passkey; onOpen: (what: 'rename' | 'remove') => void };

const Row = ({ passkey: { name, host, created_at: made, last_used_at: used }, onOpen }: RowProps) => (
  <li>
    <strong>{name}</strong>
    <p class="quiet small">
      {used === null
        ? compose('For {host}, added {added}, never used', { host, added: <Time at={made} /> })
        : compose('For {host}, added {added}, last used {used}', {
            host,
            added: <Time at={made} />,
            used: <Time at={used} />,
          })}
    </p>
    <div class="buttons">
      <Button aria-label={translate('Rename {name}', { name })} onPress={() => onOpen('rename')}>
        {translate('Rename')}
      </Button>
      <Button aria-label={translate('Remove {name}', { name })} onPress={() => onOpen('remove')}>
        {translate('Remove')}
      </Button>
    </div>
  </li>
);

type OverProps = { opened: Opened; onDone: (words: string) => void; onClose: () => void };

const Over = ({ opened, onDone, onClose }: OverProps) => {
  if (opened.what === 'add') return <Add onDone={onDone} onClose={onClose} />;
  const { id, name } = opened.passkey;
  if (opened.what === 'remove') {
    const remove = async () => {
      await removePasskey({ body: { id } });
      onDone(translate('{name} was removed.', { name }));
    };
    return (
      <Confirm title={translate('Remove {name}?', { name })} yes={translate('Remove')} onYes={remove} onClose={onClose}>
        <p>
          {translate(
            'It no longer signs you in. Delete it on the device as well, so that the device no longer offers it.',
          )}
        </p>
      </Confirm>
    );
  }
  const rename = async (fields: Record<string, string>) => {
    await renamePasskey({ body: { id, name: fields['name'] ?? '' } });
    onDone(translate('The passkey was renamed.'));
  };
  return (
    <Dialog title={translate('Rename {name}', { name })} onClose={onClose}>
      <NameForm name={name} send={translate('Rename')} onSend={rename} />
    </Dialog>
  );
};

const Add = ({ onDone, onClose }: Omit<OverProps, 'opened'>) => {
  const add = async ({ name = '' }: Record<string, string>) => {
    const begun = await beginSetup({ body: {} });
    const credential = await makePasskey(begun);
    // The browser's credential has what WebAuthn defines; the service checks it.
    const body = { id: begun.id, name, credential } as Parameters<typeof finishSetup>[0]['body'] & object;
    const { recovery_codes: codes } = await finishSetup({ body });
    onDone(translate('The passkey was added.'));
    if (codes) RecoveryCodes.show(codes);
  };
  return (
    <Dialog title={translate('Add a passkey')} onClose={onClose}>
      <NameForm name="" send={translate('Continue')} onSend={add} />
    </Dialog>
  );
};

type NameFormProps = { name: string; send: string; onSend: (fields: Record<string, string>) => Promise<void> };

const NameForm = ({ name, send, onSend }: NameFormProps) => (
  <Form onSend={onSend} send={send}>
    {(problems) => (
      <Field
        label={translate('Name')}
        name="name"
        required
        maxLength={60}
        autoComplete="off"
        hint={translate('The device that has the passkey, such as Work laptop.')}
        defaultValue={name}
        problem={problems['name']}
      />
    )}
  </Form>
);
