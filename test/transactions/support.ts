import { createHash } from 'node:crypto';
import { beforeAll } from 'vitest';
import { nowMilliseconds, setClock } from '../../functions/core/clock.ts';
import { keys } from '../../functions/core/keys.ts';
import { getItem, getItems } from '../../functions/core/table.ts';
import { setPaymentSettings } from '../../functions/merchants/operations.ts';
import type { Processor } from '../../functions/processors/processor.ts';
import { brokenRules, type Ledger } from '../../functions/transactions/ledger.ts';
import { balanceShards, fromLedgerItem } from '../../functions/transactions/ledger-row.ts';
import { singleTx } from '../../functions/transactions/operations.ts';
import type { Transaction } from '../../functions/transactions/transaction.ts';
import { getTransaction } from '../../functions/transactions/transaction-store.ts';
import { newTenant, type Tenant } from '../merchants/tenant.ts';
import { ask } from '../support/operations.ts';

/** A transaction result as callers see it. */
export type Result = {
  tid: string;
  txid: number;
  parent_txid: number;
  status: string;
  tx_action: string;
  amount: number;
  currency: string;
  vrfy: string;
  error_code?: string;
  error_msg?: string;
  next_action?: { type: string };
};

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
export const siteHash = ({ sid, rcode }: Tenant): string => md5(`${sid}${rcode}`);

/** Lets the sandbox take the payments of a test file; to be called at its top level. */
export const useSandbox = (): void => {
  beforeAll(() => {
    Object.assign(process.env, { ALLOW_SANDBOX: 'true', MINFRAUD_SECRET_ID: 'minfraud' });
  });
};

/** Moves the clock of this process on; for good, since nothing runs backwards here. */
export const advance = (milliseconds: number): void => {
  const time = nowMilliseconds() + milliseconds;
  setClock(() => time);
};

/** A merchant with a payment site. */
export const newPaymentSite = async (settings: Record<string, unknown> = {}): Promise<Tenant> => {
  const tenant = await newTenant({ site: { currency: 'USD' } });
  const { mid, rid, sid, as } = tenant;
  const { status, body } = await ask(setPaymentSettings, { as, params: { mid, rid, sid }, body: settings });
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return tenant;
};

let orders = 0;

type Order = { amount?: string; currency?: string } & Record<string, unknown>;

/** The body of a singletx call that its site signed. */
export const orderOf = ({ sid, rcode }: Tenant, { amount = '10.00', currency = 'USD', ...fields }: Order = {}) => {
  const timestamp = String(Math.floor(nowMilliseconds() / 1000));
  orders += 1;
  return {
    hash: md5(`${sid}${timestamp}${amount}${currency}${rcode}`),
    timestamp,
    tid: `order-${orders}`,
    card_type: 'VISA',
    card_no: '4242424242424242',
    card_ccv: '123',
    card_exp_month: '12',
    card_exp_year: '2039',
    card_name: 'Jenny Rosen',
    firstname: 'Jenny',
    lastname: 'Rosen',
    email: 'jenny@example.com',
    item_name: ['Hosting'],
    item_amount_unit: [amount],
    currency,
    tx_action: 'PAYMENT',
    postback_url: 'https://shop.example.com/postback',
    ...fields,
  };
};

/** Pays at a site; throws if the call itself is refused. */
export const pay = async (tenant: Tenant, order: Order = {}): Promise<Result> => {
  const { status, body } = await ask(singleTx, {
    as: 'nobody',
    params: { id: tenant.sid },
    body: orderOf(tenant, order),
  });
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body as Result;
};

export const preauth = (tenant: Tenant, order: Order = {}): Promise<Result> =>
  pay(tenant, { ...order, tx_action: 'PREAUTH' });

/** A ledger as it is; throws if a rule of it is broken. */
export const ledgerOf = async (parentTxid: number): Promise<Ledger> => {
  const item = await getItem(keys.ledger(parentTxid));
  if (!item) throw new Error(`No ledger of ${parentTxid}`);
  const ledger = fromLedgerItem(item);
  const broken = brokenRules(ledger);
  if (broken.length > 0) throw new Error(`The ledger of ${parentTxid} breaks: ${broken.join('; ')}`);
  return ledger;
};

export const transactionOf = async (txid: number): Promise<Transaction> => {
  const transaction = await getTransaction(txid);
  if (!transaction) throw new Error(`No transaction ${txid}`);
  return transaction;
};

/** A site's funds in one currency, all shards together. */
export const fundsAt = async (sid: number, currency = 'USD'): Promise<{ available: number; reserved: number }> => {
  const rows = await getItems(Array.from({ length: balanceShards }, (_, shard) => keys.balance(sid, shard)));
  const sum = (name: string) => rows.reduce((total, row) => total + Number(row?.[`${name}#${currency}`] ?? 0), 0);
  return { available: sum('available'), reserved: sum('reserved') };
};

const unasked = async (): Promise<never> => {
  throw new Error('The test did not expect this call');
};

/** A processor that does what a test says, and throws for all else. */
export const fakeProcessor = (does: Partial<Processor>): Processor => ({
  name: 'sandbox',
  capabilities: { payout: true, balance: false, otp: true, redirect: true, partialRefund: true },
  exponentOf: () => 2,
  pay: unasked,
  continueAuth: unasked,
  resendAuth: unasked,
  capture: unasked,
  void: unasked,
  refund: unasked,
  payout: unasked,
  query: unasked,
  readWebhook: async () => undefined,
  balance: unasked,
  ...does,
});
