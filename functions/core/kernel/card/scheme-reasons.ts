/**
 * The reasons of disputes: schemes' codes and processors' words, by what the cardholder claims. Mails, the dashboard, checklists and estimates
 * use this one table; it imports nothing, so the dashboard has it too. Sources, read 2026-11-29: docs.stripe.com/disputes/reason-codes-defense-requirements,
 * Braintree's list of codes (2025-09-22) and its DisputeReason, docs.antom.com/ac/dispute, developers.tabapay.com/docs/discover-1, PayPal's
 * customer_disputes_v1.json (1.10), DisputeCategory of checkout-sdk-java, ShopifyPaymentsDisputeReason (2026-07).
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
    '10.1 10.2 10.3 10.4 10.5 4837 4840 4849 4863 4870 4871 F10 F14 F24 F29 F30 F31 FR2 FR4 FR6 UA01 UA02 UA05 UA06 UA10 UA11 AA ' +
    '127 177 193 4540 4752 4866 4867 7010 7030 fraud fraudulent unrecognized not_recognized unauthorised debit_not_authorized',
  not_received:
    '13.1 13.9 C08 RG NF 155 4554 4755 4855 4864 product_not_received merchandise_or_service_not_received ' +
    'product_service_not_received',
  not_as_described:
    '13.3 13.4 13.5 C31 C32 RM 4553 product_unacceptable product_unsatisfactory not_as_described ' +
    'merchandise_or_service_not_as_described',
  cancelled:
    '13.2 4541 4841 C28 AP subscription_canceled subscription_cancelled canceled_recurring canceled_recurring_billing ' +
    'cancelled_recurring_transaction',
  no_credit: '13.6 13.7 175 684 4513 4860 8002 C02 C04 C05 C18 RN2 CD credit_not_processed credit_not_issued',
  twice: '12.6 12.6.1 12.6.2 173 4534 4834 4865 P08 C14 DP PM duplicate duplicate_transaction payment_by_other_means',
  // Authorisation, instalments, altered amounts and the schemes' own rules: the scheme's code says more than any words here.
  other:
    '11.1 11.2 11.3 12.1 12.2 12.3 12.4 12.5 12.7 13.8 4807 4808 4812 4831 4842 4846 4850 A01 A02 A08 AT AW DA EX IN LP M10 NA ' +
    'P01 P03 P04 P05 P07 P22 P23 incorrect_amount transaction_amount_differs noncompliant',
};

const claims: ReadonlyMap<string, Claim> = new Map(
  (Object.keys(codes) as Claim[]).flatMap((claim) =>
    codes[claim].split(' ').map((code) => [code.toLowerCase(), claim] as const),
  ),
);

/**
 * Codes that stand for several claims, of which only the processor's word says which: 4853 is Mastercard's for all disputes of cardholders, 4834 for
 * all errors at the point of interaction (most are duplicates, which it means without a word that says more).
 */
const umbrellas: readonly string[] = ['4853', '4834'];

/** The reason of a dispute: the scheme's code, with the processor's word where the code stands for several claims; else that word alone. */
export const joinReason = (code: string, word: string): string => {
  const known = code.trim();
  if (known === '') return word;
  return umbrellas.includes(known) && word !== '' ? `${known} ${word}` : known;
};

/** The scheme's code of a reason, without the word that `joinReason` adds: rules compare it, and the claim by itself. */
export const codeAlone = (reason: string): string => {
  const [code = ''] = reason.trim().split(/\s+/);
  return umbrellas.includes(code) ? code : reason.trim();
};

/** The claim that a scheme's code or a processor's word stands for; undefined for an unknown one, and for 4853 without such a word. */
export const claimOfCode = (reason: string): Claim | undefined => {
  const [code = '', ...words] = reason.trim().toLowerCase().split(/\s+/);
  return (umbrellas.includes(code) ? [...words, code] : [code, ...words])
    .map((part) => claims.get(part))
    .find((claim) => claim !== undefined);
};

/** The network whose code it is, of Visa and Mastercard; empty for any other. Discover has numbers of Mastercard's range (4863 to 4867). */
export const networkOfCode = (reason: string): string => {
  if (/^1[0-3]\.\d/.test(reason)) return 'visa';
  return /^48(?!6[3-7])\d\d\b/.test(reason) ? 'mastercard' : '';
};
