import { useEffect, useState } from 'preact/hooks';
import { merchantOfLink } from '../app/single-sign-on.ts';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Logo } from '../parts/icons.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { SingleSignOnStep } from './single-sign-on-step.tsx';

/** Signs a person in by password or passkey, or at their identity provider: one way at a time. */
export const SignIn = () => {
  const [isSingleSignOn, setSingleSignOn] = useState(merchantOfLink() !== '');
  useEffect(() => {
    document.title = translate('Sign in · Forewarn');
  }, []);
  return (
    <main id="main" class="sign-in">
      <div class="card">
        <p class="brand">
          <Logo />
          Forewarn
        </p>
        <h1>{translate('Sign in')}</h1>
        {!isSingleSignOn && (
          <SignInSteps send={translate('Sign in')}>
            <a class="small" href="#/forgot-password">
              {translate('Forgot your password?')}
            </a>
          </SignInSteps>
        )}
        <SingleSignOnStep isOpen={isSingleSignOn} />
        <div class="buttons">
          <Button onPress={() => setSingleSignOn(!isSingleSignOn)}>
            {isSingleSignOn ? translate('Use a password or passkey') : translate('Use single sign-on')}
          </Button>
        </div>
      </div>
    </main>
  );
};
