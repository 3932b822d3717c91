import { expect, it } from 'vitest';
import { captureHash, siteHash, vrfyOf } from '#payments/payments/order/hashes.ts';
import { orderBody } from '#test/payments/transactions/shop.ts';
import { type CallReply, startStack } from '#test/support/stack.ts';

it('sees through the stack what became of payments, captures and refunds, and tells the merchant', async () => {
  await using stack = await startStack();
  const site = stack.credentials.payment_site;
  const v1 = (id: number, name: string) => `/api/v1/index.php/${id}/${name}`;
  const pay = (amount: string, change: Record<string, unknown> = {}): Promise<CallReply> =>
    stack.call(v1(site.sid, 'singletx'), {
      body: orderBody(site, amount, { postback_url: stack.sinks.url('shop'), ...change }),
    });
  const token = await stack.tokenOf('merchant');
  const statusOf = async (txid: number) =>
    (await stack.call(`${v1(txid, 'getstatus')}?hash=${siteHash(site.sid, site.rcode)}`, { method: 'GET' })).body;
  const refund = (txid: number, amount: string): Promise<CallReply> =>
    stack.call(`/api/v3/service_process/transaction/${txid}/processrefund`, {
      token,
      body: { amount, currency: 'USD' },
    });
  const told = () =>
    stack.sinks.got('shop').map(({ body }) => JSON.parse(body) as { txid: number; status: string; vrfy: string });

  // The answer of the processor is lost; without any action, it is known a minute later.
  const lost = await pay('10.62');
  expect(lost.body).toMatchObject({ status: 'PEND' });
  const txid = Number(lost.body['txid']);
  await stack.untilIdle();
  expect(told()).toEqual([]);
  await stack.clock.advance('PT2M');
  expect(await statusOf(txid)).toMatchObject({ status: 'OK' });
  const { sid, rcode } = site;
  const verified = { txid, status: 'OK', amount: '10.62', currency: 'USD', tx_action: 'PAYMENT' };
  expect(told()).toEqual([expect.objectContaining({ txid, status: 'OK', vrfy: vrfyOf(sid, rcode, verified) })]);

  // A refund that takes a while.
  const slow = await refund(txid, '5.61');
  expect(slow).toMatchObject({ status: 200, body: { status: 'PEND', tx_action: 'REFUND', parent_txid: txid } });
  expect((await refund(txid, '5.02')).status).toBe(409);
  await stack.clock.advance('PT2M');
  expect(told().at(-1)).toMatchObject({
    txid: Number(slow.body['txid']),
    status: 'OK',
    tx_action: 'REFUND',
    amount: 5.61,
  });

  // An authorisation, its capture, and the refund of that.
  const auth = Number((await pay('10.00', { tx_action: 'PREAUTH' })).body['txid']);
  const hash = captureHash(site.sid, '10.00', site.rcode);
  const capture = await stack.call(v1(site.sid, 'flagcapture'), {
    body: { parent_txid: String(auth), amount: '10.00', hash },
  });
  expect(capture).toMatchObject({ status: 200, body: { status: 'OK', tx_action: 'CAPTURE' } });
  expect((await refund(auth, '10.00')).body).toMatchObject({ status: 'OK', tx_action: 'REFUND' });
  await stack.untilIdle();
  expect(told().map(({ status }) => status)).toEqual(['OK', 'OK', 'OK', 'OK', 'OK']);

  // Without a token there is no refund.
  const nobody = await stack.call(`/api/v3/service_process/transaction/${auth}/processrefund`, { body: {} });
  expect(nobody.status).toBe(401);
  expect(stack.problems).toEqual([]);
});
