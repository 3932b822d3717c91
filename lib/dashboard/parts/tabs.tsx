import type { ComponentChildren } from 'preact';
import { isOperator } from '../app/merchant.ts';
import { translate } from '../language/translate.ts';

export type Tab = { href: string; label: ComponentChildren; isPresent: boolean };

/** Screens that belong together, or parts of one: links, as each has its address. */
export const Tabs = ({ label, tabs }: { label: string; tabs: readonly Tab[] }) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ href, label: words, isPresent }) => (
      <a key={href} href={href} aria-current={isPresent ? 'page' : undefined} ref={isPresent ? bringIntoView : null}>
        {words}
      </a>
    ))}
  </nav>
);

/** On a narrow screen the tabs scroll sideways: the present one is not to be looked for. */
const bringIntoView = (tab: HTMLElement | null): void => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** Tabs between screens, by their paths. */
const between =
  (label: string, screens: readonly (readonly [path: string, words: string, isForAdmin?: true])[]) =>
  ({ at }: { at: string }) => (
    <Tabs
      label={label}
      tabs={screens
        .filter(([, , isForAdmin]) => !isForAdmin || isOperator())
        .map(([path, words]) => ({ href: `#${path}`, label: words, isPresent: path === at }))}
    />
  );

export const PaymentTabs = between(translate('Payments or authentications'), [
  ['/payments', translate('Payments')],
  ['/3ds', translate('3-D Secure')],
]);
export const OrderTabs = between(translate('Orders or look-ups'), [
  ['/orders', translate('Orders')],
  ['/lookups', translate('Look-ups')],
]);
export const ReportTabs = between(translate('Reports or credits'), [
  ['/reports', translate('Reports')],
  ['/credits', translate('Credits')],
  ['/statements', translate('Statements'), true],
]);
export const SettingsTabs = between(translate('Sites or connections'), [
  ['/settings', translate('Sites')],
  ['/connections', translate('Connections')],
]);
export const OperatorTabs = between(translate('Merchants or status'), [
  ['/admin/merchants', translate('Merchants')],
  ['/admin/status', translate('Status')],
]);
export const PeopleTabs = between(translate('Users, API keys or audit'), [
  ['/users', translate('Users')],
  ['/api-keys', translate('API keys')],
  ['/single-sign-on', translate('Single sign-on')],
  ['/audit', translate('Audit')],
]);
