import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import type { AlertType } from '#disputes/providers/provider-alert.ts';

/** One answer to send to a provider, in no provider's own format. */
export type OutgoingOutcome = {
  /** Identifies it within a batch. */
  id: string;
  /** The provider's name for the alert. */
  caseId: string;
  alertType: AlertType;
  isFinal: boolean;
  update: AlertUpdate;
  /** ISO, when the update was accepted. */
  createdAt: string;
  /** The amount of the alert itself, for updates that name none: canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** The provider's name for the alert that this one repeats, for reason 940; null: unknown, or another reason. */
  firstCaseId: string | null;
  /** The processor's name for the refund; null: unknown, or none. */
  refundReference: string | null;
};

/** The amount of an answer: the merchant's, or else the alert's whole amount. */
export const finalSum = ({ update, amount, currency }: OutgoingOutcome): { amount: string; currency: string } =>
  update.alert_outcome_amount !== undefined && update.alert_outcome_currency !== undefined
    ? { amount: update.alert_outcome_amount, currency: update.alert_outcome_currency }
    : { amount, currency };

/**
 * A provider's answer to one outcome. `failed`: surely not accepted, to send again after `pauseSeconds`; `unknown`: it may have it or not,
 * also to send again. `error`: in words, without anything secret.
 */
export type OutcomeAnswer = { status: number | null } & (
  | { result: 'accepted' }
  | { result: 'refused'; error: string }
  | { result: 'failed'; error: string; pauseSeconds: number | null; isOurFault?: true }
  | { result: 'unknown'; error: string; pauseSeconds: number | null }
);

/** One alert network that takes outcomes. */
export type OutcomeProvider = {
  /**
   * Sends outcomes, at most 25, no two of the same alert; returns an answer for each by its `id`, and never throws for what the
   * other side does. An outcome may be sent more than once.
   */
  send(outcomes: readonly OutgoingOutcome[]): Promise<ReadonlyMap<string, OutcomeAnswer>>;
};
