import { endpoint } from '../../core/http.ts';
import { setRate } from '../operations.ts';
import { rateShown } from '../rate.ts';
import { setRate as store } from '../rate-store.ts';

export const handler = endpoint(setRate, async ({ body, caller }) => rateShown(await store(body, caller.subject)));
