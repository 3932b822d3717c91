import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { alertScope } from '../../alert-store.ts';
import { readPulse } from '../../pulse/pulse-store.ts';
import { pulseOperation } from './operation.ts';

export const handler = endpoint(pulseOperation, async ({ body: { mid, sid }, caller }) =>
  readPulse(await alertScope({ mid, sid }, caller), nowMilliseconds()),
);
