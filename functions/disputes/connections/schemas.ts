import * as v from 'valibot';
import { IdReply, MerchantIdField, NameReply } from '#core/kernel/schema/field-schemas.ts';
import { AnyText } from '#core/kernel/schema/text.ts';
import { gatewayKinds } from '#payments/processors/ports/processors.ts';

export const wordsOfKind = `Which processor: ${gatewayKinds.join(', ')}.`;

/** A merchant's connection as shown; its credentials only as far as they say whose account it is. */
export const ConnectionDto = v.object({
  id: IdReply,
  kind: v.pipe(v.picklist(gatewayKinds), v.description(wordsOfKind)),
  label: NameReply,
  active: v.pipe(v.boolean(), v.description('Whether it is used.')),
  sids: v.pipe(v.nullable(v.array(v.number())), v.description('The alert sites it is for; null: all of the merchant.')),
  credentials: v.pipe(
    v.record(v.string(), v.string()),
    v.description('What the other side has given you to sign in with; never shown again.'),
  ),
});

export const ConnectionsVersion = v.pipe(v.number(), v.description('Which state of the connections this is.'));

export const ConnectionPath = v.object({
  mid: MerchantIdField,
  id: v.pipe(AnyText, v.maxLength(40), v.description('Its identifier.')),
});
