import { useEffect } from 'preact/hooks';
import { Logo } from '../parts/icons.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { SingleSignOnStep } from './single-sign-on-step.tsx';

/** Before anything else: who are you? */
export const SignIn = () => {
  useEffect(() => {
    document.title = 'Sign in · Forewarn';
  }, []);
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <Logo />
          Forewarn
        </p>
        <h1>Sign in</h1>
        <SignInSteps send="Sign in" />
        <SingleSignOnStep />
        <p class="quiet small">
          Forgot your password? Ask your manager, or whoever runs this service, for a link to set a new one.
        </p>
      </div>
    </main>
  );
};
