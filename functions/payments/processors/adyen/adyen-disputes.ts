import { fromProcessorAmount } from '../amounts.ts';
import { barsRefunds } from '../ports/charge-state.ts';
import type { FraudWarning, ProcessorDispute } from '../ports/dispute.ts';
import { adyenCurrency } from './adyen-currencies.ts';
import { type DisputeEvent, disputeEvents, fraudEvent, isDisputeEvent } from './adyen-events.ts';
import type { AdyenNotice } from './adyen-webhook.ts';

/**
 * The facts of Adyen's webhooks about a dispute: there is no call to query it. All webhooks about one have its PSP reference, and the
 * payment's as the original reference. They may arrive in any order, so they are applied by the time of their events. Their codes are signed
 * and decide; `disputeStatus` is not signed, and decides nothing.
 * https://docs.adyen.com/risk-management/disputes-api/dispute-notifications (2026-11-28)
 */
type Standing = Pick<ProcessorDispute, 'stage' | 'status' | 'isTaken'>;
/** `isEnded`: its time to defend is over. `isDefended`: in its present stage. `isReturned`: the money came back, perhaps not for good. */
type Life = Standing & { isEnded: boolean; isDefended: boolean; isReturned: boolean; dueBy: string };

const unborn: Life = {
  ...{ stage: 'inquiry', status: 'open', isTaken: false },
  ...{ isEnded: false, isDefended: false, isReturned: false, dueBy: '' },
};
/** Assumed: what answered a request for information does not answer the chargeback that it became. */
const unanswered = { isDefended: false, dueBy: '' } as const;
const decided = { status: 'won', isTaken: false } as const;
const lost = { status: 'lost', isTaken: true } as const;

/** What each event makes of a dispute. */
const steps: Readonly<Record<DisputeEvent, (life: Life) => Partial<Life>>> = {
  REQUEST_FOR_INFORMATION: () => ({}),
  // The issuer has raised it and Adyen takes the money next: a refund now would pay twice.
  NOTIFICATION_OF_CHARGEBACK: () => ({ stage: 'chargeback' }),
  DISPUTE_OPENED_WITH_CHARGEBACK: () => ({ stage: 'chargeback', isTaken: true }),
  CHARGEBACK: () => ({ stage: 'chargeback', isTaken: true, isReturned: false }),
  // An unanswered request for information costs nothing yet, but can no longer be answered.
  DISPUTE_DEFENSE_PERIOD_ENDED: ({ stage }) => ({
    ...(stage === 'inquiry' ? { status: 'lost' } : lost),
    isEnded: true,
  }),
  // "This stage is not final": the issuer may open a pre-arbitration, or charge back again.
  CHARGEBACK_REVERSED: () => ({ stage: 'chargeback', status: 'under_review', isTaken: false, isReturned: true }),
  ISSUER_RESPONSE_TIMEFRAME_EXPIRED: () => decided,
  PREARBITRATION_OPEN: () => ({ stage: 'arbitration', status: 'open', isEnded: false, ...unanswered }),
  PREARBITRATION_DECLINED: () => ({ stage: 'arbitration', status: 'under_review' }),
  SCHEME_ARBITRATION: () => ({ stage: 'arbitration', status: 'under_review' }),
  PREARBITRATION_ISSUER_WITHDRAWN: () => ({ stage: 'arbitration', ...decided }),
  PREARBITRATION_WON: () => ({ stage: 'arbitration', ...decided }),
  SECOND_CHARGEBACK: () => ({ stage: 'arbitration', ...lost }),
  PREARBITRATION_ACCEPTED: () => ({ stage: 'arbitration', ...lost }),
  PREARBITRATION_LOST: () => ({ stage: 'arbitration', ...lost }),
  SCHEME_ARBITRATION_WON: () => ({ stage: 'arbitration', ...decided }),
  SCHEME_ARBITRATION_LOST: () => ({ stage: 'arbitration', ...lost }),
};

const opening: readonly string[] = [
  'REQUEST_FOR_INFORMATION',
  'NOTIFICATION_OF_CHARGEBACK',
  'DISPUTE_OPENED_WITH_CHARGEBACK',
  'CHARGEBACK',
];

/** A chargeback that is reported after its defense, or after the end of the time for it, is not open for another. */
const openAfter = ({ isEnded, isDefended }: Life): Partial<Life> =>
  isEnded ? { status: 'lost' } : { status: isDefended ? 'under_review' : 'open' };

/** What is not signed may close an open dispute, as its money does not move by that, and never win one. */
const bySaid = (eventCode: string, said: NonNullable<AdyenNotice['dispute']>['said']): Partial<Life> => {
  if (said === undefined || !opening.includes(eventCode)) return {};
  return { status: said === 'over' ? 'lost' : 'under_review' };
};

const step = (life: Life, { eventCode, isDefense, isAcceptance, dispute }: AdyenNotice): Life => {
  if (isAcceptance) return { ...life, ...(life.stage === 'inquiry' ? { status: 'lost' } : lost), isEnded: true };
  if (isDefense) return { ...life, isDefended: true, ...(life.status === 'open' && { status: 'under_review' }) };
  if (!isDisputeEvent(eventCode)) return life;
  const moved = { ...life, ...steps[eventCode](life) };
  const next = life.stage === 'inquiry' && moved.stage === 'chargeback' ? { ...moved, ...unanswered } : moved;
  const dueBy = dispute?.dueBy || next.dueBy;
  return { ...next, dueBy, ...(opening.includes(eventCode) && openAfter(next)), ...bySaid(eventCode, dispute?.said) };
};

const noticeTime = ({ at, dispute }: AdyenNotice): string => at || dispute?.at || '';
const noticeRank = ({ eventCode, isDefense }: AdyenNotice): number =>
  isDefense
    ? disputeEvents.indexOf('CHARGEBACK') + 0.5
    : isDisputeEvent(eventCode)
      ? disputeEvents.indexOf(eventCode)
      : -1;

/** Notices that change the state of a dispute, in the order of their events. */
const inOrder = (notices: readonly AdyenNotice[]): readonly AdyenNotice[] =>
  notices
    .filter(
      ({ eventCode, success, ...own }) => success && (own.isDefense || own.isAcceptance || isDisputeEvent(eventCode)),
    )
    .toSorted((one, other) => noticeTime(one).localeCompare(noticeTime(other)) || noticeRank(one) - noticeRank(other));

/** The state of a dispute from the notices about it; undefined if there are none. */
export const disputeOfNotices = (reference: string, notices: readonly AdyenNotice[]): ProcessorDispute | undefined => {
  const ordered = inOrder(notices);
  const own = ordered.filter(({ dispute }) => dispute !== undefined);
  const last = own.at(-1);
  if (!last?.dispute) return undefined;
  const { stage, status, isTaken, dueBy } = ordered.reduce(step, unborn);
  const detail = (name: 'reasonCode' | 'network'): string =>
    own.map(({ dispute }) => dispute?.[name] ?? '').findLast(Boolean) ?? '';
  const payment = own.find(({ originalReference }) => originalReference !== null)?.originalReference;
  // The latest amount: some notices state none.
  const { value, currency } = own.findLast(({ dispute }) => dispute?.currency)?.dispute ?? last.dispute;
  return {
    reference,
    payments: payment ? [payment] : [],
    merchantReference: last.merchantReference,
    ...{ stage, status, isTaken },
    money: { minor: fromProcessorAmount(value, currency, adyenCurrency(currency)), currency },
    reasonCode: detail('reasonCode') || (last.reason ?? ''),
    network: detail('network'),
    dueBy: dueBy || null,
    openedAt: own.map(({ dispute }) => dispute?.at ?? '').sort()[0] ?? '',
  };
};

/** Checks whether a dispute was defended in its present stage. `notices`: its own. */
export const isDefended = (notices: readonly AdyenNotice[]): boolean =>
  inOrder(notices).reduce(step, unborn).isDefended;

/** Checks whether an issuer has the money of a payment, or is about to: to reverse the payment then would pay twice. */
export const isWithIssuer = (notices: readonly AdyenNotice[]): boolean =>
  disputesAmong(notices).some((reference) => {
    const own = inOrder(notices.filter(({ pspReference }) => pspReference === reference));
    const life = own.reduce(step, unborn);
    return barsRefunds(life) && (life.isTaken || !life.isReturned);
  });

/** Returns Adyen's names of the disputes that notices are about. */
export const disputesAmong = (notices: readonly AdyenNotice[]): readonly string[] => [
  ...new Set(notices.flatMap(({ eventCode, pspReference }) => (isDisputeEvent(eventCode) ? pspReference : []))),
];

/** An issuer's report of fraud; undefined if notices have none. Adyen states neither the card nor the time of the payment. */
export const warningOfNotices = (notices: readonly AdyenNotice[]): FraudWarning | undefined => {
  const notice = notices.find(({ eventCode, success }) => eventCode === fraudEvent && success);
  if (!notice?.dispute) return undefined;
  const { value, currency, reasonCode, at } = notice.dispute;
  const payment = notice.originalReference ?? '';
  return {
    reference: notice.pspReference,
    payments: payment === '' ? [] : [payment],
    charge: payment,
    money: { minor: fromProcessorAmount(value, currency, adyenCurrency(currency)), currency },
    ...{ chargedAt: '', first6: '', last4: '', authCode: '', descriptor: '', issuer: '' },
    reason: [reasonCode, notice.reason ?? ''].filter(Boolean).join(': '),
    warnedAt: at,
  };
};
