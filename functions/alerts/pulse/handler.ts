import { nowMilliseconds } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { alertScope } from '../alert-store.ts';
import { readPulse } from '../pulse-store.ts';
import { pulse } from './operation.ts';

export const handler = endpoint(pulse, async ({ body: { mid, sid }, caller }) =>
  readPulse(await alertScope({ mid, sid }, caller), nowMilliseconds()),
);
