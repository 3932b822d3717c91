import { fromProcessorAmount } from '../amounts.ts';
import type { DisputeStage, DisputeStatus, ProcessorDispute } from '../ports/dispute.ts';
import { adyenCurrency } from './adyen-currencies.ts';
import { type AdyenNotice, disputeEvents, isDefended, isDisputeEvent } from './adyen-webhook.ts';

/**
 * The facts of Adyen's webhooks about a dispute: there is no call to query it. All webhooks about one have its PSP reference, and the
 * payment's as the original reference; they may arrive in any order, so the most advanced one gives its state.
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications
 */
type Standing = { stage: DisputeStage; status: DisputeStatus; isTaken: boolean };

const standings: Readonly<Record<(typeof disputeEvents)[number], Standing>> = {
  SECOND_CHARGEBACK: { stage: 'arbitration', status: 'lost', isTaken: true },
  PREARBITRATION_LOST: { stage: 'arbitration', status: 'lost', isTaken: true },
  PREARBITRATION_WON: { stage: 'arbitration', status: 'won', isTaken: false },
  CHARGEBACK_REVERSED: { stage: 'chargeback', status: 'won', isTaken: false },
  CHARGEBACK: { stage: 'chargeback', status: 'open', isTaken: true },
  // The issuer has raised it and Adyen takes the money next: a refund now would pay twice.
  NOTIFICATION_OF_CHARGEBACK: { stage: 'chargeback', status: 'open', isTaken: false },
};

/** A dispute that was defended is under review until its result is reported. */
const standingOf = (code: (typeof disputeEvents)[number], notices: readonly AdyenNotice[]): Standing => {
  const standing = standings[code];
  return standing.status === 'open' && isDefended(notices) ? { ...standing, status: 'under_review' } : standing;
};

/** The state of a dispute from the notices about it; undefined if there are none. */
export const disputeOfNotices = (reference: string, notices: readonly AdyenNotice[]): ProcessorDispute | undefined => {
  const own = notices.filter(({ eventCode, success, dispute }) => isDisputeEvent(eventCode) && success && dispute);
  const code = disputeEvents.find((name) => own.some(({ eventCode }) => eventCode === name));
  const notice = own.find(({ eventCode }) => eventCode === code);
  if (!code || !notice?.dispute) return undefined;
  const { value, currency, reasonCode, network, dueBy } = notice.dispute;
  const openedAt = own.map(({ dispute }) => dispute?.at ?? '').sort()[0] ?? '';
  return {
    reference,
    payments: notice.originalReference === null ? [] : [notice.originalReference],
    merchantReference: notice.merchantReference,
    ...standingOf(code, notices),
    money: { minor: fromProcessorAmount(value, currency, adyenCurrency(currency)?.exponent ?? 2), currency },
    reasonCode: reasonCode || (notice.reason ?? ''),
    network,
    dueBy: dueBy || null,
    openedAt,
  };
};

/** Checks whether an issuer has the money of a payment, or is about to: to reverse the payment then would pay twice. */
export const isWithIssuer = (notices: readonly AdyenNotice[]): boolean =>
  disputesAmong(notices).some((reference) => {
    const own = notices.filter(({ pspReference }) => pspReference === reference);
    return (disputeOfNotices(reference, own)?.status ?? 'won') !== 'won';
  });

/** Returns Adyen's names of the disputes that notices are about. */
export const disputesAmong = (notices: readonly AdyenNotice[]): readonly string[] => [
  ...new Set(notices.flatMap(({ eventCode, pspReference }) => (isDisputeEvent(eventCode) ? pspReference : []))),
];
