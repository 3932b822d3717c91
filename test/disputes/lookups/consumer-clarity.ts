import { readFileSync } from 'node:fs';

/**
 * The rules of Mastercard's public OpenAPI document of Ethoca Consumer Clarity for Merchant Transactions, 4.2.0, for an answer:
 * which fields an object has and which it must have, their lengths, and the values that their descriptions allow. Objects that
 * the service has nothing for are left out. The pattern of `AccountProfile.email`, which accepts no e-mail address, is left out
 * too.
 * @see https://developer.mastercard.com/ethoca-consumer-clarity-for-merchants/documentation/api-reference/
 */
export type Fact =
  | { ref: string }
  | { list: Fact }
  | { type: string; least?: number; most?: number; time?: true; values?: readonly string[] };

export const consumerClarity: Readonly<
  Record<string, { required: readonly string[]; fields: Readonly<Record<string, Fact>> }>
> = JSON.parse(readFileSync(new URL('consumer-clarity.json', import.meta.url), 'utf8'));
