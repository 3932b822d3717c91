import { useState } from 'preact/hooks';
import type { createPersonOperation as CreateUserOperation } from '#accounts/auth/api/create-user/operation.ts';
import type { updatePersonOperation as UpdateUserOperation } from '#accounts/auth/api/update-user/operation.ts';
import { remote } from '../app/client.ts';
import { isOperator, ofMerchant, presentMid } from '../app/merchant.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { type Role, user } from '../app/session.ts';
import { listText, translate, translateCount } from '../language/translate.ts';
import { AddButton } from '../parts/add-button.tsx';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { readMerchants } from '../parts/choose-merchant.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Check, Field, Select } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Listing } from '../parts/listing.tsx';
import { useLoad } from '../parts/load.ts';
import { MailFaultWords } from '../parts/mail-fault.tsx';
import type { PageAsked } from '../parts/narrow-pages.ts';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import type { Column } from '../parts/table.tsx';
import { PeopleTabs } from '../parts/tabs.tsx';
import { Time } from '../parts/time.tsx';
import { listAudit } from './audit.tsx';
import { listUsers, type Person } from './colleagues.ts';

const createUser = remote<typeof CreateUserOperation>({ path: '/api/v3/users/create', roles: ['manager'] });
const updateUser = remote<typeof UpdateUserOperation>({ path: '/api/v3/users/update', roles: ['manager'] });

const roles = [
  { value: 'analyst', label: translate('Analyst: answers alerts and refunds') },
  { value: 'developer', label: translate('Developer: endpoints, secrets and enrollments') },
  { value: 'manager', label: translate('Manager: everything, users included') },
] as const;
const readRole = (text: string | undefined): Role => roles.find(({ value }) => value === text)?.value ?? 'analyst';
const roleName = (role: Role | null): string => (role === null ? translate('Operator') : stateWords(role));

const load = (_: unknown, page: PageAsked, signal?: AbortSignal) =>
  listUsers({ body: { ...ofMerchant(), ...page }, ...(signal && { signal }) });

/** A link that was made, and for whom: it is shown this once. */
type Link = { username: string; setup_url: string; mailed: boolean };

const secondFactor: Column<Person> = {
  label: translate('Second factor'),
  cell: ({ second_factor }) =>
    second_factor ? translate('Set up') : <Badge state="MISSING" tone="warn" label={translate('None')} />,
};

/** The merchant of a user, for operators of all merchants. */
const ofWhom = (merchants: readonly { mid: number; name: string }[] = []): Column<Person> => ({
  label: translate('Merchant'),
  cell: ({ mid }) => (mid === null ? '–' : (merchants.find((one) => one.mid === mid)?.name ?? String(mid))),
});

/** Lists the people who may sign in for a merchant, with their roles. */
export const People = () => {
  const [version, setVersion] = useState(0);
  const [link, setLink] = useState<Link>();
  const [shown, setShown] = useState<readonly Person[]>([]);
  const finish = (made?: Link) => {
    setLink(made);
    setVersion((before) => before + 1);
  };
  const { data: merchants } = useLoad(isOperator() ? 'merchants' : null, readMerchants);
  const columns: readonly Column<Person>[] = [
    { label: translate('Username'), isMain: true, cell: (person) => <Named {...person} /> },
    { label: translate('Name'), isPlain: true, cell: ({ name }) => name },
    { label: translate('Role'), isPlain: true, cell: ({ role }) => roleName(role) },
    ...(isOperator() && presentMid() === undefined ? [ofWhom(merchants)] : []),
    { label: translate('May sign in'), cell: (person) => <Standing {...person} /> },
    ...(user.value?.role === 'analyst' ? [] : [secondFactor]),
    { label: translate('Since'), isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
    ...(updateUser.isAllowed()
      ? [
          {
            label: translate('Change'),
            isPlain: true,
            cell: (person: Person) => <Change person={person} onDone={finish} />,
          },
        ]
      : []),
  ];
  return (
    <Screen
      title={translate('Users')}
      lede={translate('Who may sign in here, and what they may do.')}
      actions={createUser.isAllowed() && <Add onDone={finish} />}
    >
      {listAudit.isAllowed() && <PeopleTabs at="/users" />}
      {user.value?.role !== 'analyst' && <WithoutFactor people={shown} />}
      <Listing<Person>
        name="users"
        onRows={setShown}
        caption={translate('Users')}
        filters={[]}
        {...{ columns, load }}
        version={version}
        csvOf={({ mail_fault, ...row }) => ({
          ...row,
          mail_fault: mail_fault ? `${mail_fault.reason} ${mail_fault.at}` : '',
        })}
        keyOf={({ username }) => username}
        empty={<p>{translate('There are no users yet.')}</p>}
      />
      {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
    </Screen>
  );
};

/** Points out who can sign in with a password alone. */
const WithoutFactor = ({ people }: { people: readonly Person[] }) => {
  const some = people.filter(
    ({ second_factor, disabled, password_set }) => !second_factor && !disabled && password_set,
  );
  if (some.length === 0) return null;
  return (
    <p class="note">
      {translateCount(
        some.length,
        '{count} person signs in with a password alone: {names}. They set up a second factor under Your account.',
        '{count} people sign in with a password alone: {names}. They set up a second factor under Your account.',
        { names: listText(some.slice(0, 5).map(({ name, username }) => name || username)) },
      )}
    </p>
  );
};

const Named = ({ username, email, mail_fault: fault }: Person) => (
  <>
    {username}
    {fault && (
      <p class="problem">
        {email}: <MailFaultWords fault={fault} />
      </p>
    )}
  </>
);

const Standing = ({ disabled, password_set }: Person) => {
  if (disabled) return <Badge state="DISABLED" />;
  return password_set ? (
    <Badge state="OK" label={translate('Yes')} />
  ) : (
    <Badge state="PEND" label={translate('After setting a password')} />
  );
};

const LinkDialog = ({ link: { username, setup_url, mailed }, onClose }: { link: Link; onClose: () => void }) => (
  <SecretDialog
    title={translate('Link to set their password')}
    secrets={[{ name: translate('link'), text: setup_url }]}
    done={translate('Done|button')}
    onClose={onClose}
  >
    <p>{translate('They sign in as {username}.', { username })}</p>
    <p>
      {mailed ? translate('It was e-mailed to them.') : translate('Send it to them over a private channel.')}{' '}
      {translate('It works once, expires in a day, and will not be shown again.')}
    </p>
  </SecretDialog>
);

type Done = (made?: Link) => void;

const Add = ({ onDone }: { onDone: Done }) => {
  const send = async ({ username = '', name = '', role, email }: Record<string, string>, close: () => void) => {
    const body = { ...ofMerchant(), username, name, role: readRole(role), ...(email && { email }) };
    const made = await createUser({ body });
    say(translate('{username} was added.', { username: made.username }));
    close();
    onDone(made);
  };
  return (
    <AddButton words={translate('Add a user')} title={translate('Add a user')}>
      {({ isDisabled, close }) => (
        <Form onSend={(fields) => send(fields, close)} send={translate('Add')} isDisabled={isDisabled}>
          {(problems) => (
            <>
              <Field
                label={translate('Username')}
                name="username"
                required
                maxLength={100}
                autoCapitalize="none"
                spellcheck={false}
                autoComplete="off"
                {...(user.value?.scope === 'merchant' && {
                  hint: translate('@m{mid} is added to it.', { mid: user.value.mid ?? '' }),
                })}
                problem={problems['username']}
              />
              <Field
                label={translate('Name')}
                name="name"
                required
                maxLength={100}
                autoComplete="off"
                problem={problems['name']}
              />
              <Select label={translate('Role')} name="role" choices={roles} problem={problems['role']} />
              <Field
                label={translate('E-mail (optional)')}
                name="email"
                type="email"
                autoComplete="off"
                hint={translate('The link to set a password is mailed there.')}
                problem={problems['email']}
              />
            </>
          )}
        </Form>
      )}
    </AddButton>
  );
};

const Change = ({ person, onDone }: { person: Person; onDone: Done }) => {
  const [isOpen, setOpen] = useState(false);
  /** The changes that wait for a confirmation. */
  const [asked, setAsked] = useState<Record<string, string>>();
  if (person.username === user.value?.username) return <span class="quiet">{translate('You')}</span>;
  if (person.scope === 'admin') return null;
  const { username } = person;
  const send = async (fields: Record<string, string>) => {
    if (fields['disabled'] === 'on' && !person.disabled) setAsked(fields);
    else await change(fields);
  };
  const change = async ({ name = '', role, disabled, password_link: wantsLink }: Record<string, string>) => {
    const { link } = await updateUser({
      body: {
        username,
        name,
        role: readRole(role),
        disabled: disabled === 'on',
        ...(wantsLink === 'on' && { password_link: true as const }),
      },
    });
    say(translate('{username} was changed.', { username }));
    setAsked(undefined);
    setOpen(false);
    onDone(link ? { ...link, username } : undefined);
  };
  return (
    <>
      <Button aria-label={translate('Change {username}', { username })} onPress={() => setOpen(true)}>
        {translate('Change')}
      </Button>
      {isOpen && (
        <Dialog title={translate('Change {username}', { username })} onClose={() => setOpen(false)}>
          <Form onSend={send} send={translate('Save')}>
            {(problems) => (
              <>
                <Field
                  label={translate('Name')}
                  name="name"
                  required
                  maxLength={100}
                  defaultValue={person.name}
                  problem={problems['name']}
                />
                <Select
                  label={translate('Role')}
                  name="role"
                  choices={roles}
                  defaultValue={person.role ?? 'manager'}
                  problem={problems['role']}
                />
                <Check label={translate('May no longer sign in')} name="disabled" defaultChecked={person.disabled} />
                <Check label={translate('Create a link to set a new password')} name="password_link" />
              </>
            )}
          </Form>
        </Dialog>
      )}
      {asked && <SwitchOff username={username} onYes={() => change(asked)} onClose={() => setAsked(undefined)} />}
    </>
  );
};

type SwitchOffProps = { username: string; onYes: () => Promise<void>; onClose: () => void };

const SwitchOff = ({ username, ...rest }: SwitchOffProps) => (
  <Confirm title={translate('Switch off {username}?', { username })} yes={translate('Switch off')} {...rest}>
    <p>
      {translate(
        '{username} is signed out everywhere immediately and can no longer sign in; tokens of programs that use this name stop working. What they did stays, and they can be let in again here.',
        { username },
      )}
    </p>
  </Confirm>
);
