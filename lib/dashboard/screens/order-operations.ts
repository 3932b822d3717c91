import type { orderDetailsOperation as OrderDetailsOperation } from '#disputes/lookups/api/order-details/operation.ts';
import { type ReplyOf, remote } from '../app/client.ts';

export const orderDetails = remote<typeof OrderDetailsOperation>({ path: '/api/v3/orders/{id}/details' });
export type OrderDto = ReplyOf<typeof OrderDetailsOperation>;
