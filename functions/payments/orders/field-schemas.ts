import * as v from 'valibot';
import { count, describeField, nullableText, text } from '#core/kernel/schema/field-words.ts';

export const OrderIdReply = count('The order.');
export const OrderStatusReply = describeField(v.literal('ok'), '`ok` when it is done.');
export const ReferenceReply = text('Your own number of the order; unique at the site.');

/** The buyer and the goods, in rows of lists. */
export const buyerFields = {
  buyer: nullableText(
    'The buyer’s name, or else the e-mail address; null where neither is known, or the key may not read it.',
  ),
  items: describeField(v.array(v.string()), 'The names of the first three items; none where they are not known.'),
};

const orderMoneyStates = ['charged_back', 'refunded', 'disputed'] as const;
export type OrderMoneyState = (typeof orderMoneyStates)[number];
export const OrderMoneyStateReply = describeField(
  v.nullable(v.picklist(orderMoneyStates)),
  'What became of its money: charged back, refunded or disputed, whichever is the gravest; null: none of these.',
);
