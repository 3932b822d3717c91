/**
 * The reasons of disputes: schemes' codes and processors' words, by what the cardholder claims. Mails, the dashboard, checklists and estimates
 * use this one table; it imports nothing, so the dashboard has it too. Sources, read 2026-11-28: docs.stripe.com/disputes/reason-codes-defense-requirements,
 * Braintree's list of codes (2025-09-22), Discover's by chargeback.com, PayPal's customer_disputes_v1.json (1.10).
 */

/** The claims of disputes, as far as they matter for the answer. */
export const claimNames = [
  'fraud',
  'not_received',
  'not_as_described',
  'cancelled',
  'no_credit',
  'twice',
  'other',
] as const;
export type Claim = (typeof claimNames)[number];

const codes: Readonly<Record<Claim, string>> = {
  fraud:
    '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4863 4870 4871 F10 F14 F24 F29 F30 F31 FR2 FR4 FR6 UA01 UA02 UA05 UA06 AA ' +
    'fraudulent unrecognized unauthorised',
  not_received: '13.1 13.9 C08 RG NF 4855 product_not_received merchandise_or_service_not_received',
  not_as_described: '13.3 13.4 13.5 C31 C32 RM product_unacceptable merchandise_or_service_not_as_described',
  cancelled: '13.2 4841 C28 AP subscription_canceled canceled_recurring_billing',
  no_credit: '13.6 13.7 4860 C02 C04 C05 C18 RN2 CD credit_not_processed',
  twice: '12.6 12.6.1 12.6.2 4834 P08 C14 DP PM duplicate duplicate_transaction payment_by_other_means',
  // Authorisation, instalments, altered amounts and the schemes' own rules: the scheme's code says more than any words here.
  other: '4808 4850 AW noncompliant',
};

const claims: ReadonlyMap<string, Claim> = new Map(
  (Object.keys(codes) as Claim[]).flatMap((claim) =>
    codes[claim].split(' ').map((code) => [code.toLowerCase(), claim] as const),
  ),
);

/** Codes that stand for several claims: 4853 is Mastercard's for all disputes of cardholders, and only the processor's word says which. */
const umbrellas: readonly string[] = ['4853'];

/** The reason of a dispute: the scheme's code, with the processor's word where the code stands for several claims; else that word alone. */
export const joinReason = (code: string, word: string): string => {
  const known = code.trim();
  if (known === '') return word;
  return umbrellas.includes(known) && word !== '' ? `${known} ${word}` : known;
};

/** The claim that a scheme's code or a processor's word stands for; undefined for an unknown one, and for an umbrella without such a word. */
export const claimOfCode = (reason: string): Claim | undefined =>
  reason
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .map((part) => claims.get(part))
    .find((claim) => claim !== undefined);
