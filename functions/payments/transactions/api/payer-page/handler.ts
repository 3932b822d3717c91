import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { pageHeaders, refusalPage } from '#core/platform/http/page.ts';
import { payerReturns } from '../../payer/payer-flow.ts';
import { onwardHeaders, payerPageOf } from '../../payer/payer-page.ts';
import { languageFor } from '../../payer/payer-words.ts';
import { payerPageOperation } from './operation.ts';

export const handler = endpoint(
  payerPageOperation,
  async ({ params: { id: txid, token, redirectResult }, headers }) => {
    const visited = await payerReturns({ txid, token }, redirectResult);
    return new WithHeaders(
      payerPageOf(visited, null, languageFor(headers['accept-language'])),
      onwardHeaders(visited.transaction),
    );
  },
  { errorPage: refusalPage, headers: pageHeaders },
);
