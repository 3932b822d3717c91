import { useState } from 'preact/hooks';
import type { setUpFactorOperation as SetUpFactorOperation } from '#accounts/auth/api/set-up-factor/operation.ts';
import { remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { answerFactor, signOut, user } from '../app/session.ts';
import { translate } from '../language/translate.ts';
import { stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Devices } from './devices.tsx';
import { type FactorAsked, FactorStep, RecoveryCodes } from './factor-step.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnSettings } from './own-settings.tsx';
import { Passkeys } from './passkeys.tsx';

const setUpFactor = remote<typeof SetUpFactorOperation>({
  path: '/api/v3/session/factor/setup',
  roles: ['analyst', 'developer', 'manager'],
});

/** The signed-in person's account and its security. */
export const Account = () => {
  const present = user.value;
  return (
    <Screen title={translate('Your account')}>
      <div class="columns">
        <Card title={translate('You')}>
          <Facts
            facts={[
              [translate('Username'), present?.username],
              [translate('Name'), present?.name],
              [translate('Role'), present?.role ? stateWords(present.role) : translate('Operator')],
              [translate('Merchant'), present?.mid === null ? translate('All') : String(present?.mid ?? '')],
            ]}
          />
          <div class="buttons">
            <Button onPress={() => signOut(true)}>{translate('Sign out everywhere')}</Button>
          </div>
        </Card>
        {present?.mid !== null && <OwnSettings />}
        <OwnPassword />
        {present?.mid !== null && <Devices />}
        <SecondFactor />
        <Passkeys />
      </div>
    </Screen>
  );
};

/** An app's code in addition to the password: set up here, and requested from then on. */
const SecondFactor = () => {
  const [asked, setAsked] = useState<FactorAsked>();
  const [isDone, setDone] = useState(false);
  const [error, setError] = useState<unknown>();
  const begin = async () => {
    setError(undefined);
    try {
      const { challenge, secret, uri } = await setUpFactor({ body: {} });
      setAsked({ challenge, setup: { secret, uri } });
    } catch (thrown) {
      setError(thrown);
    }
  };
  const submit = async ({ code = '' }: Record<string, string>) => {
    const codes = asked && (await answerFactor(asked.challenge, code));
    setAsked(undefined);
    setDone(true);
    say(translate('Your second factor is set up.'));
    if (codes) RecoveryCodes.show(codes);
  };
  return (
    <Card title={translate('Second factor')}>
      {isDone && <p>{translate('It is set up. You will be asked for a code the next time you sign in.')}</p>}
      {!isDone && !asked && (
        <>
          <p>
            {translate(
              'A code from an app on your phone, in addition to your password. If you already have one, it stays as it is.',
            )}
          </p>
          <Trouble error={error} />
          <div class="buttons">
            <Button onPress={begin}>{translate('Set it up')}</Button>
          </div>
        </>
      )}
      {asked && <FactorStep {...{ asked, submit }} />}
    </Card>
  );
};
