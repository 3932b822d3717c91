import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answerFactor, signIn } from '../app/session.ts';
import { ServiceError } from '../app/transport.ts';
import { translate, translateCount } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type FactorAsked, FactorStep, RecoveryCodes } from './factor-step.tsx';
import { PasskeyButton } from './passkey-button.tsx';

type StepsProps = {
  /** The username, where it cannot be chosen. */
  username?: string;
  /** The button's words. */
  send: string;
  /** Beneath the password's form, before other ways in. */
  children?: ComponentChildren;
};

/** Username and password; then a code, where there is a second factor. What stands around goes away once it is done. */
export const SignInSteps = ({ username, send, children }: StepsProps) => {
  const [asked, setAsked] = useState<FactorAsked>();
  const wait = useWait();
  const submit = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const password = new FormData(form).get('password');
    try {
      await signIn(username ?? fields['username'] ?? '', typeof password === 'string' ? password : '');
    } catch (error) {
      if (!isFactorAsked(error)) throw wait.heed(error);
      setAsked(error.fields as FactorAsked);
    }
  };
  if (asked) return <CodeStep asked={asked} onOver={() => setAsked(undefined)} />;
  return (
    <>
      <Form onSend={submit} send={wait.words ?? send} isDisabled={wait.words !== undefined}>
        {(problems) => (
          <>
            <Field
              label={translate('Username')}
              name="username"
              autoComplete="username"
              autoCapitalize="none"
              spellcheck={false}
              required
              readOnly={username !== undefined}
              defaultValue={username ?? ''}
              problem={problems['username']}
            />
            <PasswordField
              label={translate('Password')}
              autoComplete="current-password"
              autofocus={username !== undefined}
              problem={problems['password']}
            />
          </>
        )}
      </Form>
      {children}
      <PasskeyButton
        words={username === undefined ? translate('Sign in with a passkey') : translate('Use a passkey')}
      />
    </>
  );
};

const isFactorAsked = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'second_factor_needed';

/** A password that can be looked at while it is typed. Managers of passwords and pasting are welcome. */
export const PasswordField = (props: {
  /** Default: password. */
  name?: string;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: string;
  /** In a dialog: whether it has the focus first. */
  autofocus?: boolean;
  problem?: string | undefined;
}) => {
  const [isShown, setShown] = useState(false);
  return (
    <div class="with-button">
      <Field name="password" {...props} type={isShown ? 'text' : 'password'} required />
      <Button
        aria-label={isShown ? translate('Hide the password') : translate('Show the password')}
        onPress={() => setShown(!isShown)}
      >
        {isShown ? translate('Hide') : translate('Show')}
      </Button>
    </div>
  );
};

const CodeStep = ({ asked, onOver }: { asked: FactorAsked; onOver: () => void }) => {
  const wait = useWait();
  const submit = async ({ code = '' }: Record<string, string>) => {
    try {
      const codes = await answerFactor(asked.challenge, code);
      if (codes) RecoveryCodes.show(codes);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'session_over') onOver();
      throw wait.heed(error);
    }
  };
  return <FactorStep {...{ asked, submit }} {...(wait.words !== undefined && { wait: wait.words })} />;
};

/** Counts down the service's wait before the next try. */
const useWait = () => {
  const [until, setUntil] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return {
    words: left > 0 ? translateCount(left, 'Wait {count} second', 'Wait {count} seconds') : undefined,
    /** Takes note of it, and hands the error on. */
    heed: (error: unknown): unknown => {
      const seconds = error instanceof ServiceError ? error.retryAfterSeconds : undefined;
      if (seconds !== undefined) setUntil(Date.now() + seconds * 1000);
      return error;
    },
  };
};
