import { render } from 'preact';
import { followAddress } from './address.ts';
import { followTime } from './clock.ts';
import { followPreferences } from './preferences.ts';
import { followPulse } from './pulse.ts';
import { resume } from './session.ts';
import { Shell } from './shell.tsx';
import { followKeys } from './shortcuts.ts';

followPreferences();
followAddress();
followTime();
followKeys();
followPulse();
render(<Shell />, document.body);
void resume();
