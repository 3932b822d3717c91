import { link } from '../app/address.ts';
import { translate } from '../language/translate.ts';
import { Tabs } from '../parts/tabs.tsx';
import type { SiteDto } from './site-operations.ts';
import { fraudLists } from './site-operations.ts';

export const sitePages = ['settings', 'processors', 'fees', 'fraud-lists', 'order-profile'] as const;
export type SitePageName = (typeof sitePages)[number];

const labels: Readonly<Record<SitePageName, string>> = {
  settings: translate('Settings'),
  processors: translate('Processors'),
  fees: translate('Fees'),
  'fraud-lists': translate('Fraud lists'),
  'order-profile': translate('Business profile'),
};

/** Returns the settings of a site that a user sees. */
export const tabsFor = ({ type }: Pick<SiteDto, 'type'>): readonly SitePageName[] => {
  if (type === '3ds') return ['settings'];
  if (type === 'alert') return ['settings', 'order-profile'];
  return sitePages.filter((name) => name !== 'fraud-lists' || fraudLists.isAllowed());
};

const tabPath = (sid: number, name: SitePageName): string =>
  name === 'settings' ? `/settings/${sid}` : `/settings/${sid}/${name}`;

export const SiteTabs = ({ site, at }: { site: SiteDto; at: SitePageName }) => {
  const names = tabsFor(site);
  if (names.length < 2) return null;
  return (
    <Tabs
      label={translate('What of the site')}
      tabs={names.map((name) => ({
        href: link(tabPath(site.sid, name)),
        label: labels[name],
        isPresent: name === at,
      }))}
    />
  );
};
