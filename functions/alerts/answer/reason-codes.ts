import type { AlertProvider } from '../intake/provider-alert.ts';
import type { AlertUpdate } from './alert-update.ts';

/** 001 refunded, 002 not refunded, 003 not settled. */
type Result = '001' | '002' | '003';

export type Reason = {
  reason: string;
  meaning: string;
  /** The status that an update with this reason may end the alert with; WIP ends nothing. */
  outcome: 'RESOLVED' | 'DECLINED' | 'WIP';
  results: readonly Result[];
};

const all: readonly Result[] = ['001', '002', '003'];
const refundedOrNot: readonly Result[] = ['001', '002'];
const reason = (code: string, outcome: Reason['outcome'], results: readonly Result[], meaning: string): Reason => ({
  reason: code,
  meaning,
  outcome,
  results,
});

/** The mapping in force since 2024-06-18, section 7 of the service's interface, with the later reasons 953 to 999. */
const providerA: readonly Reason[] = [
  reason('100', 'RESOLVED', ['001', '003'], 'the alert allowed fraud to be stopped'),
  reason('101', 'RESOLVED', all, 'resolved with partial refund'),
  reason('102', 'RESOLVED', ['003'], 'the transaction failed authorization'),
  reason('103', 'RESOLVED', all, 'account suspended from future orders'),
  reason('900', 'DECLINED', ['002'], 'not refunded for other reasons'),
  reason('901', 'DECLINED', ['002'], 'the descriptor does not belong to the merchant'),
  reason('902', 'DECLINED', ['002'], 'the transaction could not be found'),
  reason('940', 'DECLINED', all, 'duplicate alert'),
  reason('950', 'DECLINED', ['002'], 'unable to process the refund'),
  reason('951', 'RESOLVED', ['001', '003'], 'refunded or cancelled before the alert'),
  reason('952', 'DECLINED', refundedOrNot, 'the transaction previously received a chargeback'),
  reason('953', 'DECLINED', refundedOrNot, 'older than 120 days'),
  reason('954', 'DECLINED', refundedOrNot, 'authenticated by 3DS'),
  reason('956', 'DECLINED', all, 'fulfilment cannot be stopped'),
  reason('998', 'RESOLVED', all, 'shipper contacted'),
  reason('999', 'WIP', ['002'], 'in progress'),
];

/** The other network's case system. */
const providerB: readonly Reason[] = [
  reason('100', 'RESOLVED', ['001'], 'the alert allowed fraud to be stopped'),
  reason('101', 'RESOLVED', ['001'], 'resolved with partial refund'),
  reason('102', 'RESOLVED', ['003'], 'the transaction failed authorization'),
  reason('900', 'DECLINED', ['002'], 'not refunded for other reasons'),
  reason('901', 'DECLINED', ['002'], 'the descriptor does not belong to the merchant'),
  reason('902', 'DECLINED', ['002'], 'the transaction could not be found'),
  reason('940', 'DECLINED', all, 'duplicate alert'),
  reason('950', 'DECLINED', ['002'], 'unable to process the refund'),
  reason('951', 'RESOLVED', ['001', '003'], 'refunded or cancelled before the alert'),
  reason('952', 'DECLINED', refundedOrNot, 'the transaction previously received a chargeback'),
  reason('953', 'DECLINED', refundedOrNot, 'older than 120 days'),
  reason('954', 'DECLINED', refundedOrNot, 'authenticated by 3DS'),
  reason('956', 'DECLINED', refundedOrNot, 'fulfilment cannot be stopped'),
  reason('957', 'DECLINED', ['002'], 'disagree, proceed to chargeback'),
  reason('999', 'WIP', ['002'], 'in progress'),
];

/** The reasons a provider knows; none for a network that decides by itself. Test alerts are as provider_a's. */
export const reasonsOf: Readonly<Record<AlertProvider, readonly Reason[]>> = {
  provider_a: providerA,
  provider_b: providerB,
  rdr: [],
  service_dummy: providerA,
};

/** What a reason code means, in few words; undefined for one that no provider knows. */
export const reasonMeaning = (reasonCode: string): string | undefined =>
  [...providerA, ...providerB].find(({ reason: code }) => reasonCode.startsWith(`${code}.`))?.meaning;

/** Reasons that an update may only give with the outcome's amount: that a part was refunded says nothing without how much. */
export const needsAmount = (provider: AlertProvider, reasonCode: string): boolean =>
  reasonCode === '101.001' || (provider === 'provider_b' && reasonCode.startsWith('101.'));

/** What an update with a code must have besides. */
export type Need = 'alert_outcome_amount' | 'comments' | 'duplicate_alertid';

const needsOf = (provider: AlertProvider, code: string): Need[] => [
  ...(needsAmount(provider, code) ? (['alert_outcome_amount'] as const) : []),
  ...(needsComments(code) ? (['comments'] as const) : []),
  ...(needsDuplicate(code) ? (['duplicate_alertid'] as const) : []),
];

/** Reasons that say nothing by themselves. */
export const needsComments = (reasonCode: string): boolean => reasonCode === '900.002';

/** Reasons that speak of another alert. */
export const needsDuplicate = (reasonCode: string): boolean => reasonCode.startsWith('940.');

/** All that a provider's alerts may be answered with, in order. */
export const codesOf = (provider: AlertProvider) =>
  reasonsOf[provider].flatMap(({ reason: code, meaning, outcome, results }) =>
    results.map((result) => {
      const reason_code = `${code}.${result}`;
      return { reason_code, meaning, outcome, needs: needsOf(provider, reason_code) };
    }),
  );

/** The combinations of reason and result that an update with this status may carry, in order. */
export const allowedCodes = (provider: AlertProvider, status: AlertUpdate['status']): string[] =>
  reasonsOf[provider]
    .filter(({ outcome }) => status === 'WIP' || status === 'OTHER' || status === outcome)
    .flatMap(({ reason: code, results }) => results.map((result) => `${code}.${result}`));
