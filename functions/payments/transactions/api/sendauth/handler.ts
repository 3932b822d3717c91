import { endpoint } from '#core/platform/http/http.ts';
import { multipartParser } from '#core/platform/http/multipart.ts';
import { continueAuthentication } from '../../follow-up/auth-flow.ts';
import { verifiedResult } from '../../transaction/transaction.ts';
import { sendAuthOperation } from './operation.ts';

export const handler = endpoint(
  sendAuthOperation,
  async ({ params, body: { authtype: authType, authvalue: authValue, miscdata: miscData = null, hash } }) => {
    const call = { txid: params.id, hash };
    const { transaction, rcode } = await continueAuthentication(call, { authType, authValue, miscData });
    return verifiedResult(transaction, rcode);
  },
  { bodyParser: multipartParser() },
);
