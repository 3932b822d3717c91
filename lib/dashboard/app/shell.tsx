import { useLayoutEffect } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { Later } from '../screens/answer-later.tsx';
import { bulkShown } from '../screens/bulk-shown.ts';
import { RecoveryCodes } from '../screens/factor-step.tsx';
import { SetPassword } from '../screens/set-password.tsx';
import { SignIn } from '../screens/sign-in.tsx';
import { address } from './address.ts';
import { Messages } from './messages.tsx';
import { Navigation } from './navigation.tsx';
import { PasswordAgain } from './password-again.tsx';
import { Routes } from './routes.tsx';
import { asked, user } from './session.ts';
import { answerInAddress } from './single-sign-on.ts';
import { Undoable } from './undo.tsx';

/** The whole page: what is shown before one is signed in, and after. */
export const Shell = () => (
  <>
    <Content />
    {asked.value && <PasswordAgain why={asked.value} />}
    <RecoveryCodes />
    {bulkShown.value && <Later>{({ BulkResults }) => <BulkResults />}</Later>}
    <Messages>
      <Undoable />
    </Messages>
  </>
);

/** Lists with a pane, where the navigation is a rail. */
const railed = ['queue', 'payments', 'chargebacks', 'orders'];

/** Names the screen for styles. `:has()` on the whole page would cost the styles of every element with each change of any. */
const useScreenName = (): void => {
  const [, name = ''] = address.value.path.split('/');
  useLayoutEffect(() => {
    document.documentElement.dataset['screen'] = name;
    document.documentElement.classList.toggle('railed', railed.includes(name));
  }, [name]);
};

const Content = () => {
  useScreenName();
  if (address.value.path === '/set-password') return <SetPassword />;
  if (address.value.path === '/forgot-password') return <Later>{({ ForgotPassword }) => <ForgotPassword />}</Later>;
  if (user.value === undefined) return <Starting />;
  // A person who has confirmed who they are at their identity provider is still signed in.
  if (user.value === null || answerInAddress()) return <SignIn />;
  return (
    <div class="shell">
      <Navigation />
      <Routes />
    </div>
  );
};

const Starting = () => (
  <main class="splash">
    <h1 class="unseen">Forewarn</h1>
    <p role="status">{translate('Loading …')}</p>
  </main>
);
