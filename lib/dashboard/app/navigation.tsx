import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import {
  CardIcon,
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
import { address, link } from './address.ts';
import { waiting } from './screen.tsx';
import { user } from './session.ts';
import { useShortcuts } from './shortcuts.ts';

type Place = {
  path: string;
  label: string;
  Icon: ComponentType;
  /** Only for operators. */
  isForAdmin?: boolean;
};

const places: readonly Place[] = [
  { path: '/', label: 'Inbox', Icon: InboxIcon },
  { path: '/deliveries', label: 'Deliveries', Icon: SendIcon },
  { path: '/outcomes', label: 'Told to networks', Icon: NetworkIcon },
  { path: '/payments', label: 'Payments', Icon: CardIcon },
  { path: '/orders', label: 'Orders', Icon: OrderIcon },
  { path: '/rules', label: 'Rules', Icon: RuleIcon },
  { path: '/reports', label: 'Reports', Icon: ChartIcon },
  { path: '/enrollments', label: 'Enrollments', Icon: EnrollIcon },
  { path: '/settings', label: 'Settings', Icon: SettingsIcon },
  { path: '/users', label: 'Users', Icon: PeopleIcon },
  { path: '/admin/unmatched', label: 'Unmatched', Icon: UnmatchedIcon, isForAdmin: true },
  { path: '/help', label: 'Help', Icon: HelpIcon },
];

const isHere = (path: string): boolean => {
  const present = address.value.path;
  if (path === '/orders' && present.startsWith('/lookups')) return true;
  return path === '/' ? present === '/' || present.startsWith('/alerts') : present.startsWith(path);
};

/** Where one can go. In narrow windows it opens by a button. */
export const Navigation = () => {
  const [isOpen, setOpen] = useState(false);
  const isAdmin = user.value?.scope === 'admin';
  const to = (path: string) => () => location.assign(link(path));
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
          .map(({ path, label, Icon }) => (
            <li key={path}>
              <a href={link(path)} aria-current={isHere(path) ? 'page' : undefined} onClick={() => setOpen(false)}>
                <Icon />
                {label}
                {path === '/' && waiting.value > 0 && (
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
