import { endpoint } from '../../core/http.ts';
import { pageHeaders, refusalPage } from '../../core/page.ts';
import { payerAnswers } from '../payer-flow.ts';
import { payerPageOf } from '../payer-page.ts';
import { payerPageAnswer } from './operation.ts';

export const handler = endpoint(
  payerPageAnswer,
  async ({ params: { id: txid, token }, body: { code } }) =>
    payerPageOf(await payerAnswers({ txid, token }, code), true),
  { errorPage: refusalPage, headers: pageHeaders },
);
