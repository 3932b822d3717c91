import { nowMilliseconds } from '#core/kernel/clock.ts';
import { endpoint } from '#core/platform/http/http.ts';
import { multipartParser } from '#core/platform/http/multipart.ts';
import { idempotent } from '#core/platform/idempotency/idempotency-store.ts';
import type { Request } from '#core/platform/operation/operation.ts';
import { siteProofOf } from '#payments/payments/order/site-proof.ts';
import { continueAuthentication } from '../../follow-up/auth-flow.ts';
import { transactionByProof } from '../../transaction/status-store.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { sendAuthOperation as operation } from './operation.ts';

const toProof = ({ body, ...call }: Request<typeof operation>) => siteProofOf(call, body.hash, nowMilliseconds());

export const handler = endpoint(
  operation,
  idempotent(
    operation,
    async (request) => {
      const { authtype: authType, authvalue: authValue, miscdata: miscData = null } = request.body;
      const call = { txid: request.params.id, proof: toProof(request) };
      const { transaction, rcode } = await continueAuthentication(call, { authType, authValue, miscData });
      return verifiedResult(transaction, rcode);
    },
    { authenticate: (request) => transactionByProof(request.params.id, toProof(request)) },
  ),
  { bodyParser: multipartParser() },
);
