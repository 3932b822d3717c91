import { useEffect, useState } from 'preact/hooks';
import { address, go, link } from '../app/address.ts';
import { post } from '../app/transport.ts';
import { compose, translate } from '../language/translate.ts';
import { Form } from '../parts/form.tsx';
import { Logo } from '../parts/icons.tsx';
import { PasswordField } from './sign-in-steps.tsx';

/** The target of a link by which a person sets their password. The link's token leaves the address as soon as it is read. */
export const SetPassword = () => {
  const [token] = useState(() => address.peek().query.get('token') ?? '');
  const [name, setName] = useState<string>();
  useEffect(() => {
    document.title = translate('Set your password · Forewarn');
    if (token !== '') go(link('/set-password'), { replace: true });
  }, [token]);
  const submit = async (_: unknown, form: HTMLFormElement) => {
    const body = { token, password: new FormData(form).get('password') };
    const { username } = (await post('/api/v3/users/password', { body })) as { username: string };
    setName(username);
  };
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <Logo />
          Forewarn
        </p>
        <h1>{translate('Set your password')}</h1>
        {name === undefined ? (
          <Form onSend={submit} send={translate('Set the password')}>
            {(problems) => (
              <PasswordField
                label={translate('New password')}
                autoComplete="new-password"
                hint={translate('12 characters or more. A few words that only you would put together are best.')}
                problem={problems['password']}
              />
            )}
          </Form>
        ) : (
          <>
            <p>{compose('Your password is set. Your username is {name}.', { name: <strong>{name}</strong> })}</p>
            <a class="button main" href="#/">
              {translate('Sign in')}
            </a>
          </>
        )}
      </div>
    </main>
  );
};
