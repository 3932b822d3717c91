import type { ProviderDeclaration } from '#disputes/providers/provider.ts';
import { type AlertProvider, providerOf } from '#disputes/providers/providers.ts';
import { registeredProviders } from '#disputes/providers/registered.ts';
import type { AlertUpdate } from './alert-update.ts';

/** Returns the meaning of a reason code, in few words; undefined if no provider knows it. */
export const reasonMeaning = (reasonCode: string): string | undefined =>
  registeredProviders.flatMap(({ reasons }) => reasons).find(({ reason }) => reasonCode.startsWith(`${reason}.`))
    ?.meaning;

/** Reasons that an update may only give with the outcome's amount. */
export const needsAmount = (provider: AlertProvider, reasonCode: string): boolean =>
  providerOf(provider).codesWithAmount.some((start) => reasonCode.startsWith(start));

/** A field that an update with a code must have as well. */
export type Need = 'alert_outcome_amount' | 'comments' | 'duplicate_alertid';

const listNeeds = (provider: AlertProvider, code: string): Need[] => [
  ...(needsAmount(provider, code) ? (['alert_outcome_amount'] as const) : []),
  ...(needsComments(code) ? (['comments'] as const) : []),
  ...(needsDuplicate(code) ? (['duplicate_alertid'] as const) : []),
];

/** Reasons that say nothing without a comment. */
export const needsComments = (reasonCode: string): boolean => reasonCode === '900.002';

/** Checks whether a code's result states that the cardholder was refunded. */
export const statesRefund = (reasonCode: string): boolean => reasonCode.endsWith('.001');

/** Reasons that refer to another alert. */
export const needsDuplicate = (reasonCode: string): boolean => reasonCode.startsWith('940.');

/** The day since which a provider's codes are in force; null: its network names none. */
export const codesInForceSince = (provider: AlertProvider): string | null => {
  const declared: ProviderDeclaration = providerOf(provider);
  return declared.reasonsSince ?? null;
};

/** Every code that a provider's alerts may be answered with, in order. */
export const listCodes = (provider: AlertProvider) =>
  providerOf(provider).reasons.flatMap(({ reason: code, meaning, outcome, results }) =>
    results.map((result) => {
      const reason_code = `${code}.${result}`;
      return { reason_code, meaning, outcome, needs: listNeeds(provider, reason_code) };
    }),
  );

/** The combinations of reason and result that an update with this status may carry, in order. */
export const allowedCodes = (provider: AlertProvider, status: AlertUpdate['status']): string[] =>
  providerOf(provider)
    .reasons.filter(({ outcome }) => status === 'WIP' || status === 'OTHER' || status === outcome)
    .flatMap(({ reason: code, results }) => results.map((result) => `${code}.${result}`));
