import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { orderHash } from '#payments/payments/order/hashes.ts';
import type { SampleStack, Values } from './sample-stack.ts';

const Paid = v.object({ txid: v.union([v.number(), v.string()]) });
const Check = v.object({ fraud_id: v.number() });
const Redirected = v.object({ next_action: v.object({ url: v.string() }) });
const Chargebacks = v.object({ list: v.array(v.object({ txid: v.nullable(v.number()), chargeback_id: v.string() })) });

const Upload = v.object({ file_id: v.string(), url: v.string(), headers: v.record(v.string(), v.string()) });
const samplePdf = '%PDF-1.4 a sample';

export const sampleTotal = '10.00';
/** The sandbox charges it back at once. */
const disputedCard = '4000000000000259';

type Sent = { operation?: 'singletx' | 'fraudcheck'; action?: 'PAYMENT' | 'PREAUTH'; change?: Record<string, string> };

/**
 * - `{{now_seconds}}`: the stack's time, seconds a little ahead; `{{order_hash}}`: the hash of an order of 10.00 USD then
 * - `{{txid}}`: a new payment of 10.00 USD at the demo payment site; `{{funding_txid}}`: one of 20.00 USD, which a payout needs;
 *   `{{preauth_txid}}`: a new PREAUTH of 10.00; `{{disputed_txid}}`: a payment that no other is like
 * - `{{paid_tid}}`: the merchant's reference of another new payment of 10.00
 * - `{{otp_txid}}`: a new payment that waits for the payer's code, `{{otp_token}}`: of the link to its page;
 *   `{{sandbox_page}}`: the end of the address of a page on which a payer is asked
 * - `{{fraud_id}}`: a fraud check of an order there
 * - `{{chargeback_id}}`: a new chargeback of a payment there; `{{sandbox_dispute_id}}`: what the sandbox calls another;
 *   `{{uploaded_file_id}}`: a file that was uploaded for it and not added yet
 */
export const paymentValues = ({
  url,
  credentials: { payment_site },
  read,
  post,
  postAsMerchant,
}: SampleStack): Values => {
  const hashOf = async (total: string) => {
    const order = { sid: payment_site.sid, timestamp: await read('now_seconds'), total, currency: 'USD' };
    return orderHash(order, payment_site.rcode);
  };
  const sendOrder = async (total: string, { operation = 'singletx', action = 'PAYMENT', change = {} }: Sent = {}) => {
    const signed = { hash: await hashOf(total), timestamp: await read('now_seconds') };
    const order = samplePayment({ action, total, now: await read('now'), postbackUrl: `${url}/_local/sink/payments` });
    const form = new URLSearchParams({ ...signed, ...order, ...change });
    return post(`/api/v1/index.php/${payment_site.sid}/${operation}`, form);
  };
  const pay = async (total: string, sent?: Sent): Promise<string> =>
    String(v.parse(Paid, await sendOrder(total, sent)).txid);
  const pageOf = async (total: string) => v.parse(Redirected, await sendOrder(total)).next_action.url;
  return {
    now_seconds: async () => String(Math.floor(Date.parse(await read('now')) / 1000) + nextOffset()),
    order_hash: () => hashOf(sampleTotal),
    txid: () => pay(sampleTotal),
    funding_txid: () => pay('20.00'),
    preauth_txid: () => pay(sampleTotal, { action: 'PREAUTH' }),
    paid_tid: async () => {
      const tid = `sample ${randomUUID()}`;
      await pay(sampleTotal, { change: { tid } });
      return tid;
    },
    disputed_txid: async () => pay(await read('disputed_amount')),
    // Which amounts the sandbox asks on a page or by a code: see processors/sandbox.ts.
    sandbox_page: async () => (await pageOf('10.63')).split('/').at(-1) ?? '',
    otp_link: () => pageOf('10.64'),
    otp_txid: async () => new URL(await read('otp_link')).pathname.split('/').at(-1) ?? '',
    otp_token: async () => new URL(await read('otp_link')).searchParams.get('token') ?? '',
    fraud_id: async () => String(v.parse(Check, await sendOrder(sampleTotal, { operation: 'fraudcheck' })).fraud_id),
    sandbox_dispute_id: async () => `sbd_${await read('txid')}_0`,
    uploaded_file_id: async () => uploadSampleFile(await read('chargeback_id'), postAsMerchant),
    chargeback_id: async () => {
      const txid = await pay(sampleTotal, { change: { card_no: disputedCard } });
      for (;;) {
        const { list } = v.parse(Chargebacks, await postAsMerchant('/api/v3/service_alerts/chargebacks/list', {}));
        const made = list.find((one) => String(one.txid) === txid);
        if (made) return made.chargeback_id;
        await wait(50);
      }
    },
  };
};

const uploadSampleFile = async (
  chargebackId: string,
  postAsMerchant: SampleStack['postAsMerchant'],
): Promise<string> => {
  const file = { type: 'application/pdf', bytes: samplePdf.length };
  const path = `/api/v3/service_alerts/chargeback/${chargebackId}/files/upload`;
  const { file_id, url, headers } = v.parse(Upload, await postAsMerchant(path, file));
  await fetch(url, { method: 'PUT', headers, body: samplePdf });
  return file_id;
};

/** A hash signs one order, and samples are filled within one second: far fewer seconds ahead than signatures may be. */
const maxSecondsAhead = 240;
let filled = 0;
const nextOffset = (): number => {
  filled += 1;
  return (filled - 1) % maxSecondsAhead;
};

type SamplePayment = { action: string; total: string; now: string; postbackUrl: string };

/** An order of one item, as a shop's form sends it; the card is valid for as long as the stack's clock may have come. */
const samplePayment = ({ action, total, now, postbackUrl }: SamplePayment): Record<string, string> => ({
  tid: randomUUID(),
  tx_action: action,
  currency: 'USD',
  'item_quantity[]': '1',
  'item_name[]': 'A thing',
  'item_no[]': 'T-1',
  'item_description[]': 'A thing to look at',
  'item_amount_unit[]': total,
  card_type: 'VISA',
  card_no: '4242424242424242',
  card_ccv: '123',
  card_exp_month: '12',
  card_exp_year: String(Number(now.slice(0, 4)) + 2),
  card_name: 'Ada Example',
  firstname: 'Ada',
  lastname: 'Example',
  email: 'ada@example.com',
  country: 'US',
  postback_url: postbackUrl,
});
