import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import {
  CardIcon,
  ChargebackIcon,
  ChartIcon,
  EnrollIcon,
  HelpIcon,
  InboxIcon,
  MenuIcon,
  NetworkIcon,
  OrderIcon,
  PeopleIcon,
  RuleIcon,
  SendIcon,
  SettingsIcon,
  UnmatchedIcon,
} from '../parts/icons.tsx';
import { address, lastLink } from './address.ts';
import { waiting } from './screen.tsx';
import { user } from './session.ts';
import { useShortcuts } from './shortcuts.ts';

type Place = {
  path: string;
  label: string;
  Icon: ComponentType;
  /** Where the screens begin that stand in tabs beside this one, or below it. */
  besides?: readonly string[];
  /** Only for operators. */
  isForAdmin?: boolean;
};

const places: readonly Place[] = [
  { path: '/', label: 'Inbox', Icon: InboxIcon, besides: ['/alerts'] },
  { path: '/deliveries', label: 'Deliveries', Icon: SendIcon },
  { path: '/outcomes', label: 'Answers sent', Icon: NetworkIcon },
  { path: '/payments', label: 'Payments', Icon: CardIcon, besides: ['/3ds'] },
  { path: '/chargebacks', label: 'Chargebacks', Icon: ChargebackIcon },
  { path: '/orders', label: 'Orders', Icon: OrderIcon, besides: ['/lookups'] },
  { path: '/rules', label: 'Rules', Icon: RuleIcon },
  { path: '/reports', label: 'Reports', Icon: ChartIcon, besides: ['/credits'] },
  { path: '/enrollments', label: 'Enrollments', Icon: EnrollIcon },
  { path: '/settings', label: 'Settings', Icon: SettingsIcon },
  { path: '/users', label: 'Users', Icon: PeopleIcon, besides: ['/audit'] },
  { path: '/admin/unmatched', label: 'Unmatched', Icon: UnmatchedIcon, isForAdmin: true },
  { path: '/help', label: 'Help', Icon: HelpIcon },
];

const isHere = ({ path, besides = [] }: Pick<Place, 'path' | 'besides'>): boolean => {
  const present = address.value.path;
  return present === path || [...(path === '/' ? [] : [path]), ...besides].some((one) => present.startsWith(one));
};

/** Where one can go. In narrow windows it opens by a button. */
export const Navigation = () => {
  const [isOpen, setOpen] = useState(false);
  const isAdmin = user.value?.scope === 'admin';
  const to = (path: string) => () => location.assign(lastLink(path));
  useShortcuts({
    goInbox: to('/'),
    goDeliveries: to('/deliveries'),
    goRules: to('/rules'),
    goPayments: to('/payments'),
    goReports: to('/reports'),
    help: to('/help'),
  });
  return (
    <nav class="side" aria-label="Main">
      <button
        type="button"
        class="button plain menu"
        aria-expanded={isOpen}
        aria-controls="places"
        onClick={() => setOpen(!isOpen)}
      >
        <MenuIcon />
        Menu
      </button>
      <ul id="places" class={isOpen ? 'open' : ''}>
        {places
          .filter(({ isForAdmin }) => !isForAdmin || isAdmin)
          .map(({ Icon, ...place }) => (
            <li key={place.path}>
              <a
                href={lastLink(place.path)}
                aria-current={isHere(place) ? 'page' : undefined}
                onClick={() => setOpen(false)}
              >
                <Icon />
                {place.label}
                {place.path === '/' && waiting.value > 0 && (
                  <span class="count">
                    {waiting.value}
                    <span class="unseen"> open alerts</span>
                  </span>
                )}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
};
