import { useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { SignInSteps } from '../screens/sign-in-steps.tsx';
import { refusePassword, signOut, user } from './session.ts';
import { goToIdentityProvider, merchantOfSingleSignOn } from './single-sign-on.ts';

/** Asks for the password over the page, so that nothing typed there is lost. */
export const PasswordAgain = ({ why }: { why: 'expired' | 'fresh' }) => (
  <Dialog
    title={why === 'fresh' ? translate('Confirm that it is you') : translate('Sign in again')}
    onClose={refusePassword}
    isFirm={why === 'expired'}
  >
    <p>
      {why === 'fresh'
        ? translate('This needs a sign-in within the last 15 minutes.')
        : translate('Your session has ended. What you typed is still here.')}
    </p>
    <SignInSteps username={user.value?.username ?? ''} send={translate('Continue')} />
    <IdentityProviderButton />
    {why === 'expired' && <Button onPress={() => signOut()}>{translate('Sign out instead')}</Button>}
  </Dialog>
);

/** For people who signed in at their identity provider: they confirm there that it is them. What is typed on the page is lost. */
const IdentityProviderButton = () => {
  const [error, setError] = useState<unknown>();
  const mid = merchantOfSingleSignOn();
  if (mid === undefined) return null;
  return (
    <>
      <Trouble error={error} />
      <Button onPress={() => goToIdentityProvider(mid, true).catch(setError)}>
        {translate('Continue at your identity provider')}
      </Button>
    </>
  );
};
