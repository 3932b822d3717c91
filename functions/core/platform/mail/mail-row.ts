import * as v from 'valibot';
import type { Item, Write } from '../table/item.ts';
import { keys } from '../table/keys.ts';
import { defineRow, type Upgrade } from '../table/row.ts';
import type { Mail } from './mail.ts';
import { mailDue } from './mail-due.ts';

/** Rows written before there were other kinds of e-mail have no text. */
const withText: Upgrade = (before) => ({ text: null, ...before });

const MailRow = defineRow<Mail>({
  entity: 'MAIL',
  attribute: null,
  schema: v.looseObject({
    id: v.string(),
    kind: v.string(),
    state: v.string(),
    sid: v.number(),
    mid: v.number(),
    alertId: v.nullable(v.number()),
    text: v.nullable(v.looseObject({ subject: v.string(), text: v.string(), html: v.string() })),
    letter: v.exactOptional(
      v.looseObject({
        subject: v.string(),
        kicker: v.string(),
        heading: v.string(),
        reason: v.string(),
        lead: v.string(),
        dueAt: v.nullable(v.string()),
        quote: v.string(),
        rows: v.array(v.tuple([v.string(), v.union([v.string(), v.looseObject({ at: v.string() })])])),
        sections: v.exactOptional(
          v.array(
            v.looseObject({
              title: v.string(),
              items: v.array(
                v.looseObject({
                  title: v.string(),
                  words: v.string(),
                  path: v.string(),
                  dueAt: v.nullable(v.string()),
                }),
              ),
            }),
          ),
        ),
        link: v.nullable(v.looseObject({ path: v.string(), words: v.string() })),
        forPayer: v.exactOptional(v.literal(true)),
        notice: v.exactOptional(v.looseObject({ amount: v.string(), site: v.string(), isTest: v.boolean() })),
      }),
    ),
    to: v.array(v.string()),
    toManagers: v.exactOptional(v.literal(true)),
    replyTo: v.exactOptional(v.string()),
    sentTo: v.array(v.string()),
    shownOn: v.exactOptional(v.array(v.string())),
    createdAt: v.string(),
    expiresAt: v.string(),
  }),
  upgrades: [withText],
});

/** A pending mail is due from its creation on, so that every sweep tries it again. */
export const toMailItem = (mail: Mail): Item => ({
  ...keys.mail(mail.id),
  ...MailRow.stamp,
  ...(mail.state === 'PENDING' && mailDue.keys(mail.createdAt, mail.id)),
  ...mail,
});

/** Reads a mail back, without the lease that its row has while it is being sent. */
export const fromMailItem = (item: Item): Mail => {
  const { id, kind, state, sid, mid, alertId, text, letter, to, toManagers, replyTo, sentTo, shownOn, ...times } =
    MailRow.read(item);
  const optional = {
    ...(toManagers && { toManagers }),
    ...(replyTo !== undefined && { replyTo }),
    ...(letter && { letter }),
    ...(shownOn && { shownOn }),
  };
  const { createdAt, expiresAt } = times;
  return { id, kind, state, sid, mid, alertId, text, to, ...optional, sentTo, createdAt, expiresAt };
};

/** The part of a transaction that writes a new mail. Its condition fails if the identifier is taken. */
export const newMailWrite = (mail: Mail): Write => ({
  Put: { Item: toMailItem(mail), ConditionExpression: 'attribute_not_exists(pk)' },
});
