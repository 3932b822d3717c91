import { render } from 'preact';
import { followAddress } from './address.ts';
import { followPulse } from './alert-pulse.ts';
import { followTime } from './clock.ts';
import { followNotifications } from './notifications.ts';
import { followPreferences } from './preferences.ts';
import { keepProcessorAnswer } from './processor-sign-in.ts';
import { Shell } from './shell.tsx';
import { followKeys } from './shortcuts.ts';

/** Shows the page, and follows what happens to it. To be called once. */
export const start = (): void => {
  keepProcessorAnswer();
  followPreferences();
  followAddress();
  followTime();
  followKeys();
  followPulse();
  followNotifications();
  render(<Shell />, document.body);
};
