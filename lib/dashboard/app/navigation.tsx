import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { translate } from '../language/translate.ts';
import { ChooseMerchant } from '../parts/choose-merchant.tsx';
import { useDismiss } from '../parts/dismiss.ts';
import {
  CardIcon,
  ChargebackIcon,
  ChartIcon,
  EnrollIcon,
  HelpIcon,
  HomeIcon,
  InboxIcon,
  Logo,
  MenuIcon,
  NetworkIcon,
  OrderIcon,
  PeopleIcon,
  RuleIcon,
  SendIcon,
  SettingsIcon,
  UnmatchedIcon,
} from '../parts/icons.tsx';
import { AccountMenu } from './account-menu.tsx';
import { address, lastLink } from './address.ts';
import { Palette, PaletteButton } from './palette.tsx';
import { waiting } from './screen.tsx';
import { user } from './session.ts';
import { useShortcuts } from './shortcuts.ts';

type Place = {
  path: string;
  label: string;
  Icon: ComponentType;
  /** The prefixes of screens in tabs next to this one, or below it. */
  besides?: readonly string[];
  /** Places for settings and reports, below those for daily work. */
  isSetUp?: boolean;
  /** True if it is a tab on phones. */
  isTab?: boolean;
  /** Only for operators. */
  isForAdmin?: boolean;
};

const places: readonly Place[] = [
  { path: '/', label: translate('Home'), Icon: HomeIcon, isTab: true },
  { path: '/queue', label: translate('Queue'), Icon: InboxIcon, besides: ['/alerts'], isTab: true },
  { path: '/chargebacks', label: translate('Chargebacks'), Icon: ChargebackIcon },
  { path: '/payments', label: translate('Payments'), Icon: CardIcon, besides: ['/3ds'], isTab: true },
  { path: '/orders', label: translate('Orders'), Icon: OrderIcon, besides: ['/lookups', '/customers'] },
  { path: '/admin/merchants', label: translate('Merchants'), Icon: PeopleIcon, isForAdmin: true },
  { path: '/admin/unmatched', label: translate('Unmatched'), Icon: UnmatchedIcon, isForAdmin: true },
  { path: '/rules', label: translate('Rules'), Icon: RuleIcon, isSetUp: true },
  {
    path: '/reports',
    label: translate('Reports'),
    Icon: ChartIcon,
    besides: ['/credits', '/statements'],
    isSetUp: true,
    isTab: true,
  },
  { path: '/deliveries', label: translate('Deliveries'), Icon: SendIcon, isSetUp: true },
  { path: '/outcomes', label: translate('Answers sent'), Icon: NetworkIcon, isSetUp: true },
  { path: '/enrollments', label: translate('Enrollments'), Icon: EnrollIcon, isSetUp: true },
  { path: '/settings', label: translate('Settings'), Icon: SettingsIcon, besides: ['/connections'], isSetUp: true },
  {
    path: '/users',
    label: translate('Users'),
    Icon: PeopleIcon,
    besides: ['/api-keys', '/single-sign-on', '/audit'],
    isSetUp: true,
  },
  { path: '/help', label: translate('Help'), Icon: HelpIcon, isSetUp: true },
];

/** Screens that have no place of their own in the navigation. */
const others = [
  { path: '/3ds', label: translate('3-D Secure') },
  { path: '/lookups', label: translate('Look-ups') },
  { path: '/credits', label: translate('Credits') },
  { path: '/connections', label: translate('Connections') },
  { path: '/audit', label: translate('Audit') },
  { path: '/account', label: translate('Your account') },
] as const;

const isHere = ({ path, besides = [] }: Pick<Place, 'path' | 'besides'>): boolean => {
  const present = address.value.path;
  return present === path || [...(path === '/' ? [] : [path]), ...besides].some((one) => present.startsWith(one));
};

const PlaceLink = ({ Icon, ...place }: Place) => (
  <a href={lastLink(place.path)} title={place.label} aria-current={isHere(place) ? 'page' : undefined}>
    <Icon />
    <span class="label">{place.label}</span>
    {place.path === '/queue' && waiting.value > 0 && (
      <span class="count">
        {waiting.value}
        <span class="unseen"> {translate('open alerts')}</span>
      </span>
    )}
  </a>
);

/** In a narrow window, one of the two headings of a list and its pane is hidden. */
const skip = () =>
  [...document.querySelectorAll<HTMLElement>('#main h1')].find(({ offsetParent }) => offsetParent)?.focus();

/** The navigation with the account menu. On phones it rises from the bottom, and the most used places are tabs. */
export const Navigation = () => {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useDismiss(ref, isOpen, () => setOpen(false));
  const isAdmin = user.value?.scope === 'admin';
  const to = (path: string) => () => location.assign(lastLink(path));
  useShortcuts({
    goHome: to('/'),
    goQueue: to('/queue'),
    goDeliveries: to('/deliveries'),
    goRules: to('/rules'),
    goPayments: to('/payments'),
    goReports: to('/reports'),
    help: to('/help'),
  });
  const shown = places.filter(({ isForAdmin }) => !isForAdmin || isAdmin);
  return (
    <div ref={ref}>
      <button type="button" class="skip" onClick={skip}>
        {translate('Skip to the content')}
      </button>
      <header class={`side ${isOpen ? 'open' : ''}`} id="side">
        <a class="brand" href="#/">
          <Logo />
          <span class="label">Forewarn</span>
        </a>
        <ChooseMerchant />
        <PaletteButton />
        <nav class="places" aria-label={translate('Main')}>
          {[false, true].map((isSetUp) => (
            <ul key={String(isSetUp)}>
              {shown
                .filter((place) => (place.isSetUp ?? false) === isSetUp)
                .map((place) => (
                  <li key={place.path}>
                    <PlaceLink {...place} />
                  </li>
                ))}
            </ul>
          ))}
        </nav>
        <AccountMenu />
      </header>
      <nav class="tabbar" aria-label={translate('Tabs')}>
        {shown
          .filter(({ isTab }) => isTab)
          .map((place) => (
            <PlaceLink key={place.path} {...place} />
          ))}
        <button type="button" aria-expanded={isOpen} aria-controls="side" onClick={() => setOpen(!isOpen)}>
          <MenuIcon />
          {translate('More')}
        </button>
      </nav>
      <Palette screens={[...shown, ...others]} />
    </div>
  );
};
