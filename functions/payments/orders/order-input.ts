import { Refusal } from '#core/platform/operation/errors.ts';
import { type OrderContent, orderContent } from './order.ts';
import type { OrderFields } from './schemas.ts';

/** An order as it is kept. `now`: ISO. Throws request_invalid, naming each field that is wrong. */
export const readOrder = (fields: OrderFields, now: string): OrderContent => {
  const content = orderContent(fields, now);
  if (Array.isArray(content)) throw new Refusal('request_invalid', content.join('; '));
  return content;
};
