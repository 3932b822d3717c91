import { endpoint } from '../../core/http.ts';
import { toRateDto } from '../rate.ts';
import { setRate as store } from '../rate-store.ts';
import { setRate } from './operation.ts';

export const handler = endpoint(setRate, async ({ body, caller }) => toRateDto(await store(body, caller.subject)));
