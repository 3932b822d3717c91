import * as v from 'valibot';
import { IdReply, MerchantIdField, NameReply } from '#core/kernel/schema/field-schemas.ts';
import { count, describeField, flag } from '#core/kernel/schema/field-words.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { connectionKinds } from '#payments/processors/ports/processors.ts';

export const wordsOfKind = `Which processor: ${connectionKinds.join(', ')}.`;

/** A merchant's connection as shown; its credentials only as far as they say whose account it is. */
export const ConnectionDto = v.object({
  id: IdReply,
  kind: describeField(v.picklist(connectionKinds), wordsOfKind),
  label: NameReply,
  active: flag('Whether it is used.'),
  sids: describeField(v.nullable(v.array(v.number())), 'The alert sites it is for; null: all of the merchant.'),
  credentials: describeField(
    v.record(v.string(), v.string()),
    'What the other side has given you to sign in with; never shown again.',
  ),
});

export const ConnectionsVersion = count('Which state of the connections this is.');

export const ConnectionPath = v.object({
  mid: MerchantIdField,
  id: v.pipe(AnyText, v.maxLength(40), v.description('Its identifier.')),
});
