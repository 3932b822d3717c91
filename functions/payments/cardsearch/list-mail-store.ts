import { isOn, mailDomainOf } from '#accounts/merchants/settings/payment-settings.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { iso, milliseconds, nowIso } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import { newTimedId } from '#core/kernel/ids.ts';
import { createMail, mailIdOf } from '#core/platform/mail/mail.ts';
import { newMailWrite } from '#core/platform/mail/mail-row.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import { keys } from '#core/platform/table/keys.ts';
import { tryTransact, type Write } from '#core/platform/table/table.ts';
import type { Transaction } from '#payments/transactions/transaction/transaction.ts';
import { fromTransactionItem, type TransactionSummary } from '#payments/transactions/transaction/transaction-row.ts';
import type { Criteria } from './criteria.ts';
import { listMail } from './list-mail.ts';
import { getAll, type Search } from './search-store.ts';

/** A search that finds more people than this is not about one person's card. */
const maxAddresses = 50;
/** The time for which the same search sends no second e-mail. */
const quietMilliseconds = 10 * milliseconds.minute;

/** Transactions by the address they were made with, whatever its capitals; without those of sites that send no e-mails. */
const byAddress = (
  transactions: readonly Transaction[],
  sites: ReadonlyMap<number, Site>,
): Map<string, [Transaction, ...Transaction[]]> => {
  const groups = new Map<string, [Transaction, ...Transaction[]]>();
  for (const one of transactions) {
    const site = sites.get(one.sid);
    if (one.email === null || (site && isOn(site, 'stop_send_email'))) continue;
    const address = one.email.toLowerCase();
    const group = groups.get(address);
    if (group) group.push(one);
    else groups.set(address, [one]);
  }
  return groups;
};

/**
 * Mails the transactions found to the addresses stored with them, to each address its own. The same search within ten minutes sends nothing
 * again, so that a call may be repeated. Throws request_invalid, before any mail, if there are too many.
 */
export const mailFound = async (
  found: readonly TransactionSummary[],
  sites: ReadonlyMap<number, Site>,
  { criteria, search }: { criteria: Criteria; search: Search },
): Promise<void> => {
  const items = await getAll(found.map(({ txid }) => keys.transaction(txid)));
  const groups = byAddress(
    items.flatMap((item) => (item ? [fromTransactionItem(item)] : [])),
    sites,
  );
  if (groups.size > maxAddresses) {
    const words = `the list would go to ${groups.size} e-mail addresses, but at most ${maxAddresses} are allowed`;
    throw new Refusal('request_invalid', `body: ${words}; narrow the search down to a card or a month`);
  }
  for (const [address, transactions] of groups) {
    const [{ sid, mid, email }] = transactions;
    const at = nowIso();
    const letter = listMail(sites.get(sid)?.merchantName ?? '', transactions);
    const site = sites.get(sid);
    const replyTo = site && mailDomainOf(site) !== '' ? { replyTo: `payments@${mailDomainOf(site)}` } : {};
    const words = { kind: 'card_search', sid, mid, to: [email ?? ''], letter, ...replyTo, at } as const;
    const mail = createMail({ id: mailIdOf(newTimedId()), ...words });
    const subject = [search.scope, search.facets ?? '', criteria.label, address].flat().join('\n');
    const conflict = await tryTransact({ mail: newMailWrite(mail), once: onceWrite(criteria.mid, subject, at) });
    if (conflict && !conflict.on('once')) throw conflict;
  }
};

/** The part of a transaction that fails if the same search was mailed recently. The subject has the card only as its fingerprint. */
const onceWrite = (mid: number, subject: string, at: string): Write => {
  const until = iso(Date.parse(at) + quietMilliseconds);
  return {
    Put: {
      Item: {
        ...keys.idempotency(`cardsearch:${mid}`, sha256(subject)),
        entity: 'IDEMPOTENCY',
        until,
        ttl: Math.ceil(Date.parse(until) / 1000),
      },
      ConditionExpression: 'attribute_not_exists(pk) OR #until <= :now',
      ExpressionAttributeNames: { '#until': 'until' },
      ExpressionAttributeValues: { ':now': at },
    },
  };
};
