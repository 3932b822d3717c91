import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { Trouble } from '../parts/trouble.tsx';
import { AlertPage } from '../screens/alert.tsx';
import { Inbox } from '../screens/inbox.tsx';
import { useHashPath } from './address.ts';
import { Screen } from './screen.tsx';

type Params = Readonly<Record<string, string | undefined>>;
type Page = FunctionComponent<{ params: Params }>;

/** A screen whose code is fetched when it is first wanted. */
const later = (load: () => Promise<Page>): Page => {
  let held: Page | undefined;
  return ({ params }) => {
    const [page, setPage] = useState<{ Page?: Page | undefined; error?: unknown }>({ Page: held });
    const fetchPage = () =>
      load().then(
        (Page) => {
          held = Page;
          setPage({ Page });
        },
        (error: unknown) => setPage({ error }),
      );
    useEffect(() => {
      if (!held) void fetchPage();
    }, []);
    if (page.Page) return <page.Page params={params} />;
    return (
      <main id="main" class="screen">
        <Trouble error={page.error} onRetry={() => void fetchPage()} />
      </main>
    );
  };
};

const routes: readonly { path: string; Page: Page }[] = [
  { path: '/', Page: Inbox },
  { path: '/alerts/:id', Page: AlertPage },
  { path: '/deliveries', Page: later(async () => (await import('../screens/work.ts')).Deliveries) },
  { path: '/deliveries/:id', Page: later(async () => (await import('../screens/work.ts')).DeliveryPage) },
  { path: '/payments', Page: later(async () => (await import('../screens/work.ts')).Payments) },
  { path: '/payments/:id', Page: later(async () => (await import('../screens/work.ts')).PaymentPage) },
  { path: '/rules', Page: later(async () => (await import('../screens/setup.ts')).Rules) },
  { path: '/rules/:id', Page: later(async () => (await import('../screens/setup.ts')).RulePage) },
  { path: '/outcomes', Page: later(async () => (await import('../screens/work.ts')).Outcomes) },
  { path: '/orders', Page: later(async () => (await import('../screens/work.ts')).Orders) },
  { path: '/orders/:id', Page: later(async () => (await import('../screens/work.ts')).OrderPage) },
  { path: '/lookups', Page: later(async () => (await import('../screens/work.ts')).Lookups) },
  { path: '/enrollments', Page: later(async () => (await import('../screens/setup.ts')).Enrollments) },
  { path: '/reports', Page: later(async () => (await import('../screens/reports.tsx')).Reports) },
  { path: '/settings', Page: later(async () => (await import('../screens/setup.ts')).Sites) },
  { path: '/settings/:id', Page: later(async () => (await import('../screens/setup.ts')).SitePage) },
  { path: '/users', Page: later(async () => (await import('../screens/setup.ts')).People) },
  { path: '/account', Page: later(async () => (await import('../screens/setup.ts')).Account) },
  { path: '/admin/unmatched', Page: later(async () => (await import('../screens/setup.ts')).Unmatched) },
  { path: '/help', Page: later(async () => (await import('../screens/work.ts')).Help) },
];

const Nothing = () => (
  <Screen title="Nothing is here">
    <p>
      There is no page at this address. <a href="#/">Go to the inbox</a>.
    </p>
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
