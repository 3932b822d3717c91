import { useEffect, useState } from 'preact/hooks';
import { signIn } from '../app/session.ts';
import { ServiceError } from '../app/transport.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { counted } from '../parts/words.ts';

/** Username and password. With `username`: of that user, whose name cannot be changed. */
export const SignInSteps = ({ username, send }: { username?: string; send: string }) => {
  const [isShown, setShown] = useState(false);
  const [waitUntil, setWaitUntil] = useState(0);
  const seconds = useCountdown(waitUntil);
  const submit = async (fields: Record<string, string>, form: HTMLFormElement) => {
    const password = new FormData(form).get('password');
    try {
      await signIn(username ?? fields['username'] ?? '', typeof password === 'string' ? password : '');
    } catch (error) {
      if (error instanceof ServiceError && error.retryAfterSeconds !== undefined) {
        setWaitUntil(Date.now() + error.retryAfterSeconds * 1000);
      }
      throw error;
    }
  };
  return (
    <Form onSend={submit} send={seconds > 0 ? `Wait ${counted(seconds, 'second')}` : send} isDisabled={seconds > 0}>
      {(problems) => (
        <>
          <Field
            label="Username"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellcheck={false}
            required
            readOnly={username !== undefined}
            defaultValue={username ?? ''}
            problem={problems['username']}
          />
          <div class="with-button">
            <Field
              label="Password"
              name="password"
              type={isShown ? 'text' : 'password'}
              autoComplete="current-password"
              required
              problem={problems['password']}
            />
            <Button aria-pressed={isShown} aria-label="Show the password" onPress={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
};

/** Seconds until a time, counted down while they last. */
const useCountdown = (until: number): number => {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
};
