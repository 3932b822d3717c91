import { SignIn } from '../screens/sign-in.tsx';
import { Header } from './header.tsx';
import { Messages } from './messages.tsx';
import { Navigation } from './navigation.tsx';
import { Routes } from './routes.tsx';
import { user } from './session.ts';

/** The whole page: what is shown before one is signed in, and after. */
export const Shell = () => (
  <>
    <Content />
    <Messages />
  </>
);

const Content = () => {
  if (user.value === null) return <SignIn />;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.querySelector('h1')?.focus()}>
        Skip to the content
      </button>
      <Header />
      <Navigation />
      <Routes />
    </div>
  );
};
