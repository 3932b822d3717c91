import { endpoint } from '#core/platform/http/http.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { requery } from '#payments/transactions/settlement/requery-flow.ts';
import { verifiedResult } from '#payments/transactions/transaction/transaction.ts';
import { answering } from '../../alert-answer-store.ts';
import { requeryOperation as operation } from './operation.ts';

export const handler = endpoint(operation, async ({ params: { id: txid, ...query }, body }) => {
  const [sid, given] = [query.sid ?? body.sid, query.rcode ?? body.rcode];
  const missing = [...(sid === undefined ? ['sid'] : []), ...(given === undefined ? ['rcode'] : [])];
  if (sid === undefined || given === undefined) {
    throw new Refusal('request_invalid', missing.map((name) => `${name}: is required`).join('; '));
  }
  const [reference, postbackUrl] = [query.reference ?? body.reference, query.postback_url ?? body.postback_url];
  const { transaction, rcode } = await requery(
    { txid, sid, rcode: given, reference, postbackUrl },
    { alongside: answering() },
  );
  return verifiedResult(transaction, rcode);
});
