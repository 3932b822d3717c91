import type { ComponentChildren } from 'preact';

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
  (label: string, screens: readonly (readonly [path: string, words: string])[]) =>
  ({ at }: { at: string }) => (
    <Tabs
      label={label}
      tabs={screens.map(([path, words]) => ({ href: `#${path}`, label: words, isPresent: path === at }))}
    />
  );

export const PaymentTabs = between('Payments or authentications', [
  ['/payments', 'Payments'],
  ['/3ds', '3-D Secure'],
]);
export const OrderTabs = between('Orders or look-ups', [
  ['/orders', 'Orders'],
  ['/lookups', 'Look-ups'],
]);
export const ReportTabs = between('Reports or credits', [
  ['/reports', 'Reports'],
  ['/credits', 'Credits'],
]);
export const SettingsTabs = between('Sites or connections', [
  ['/settings', 'Sites'],
  ['/connections', 'Connections'],
]);
export const PeopleTabs = between('Users, API keys or audit', [
  ['/users', 'Users'],
  ['/api-keys', 'API keys'],
  ['/single-sign-on', 'Single sign-on'],
  ['/audit', 'Audit'],
]);
