import { dueKeys, keys } from '../core/keys.ts';
import type { Item, Write } from '../core/table.ts';
import type { Mail } from './mail.ts';

/** A mail that is owed stays due since its creation, so that every sweep tries it again. */
export const toMailItem = (mail: Mail): Item => ({
  ...keys.mail(mail.id),
  entity: 'MAIL',
  ...(mail.state === 'PENDING' && dueKeys('MAIL', mail.createdAt, mail.id)),
  ...mail,
});

/** Reads a mail back. The table holds only what toMailItem wrote, and a lease while it is being sent. */
export const fromMailItem = (item: Item): Mail => {
  const { id, kind, state, sid, mid, alertId, text = null, to, sentTo, createdAt, expiresAt } = item as Item & Mail;
  return { id, kind, state, sid, mid, alertId, text, to, sentTo, createdAt, expiresAt };
};

/** The part of a transaction that writes a new mail. Its condition fails if the identifier is taken. */
export const newMailWrite = (mail: Mail): Write => ({
  Put: { Item: toMailItem(mail), ConditionExpression: 'attribute_not_exists(pk)' },
});
