import { endpoint, WithHeaders } from '#core/platform/http/http.ts';
import { pageHeaders, refusalPage } from '#core/platform/http/page.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { payerAnswers } from '../../payer/payer-flow.ts';
import { onwardHeaders, payerPageOf } from '../../payer/payer-page.ts';
import { languageFor } from '../../payer/payer-words.ts';
import { payerPageAnswerOperation } from './operation.ts';

export const handler = endpoint(
  payerPageAnswerOperation,
  async ({ params: { id: txid, token }, body: { code, resend }, headers }) => {
    if (code === undefined && resend === undefined) throw new Refusal('request_invalid', 'code: is required');
    const visited = await payerAnswers({ txid, token }, resend === undefined ? (code ?? null) : null);
    return new WithHeaders(
      payerPageOf(visited, resend === undefined ? 'tried' : 'resent', languageFor(headers['accept-language'])),
      onwardHeaders(visited.transaction),
    );
  },
  { errorPage: refusalPage, headers: pageHeaders },
);
