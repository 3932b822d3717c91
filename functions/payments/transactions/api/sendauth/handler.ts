import { endpoint } from '#core/platform/http/http.ts';
import { multipartParser } from '#core/platform/http/multipart.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import { continueAuthentication } from '../../follow-up/auth-flow.ts';
import { transactionByHash } from '../../transaction/status-store.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { sendAuthOperation as operation } from './operation.ts';

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async ({ params, body: { authtype: authType, authvalue: authValue, miscdata: miscData = null, hash } }) => {
      const call = { txid: params.id, hash };
      const { transaction, rcode } = await continueAuthentication(call, { authType, authValue, miscData });
      return verifiedResult(transaction, rcode);
    },
    { authenticate: ({ params, body }) => transactionByHash(params.id, body.hash) },
  ),
  { bodyParser: multipartParser() },
);
