import type { changeOwnPasswordOperation as ChangeOperation } from '#accounts/auth/api/change-own-password/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { signOut } from '../app/session.ts';
import { translate } from '../language/translate.ts';
import { Card } from '../parts/card.tsx';
import { Form } from '../parts/form.tsx';
import { PasswordField } from './sign-in-steps.tsx';

const change = remote<typeof ChangeOperation>({
  path: '/api/v3/session',
  roles: ['analyst', 'developer', 'manager'],
});

/** The signed-in person changes their password, and signs in again with it. */
export const OwnPassword = () => {
  const submit = async (_: unknown, form: HTMLFormElement) => {
    const read = (name: string): string => String(new FormData(form).get(name) ?? '');
    await change({ body: { current_password: read('current_password'), password: read('password') } });
    say(translate('Your password is changed. Sign in with it.'));
    await signOut();
  };
  return (
    <Card title={translate('Password')}>
      <Form onSend={submit} send={translate('Change the password')}>
        {(problems) => (
          <>
            <PasswordField
              name="current_password"
              label={translate('Present password')}
              autoComplete="current-password"
              problem={problems['current_password']}
            />
            <PasswordField
              label={translate('New password')}
              autoComplete="new-password"
              hint={translate('12 characters or more. You are signed out everywhere.')}
              problem={problems['password']}
            />
          </>
        )}
      </Form>
    </Card>
  );
};
