import { endpoint } from '../../core/http.ts';
import { pageHeaders, refusalPage } from '../../core/page.ts';
import { payerReturns } from '../payer-flow.ts';
import { payerPageOf } from '../payer-page.ts';
import { payerPage } from './operation.ts';

export const handler = endpoint(
  payerPage,
  async ({ params: { id: txid, token, redirectResult } }) =>
    payerPageOf(await payerReturns({ txid, token }, redirectResult)),
  { errorPage: refusalPage, headers: pageHeaders },
);
