import { useState } from 'preact/hooks';
import type { setOwnSettingsOperation as SetOwnSettingsOperation } from '#accounts/auth/api/set-own-settings/operation.ts';
import type { setUpFactorOperation as SetUpFactorOperation } from '#accounts/auth/api/set-up-factor/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';
import { say } from '../app/messages.tsx';
import { Screen } from '../app/screen.tsx';
import { answerFactor, signOut, user } from '../app/session.ts';
import { translate } from '../language/translate.ts';
import { Badge, stateWords } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { useLoad } from '../parts/load.ts';
import { Trouble } from '../parts/trouble.tsx';
import { Devices } from './devices.tsx';
import { type FactorAsked, FactorStep, RecoveryCodes } from './factor-step.tsx';
import { OwnPassword } from './own-password.tsx';
import { OwnSettings } from './own-settings.tsx';
import { setOwnSettings } from './own-settings-operation.ts';
import { Passkeys } from './passkeys.tsx';

const setUpFactor = remote<typeof SetUpFactorOperation>({
  path: '/api/v3/session/factor/setup',
  roles: ['analyst', 'developer', 'manager'],
});

/** The signed-in person's account and its security. */
export const Account = () => {
  const present = user.value;
  const own = useLoad('own settings', (signal) => setOwnSettings({ body: {}, signal }));
  return (
    <Screen title={translate('Your account')}>
      <div class="columns">
        <Card title={translate('You')}>
          <Facts
            facts={[
              [translate('Username'), present?.username],
              [translate('Name'), present?.name],
              [translate('Role'), present?.role ? stateWords(present.role) : translate('Operator')],
              [
                translate('Merchant'),
                present?.mid === null ? translate('All') : (own.data?.merchant ?? String(present?.mid ?? '')),
              ],
              [translate('Second factor'), own.data && <FactorState factor={own.data.second_factor} />],
            ]}
          />
          <div class="buttons">
            <Button onPress={() => signOut(true)}>{translate('Sign out everywhere')}</Button>
          </div>
        </Card>
        {present?.mid !== null && <OwnSettings {...own} />}
        <OwnPassword />
        {present?.mid !== null && <Devices />}
        {own.data && <SecondFactor factor={own.data.second_factor} onDone={own.reload} />}
        {own.data === undefined && own.error !== undefined && <Trouble error={own.error} onRetry={own.reload} />}
        <Passkeys onChange={own.reload} />
      </div>
    </Screen>
  );
};

type Factor = ReplyOf<typeof SetOwnSettingsOperation>['second_factor'];

const FactorState = ({ factor }: { factor: Factor }) => {
  if (factor === null) return <Badge state="MISSING" tone="warn" label={translate('None')} />;
  return <Badge state="OK" label={factor === 'app' ? translate('Codes from an app') : translate('A passkey')} />;
};

const factorWords = {
  app: translate(
    'A code from your app is asked for after your password. An operator can reset it if you lose your phone.',
  ),
  passkey: translate('A passkey is your second factor. Codes from an app can be another one.'),
  none: translate('You sign in with a password alone. Set up codes from an app on your phone, or a passkey.'),
} as const;

type FactorProps = { factor: Factor; onDone: () => void };

/** An app's code in addition to the password: set up here, and requested from then on. */
const SecondFactor = ({ factor, onDone }: FactorProps) => {
  const [asked, setAsked] = useState<FactorAsked>();
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
    onDone();
    say(translate('Your second factor is set up.'));
    if (codes) RecoveryCodes.show(codes);
  };
  return (
    <Card title={translate('Second factor')}>
      <p class={factor === null ? 'note warn' : ''}>{factorWords[factor ?? 'none']}</p>
      {factor !== 'app' && !asked && (
        <>
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
