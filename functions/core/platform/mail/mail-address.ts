/**
 * Why e-mails to an address do not arrive. `refused`: SES did not take the last one; `bounced`, `complained`: SES sends it nothing any more.
 */
export const mailFaultReasons = ['refused', 'bounced', 'complained'] as const;
/** `at`: since when, ISO. */
export type MailFault = { reason: (typeof mailFaultReasons)[number]; at: string };
/** `checkedAt`: when SES was asked last, ISO. */
export type MailAddress = { checkedAt: string; fault: MailFault | null };

/** An address to which e-mails do not arrive. */
export type FaultyAddress = MailFault & { email: string };
