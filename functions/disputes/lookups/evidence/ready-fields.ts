/** The facts of an order that each program asks for. For both providers, the fields that their guides call required or recommended. */
export const readyFields = {
  provider_a: ['receipt_url', 'arn', 'display_name', 'logo_url', 'support_contact', 'refund_policy_url', 'deliveries'],
  provider_b: ['arn', 'descriptor', 'display_name', 'support_contact', 'deliveries'],
  ce3: ['card_token', 'ip', 'device_id', 'account_id', 'shipping'],
} as const;

export type Program = keyof typeof readyFields;
export type ReadyField = (typeof readyFields)[Program][number];
