import { useEffect, useState } from 'preact/hooks';
import { post } from '../app/transport.ts';
import { translate } from '../language/translate.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Logo } from '../parts/icons.tsx';

/** Asks for a link to set a new password. The reply does not tell whether there is such a user. */
export const ForgotPassword = () => {
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    document.title = translate('Forgot your password? · Forewarn');
  }, []);
  const submit = async ({ username = '' }: Record<string, string>) => {
    await post('/api/v3/users/password', {
      method: 'PUT',
      body: { username, language: document.documentElement.lang },
    });
    setSent(true);
  };
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <Logo />
          Forewarn
        </p>
        <h1>{translate('Forgot your password?')}</h1>
        {isSent ? (
          <p role="status">
            {translate(
              'If this user has an e-mail address, a link is on its way. It works once, within 30 minutes. If none arrives, ask your manager, or the operator of this service.',
            )}
          </p>
        ) : (
          <Form onSend={submit} send={translate('Send the link')}>
            {(problems) => (
              <Field
                label={translate('Username')}
                name="username"
                autoComplete="username"
                autoCapitalize="none"
                spellcheck={false}
                required
                maxLength={100}
                hint={translate('The link goes to the e-mail address of this user. Your second factor stays.')}
                problem={problems['username']}
              />
            )}
          </Form>
        )}
        <a href="#/">{translate('Back to sign-in')}</a>
      </div>
    </main>
  );
};
