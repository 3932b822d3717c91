import { nowMilliseconds } from '../../core/clock.ts';
import { endpoint } from '../../core/http.ts';
import { sandboxPage } from '../operations.ts';
import { pageHeaders, pageOf } from '../sandbox-page.ts';
import { paymentOfPage } from '../sandbox-store.ts';

export const handler = endpoint(
  sandboxPage,
  async ({ params: { id } }) => pageOf(await paymentOfPage(id), nowMilliseconds()),
  { headers: pageHeaders },
);
