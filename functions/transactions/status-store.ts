import { nowIso } from '../core/clock.ts';
import { Refusal } from '../core/errors.ts';
import type { Site } from '../merchants/site.ts';
import { getSite, rcodesOf } from '../merchants/site-store.ts';
import { rcodeOfHash, sentRcode, siteHash } from '../payments/hashes.ts';
import type { Transaction } from './transaction.ts';
import { getTransaction } from './transaction-store.ts';

export type Proven = { transaction: Transaction; site: Site; rcode: string };

const hashWrong = () =>
  new Refusal('hash_wrong', 'hash: must be md5 of sid and rcode, joined, of the site that made the transaction.');
const rcodeWrong = () =>
  new Refusal('rcode_wrong', 'rcode: must be that of the site that made the transaction, and sid its number.');

/**
 * A transaction for whoever proves to know its site's rcode by the hash of getstatus. One that does not exist is answered
 * like a wrong hash, in the same time, so that nobody learns which numbers are in use. Throws hash_wrong. Two calls of the table.
 */
export const transactionByHash = (txid: number, hash: string): Promise<Proven> =>
  proven(txid, hashWrong, ({ sid }, rcodes) => rcodeOfHash(hash, rcodes, (rcode) => siteHash(sid, rcode)));

/** The same for whoever sends the site's number and rcode themselves. Throws rcode_wrong. */
export const transactionByRcode = (txid: number, sid: number, rcode: string): Promise<Proven> =>
  proven(txid, rcodeWrong, (site, rcodes) => (site.sid === sid ? sentRcode(rcode, rcodes) : undefined));

const proven = async (
  txid: number,
  strange: () => Refusal,
  rcodeOf: (site: Site, rcodes: readonly string[]) => string | undefined,
): Promise<Proven> => {
  const transaction = await getTransaction(txid);
  // What does not exist takes as long as what does: no site has the number 0.
  const site = await getSite(transaction?.sid ?? 0);
  const rcodes = await rcodesOf(site, nowIso());
  if (!transaction || !site) throw strange();
  const rcode = rcodeOf(site, rcodes);
  if (rcode === undefined) throw strange();
  return { transaction, site, rcode };
};
