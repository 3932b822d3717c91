import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { pageHeaders, refusalPage } from '#core/platform/http/page.ts';
import { sendOrThrow } from '#core/platform/work/queue-store.ts';
import { sandboxPageOf } from '../../sandbox/sandbox-page.ts';
import { answerPage } from '../../sandbox/sandbox-store.ts';
import { sandboxPageAnswerOperation } from './operation.ts';

export const handler = endpoint(
  sandboxPageAnswerOperation,
  async ({ params: { id }, body: { answer } }) => {
    const payment = await answerPage(id, answer);
    // Also if it was answered before: sending this message may be what failed then.
    await sendOrThrow([{ queue: 'settlement', body: { txid: payment.txid, told: true } }]);
    return sandboxPageOf(payment, nowMilliseconds());
  },
  { errorPage: refusalPage, headers: pageHeaders },
);
