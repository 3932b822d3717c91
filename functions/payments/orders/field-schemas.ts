import * as v from 'valibot';

export const OrderIdReply = v.pipe(v.number(), v.description('The order.'));
export const OrderStatusReply = v.pipe(v.literal('ok'), v.description('What became of the order, or of the entry.'));
export const ReferenceReply = v.pipe(v.string(), v.description('Your own number of the order; unique at the site.'));
