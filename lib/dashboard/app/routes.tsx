import type { FunctionComponent } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { compose, translate } from '../language/translate.ts';
import { useFetched } from '../parts/fetched.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { AlertPage } from '../screens/alert.tsx';
import { Queue } from '../screens/queue.tsx';
import { useHashPath } from './address.ts';
import { Screen } from './screen.tsx';

type Params = Readonly<Record<string, string | undefined>>;
type Page = FunctionComponent<{ params: Params }>;

/** A screen whose code is fetched when it is first wanted. */
const fetchPage = (load: () => Promise<Page>): Page => {
  const held: { value?: Page } = {};
  return ({ params }) => {
    const { value: Wanted, error, again } = useFetched(held, load);
    if (Wanted) return <Wanted params={params} />;
    return (
      <main id="main" class="screen">
        {error === undefined ? <Waiting /> : <Trouble error={error} onRetry={again} />}
      </main>
    );
  };
};

type Later = typeof import('../screens/later.ts');
const later = (name: keyof Later): Page => fetchPage(async () => (await import('../screens/later.ts'))[name]);

const routes: readonly { path: string; Page: Page }[] = [
  { path: '/', Page: fetchPage(async () => (await import('../screens/home.tsx')).Home) },
  { path: '/queue', Page: Queue },
  { path: '/alerts/:id', Page: AlertPage },
  { path: '/deliveries', Page: later('Deliveries') },
  { path: '/deliveries/:id', Page: later('DeliveryPage') },
  { path: '/payments', Page: later('Payments') },
  { path: '/payments/:id', Page: later('PaymentPage') },
  { path: '/3ds', Page: later('Authentications') },
  { path: '/3ds/:id', Page: later('AuthenticationPage') },
  { path: '/chargebacks', Page: later('Chargebacks') },
  { path: '/chargebacks/:id', Page: later('ChargebackPage') },
  { path: '/credits', Page: later('Credits') },
  { path: '/customers/:kind/:id', Page: later('CustomerPage') },
  { path: '/statements', Page: later('Statements') },
  { path: '/audit', Page: later('Audit') },
  { path: '/rules', Page: later('Rules') },
  { path: '/rules/:id', Page: later('RulePage') },
  { path: '/outcomes', Page: later('Outcomes') },
  { path: '/orders', Page: later('Orders') },
  { path: '/orders/:id', Page: later('OrderPage') },
  { path: '/lookups', Page: later('Lookups') },
  { path: '/enrollments', Page: later('Enrollments') },
  { path: '/reports', Page: fetchPage(async () => (await import('../screens/reports.tsx')).Reports) },
  { path: '/settings', Page: later('Sites') },
  { path: '/settings/:id', Page: later('SitePage') },
  { path: '/settings/:id/:page', Page: later('SitePage') },
  { path: '/connections', Page: later('Connections') },
  { path: '/users', Page: later('People') },
  { path: '/api-keys', Page: later('ApiKeys') },
  { path: '/api-keys/:id', Page: later('KeyRequests') },
  { path: '/single-sign-on', Page: later('SingleSignOn') },
  { path: '/account', Page: later('Account') },
  { path: '/admin/merchants', Page: later('Merchants') },
  { path: '/admin/status', Page: later('StatusPage') },
  { path: '/admin/unmatched', Page: later('Unmatched') },
  { path: '/help', Page: later('Help') },
];

const Nothing = () => (
  <Screen title={translate('Nothing is here')}>
    <p>{compose('There is no page at this address. {link}.', { link: <a href="#/">{translate('Go to Home')}</a> })}</p>
  </Screen>
);

/** Which screen stands at which address. */
export const Routes = () => (
  <Router hook={useHashPath}>
    <Switch>
      {routes.map(({ path, Page }) => (
        <Route key={path} path={path}>
          {(params: Params) => <Page params={params} />}
        </Route>
      ))}
      <Route>
        <Nothing />
      </Route>
    </Switch>
  </Router>
);
