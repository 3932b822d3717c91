import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import { type Item, newRow, type Write } from '../table/item.ts';
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
    ...texts('id', 'kind', 'state', 'createdAt', 'expiresAt'),
    sid: v.number(),
    mid: v.number(),
    alertId: v.nullable(v.number()),
    text: v.nullable(v.looseObject({ subject: v.string(), text: v.string(), html: v.string() })),
    letter: v.exactOptional(
      v.looseObject({
        ...texts('subject', 'kicker', 'heading', 'reason', 'lead', 'quote'),
        dueAt: v.nullable(v.string()),
        rows: v.array(v.tuple([v.string(), v.union([v.string(), v.looseObject({ at: v.string() })])])),
        sections: v.exactOptional(
          v.array(
            v.looseObject({
              title: v.string(),
              items: v.array(
                v.looseObject({
                  ...texts('title', 'words', 'path'),
                  dueAt: v.nullable(v.string()),
                }),
              ),
            }),
          ),
        ),
        language: v.exactOptional(v.string()),
        link: v.nullable(v.looseObject({ path: v.string(), words: v.string() })),
        forPayer: v.exactOptional(v.literal(true)),
        notice: v.exactOptional(v.looseObject({ amount: v.string(), site: v.string(), isTest: v.boolean() })),
      }),
    ),
    to: v.array(v.string()),
    toManagers: v.exactOptional(v.literal(true)),
    replyTo: v.exactOptional(v.string()),
    linkSeed: v.exactOptional(v.looseObject(texts('key', 'nonce'))),
    baseUrl: v.exactOptional(v.string()),
    sentTo: v.array(v.string()),
    shownOn: v.exactOptional(v.array(v.string())),
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
  const {
    id,
    kind,
    state,
    sid,
    mid,
    alertId,
    text,
    letter,
    to,
    toManagers,
    replyTo,
    sentTo,
    shownOn,
    linkSeed,
    baseUrl,
    ...times
  } = MailRow.read(item);
  const optional = {
    ...(toManagers && { toManagers }),
    ...(replyTo !== undefined && { replyTo }),
    ...(letter && { letter }),
    ...(shownOn && { shownOn }),
    ...(linkSeed && { linkSeed }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
  const { createdAt, expiresAt } = times;
  return { id, kind, state, sid, mid, alertId, text, to, ...optional, sentTo, createdAt, expiresAt };
};

/** The part of a transaction that writes a new mail. Its condition fails if the identifier is taken. */
export const newMailWrite = (mail: Mail): Write => newRow(toMailItem(mail));
