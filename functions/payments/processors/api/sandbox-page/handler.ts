import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { pageHeaders, refusalPage } from '#core/platform/http/page.ts';
import { sandboxPageOf } from '../../sandbox/sandbox-page.ts';
import { paymentOfPage } from '../../sandbox/sandbox-store.ts';
import { sandboxPageOperation } from './operation.ts';

export const handler = endpoint(
  sandboxPageOperation,
  async ({ params: { id } }) => sandboxPageOf(await paymentOfPage(id), nowMilliseconds()),
  { errorPage: refusalPage, headers: pageHeaders },
);
