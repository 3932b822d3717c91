import * as v from 'valibot';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';

export const OrderIdReply = count('The order.');
export const OrderStatusReply = describeField(v.literal('ok'), '`ok` when it is done.');
export const ReferenceReply = text('Your own number of the order; unique at the site.');
