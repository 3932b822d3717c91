import type { ComponentChildren } from 'preact';

/** Icons appear next to words, never in their place, unless a button has a label of its own. */
const Icon = ({ children }: { children: ComponentChildren }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {children}
  </svg>
);

const draw = (d: string) => () => (
  <Icon>
    <path d={d} />
  </Icon>
);

export const HomeIcon = draw('M4 11 12 4l8 7v9h-6v-6h-4v6H4z');
export const InboxIcon = draw('M3 13h5l1.5 3h5L16 13h5M5 5h14l2 8v6H3v-6z');
export const SendIcon = draw('M4 12 20 4l-5 16-3.5-6.5zM11.5 13.5 20 4');
export const NetworkIcon = draw(
  'M12 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM19 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 7v5m0 0-6 5m6-5 6 5',
);
export const CardIcon = draw('M3 6h18v12H3zM3 10h18M7 15h4');
export const ChargebackIcon = draw('M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12H9');
export const RuleIcon = draw('M4 6h9M4 12h5M4 18h9M17 4v4m-2-2h4M13 10v4m-2-2h4M17 16v4m-2-2h4');
export const ChartIcon = draw('M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6');
export const EnrollIcon = draw('M7 4h10v16H7zM10 9h4M10 13h4');
export const SettingsIcon = draw('M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4');
export const PeopleIcon = draw(
  'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3 3-5 6-5s6 2 6 5M16 6a3 3 0 0 1 0 6M18 14c2 1 3 3 3 5',
);
export const UnmatchedIcon = draw('M12 3v6M12 21v-6M4 12h5M20 12h-5M7 7l2 2M17 17l-2-2');
export const HelpIcon = draw('M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5A2.5 2.5 0 1 1 12 13v1M12 17v.1');
export const MenuIcon = draw('M4 7h16M4 12h16M4 17h16');
export const CloseIcon = draw('M6 6l12 12M18 6 6 18');
export const SearchIcon = draw('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5');
export const FilterIcon = draw('M4 6h16M7 12h10M10 18h4');
export const MoreIcon = draw('M5 12h.1M12 12h.1M19 12h.1');
export const CopyIcon = draw('M8 8h12v12H8zM16 8V4H4v12h4');
export const DownloadIcon = draw('M12 4v11m-4-4 4 4 4-4M4 20h16');
export const NextIcon = draw('m9 6 6 6-6 6');
export const OrderIcon = draw('M4 5h3l2 10h9l2-7H8M10 20v.1M17 20v.1');

/** The logo: a clock with little time left, and a warning lamp. */
export const Logo = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d="M12 4a8 8 0 1 0 8 8" />
    <circle cx="18.500" cy="5.500" r="3" />
  </svg>
);
