import type { AlertUpdate } from '../alerts/answer/alert-update.ts';
import type { AlertType } from '../providers/provider-alert.ts';

/** One answer as its provider is to be told, in the words of no provider. */
export type OutgoingOutcome = {
  /** Tells it from the others of a batch. */
  id: string;
  /** The provider's name of the alert. */
  caseId: string;
  alertType: AlertType;
  isFinal: boolean;
  update: AlertUpdate;
  /** ISO, when the update was accepted. */
  createdAt: string;
  /** What the alert itself is about, for updates that name no amount: canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** The provider's name of the alert that this one repeats, for reason 940; null: unknown, or another reason. */
  firstCaseId: string | null;
  /** What the processor calls the refund; null: unknown, or none. */
  refundReference: string | null;
};

/** How much an answer is about: what the merchant said, or all of what the alert is about. */
export const amountOf = ({ update, amount, currency }: OutgoingOutcome): { amount: string; currency: string } =>
  update.alert_outcome_amount !== undefined && update.alert_outcome_currency !== undefined
    ? { amount: update.alert_outcome_amount, currency: update.alert_outcome_currency }
    : { amount, currency };

/**
 * What a provider answered about one outcome. `failed`: surely not taken, to be sent again, not before `pauseSeconds`;
 * `unknown`: it may have it or not, to be sent again as well. `error`: in words, without anything secret.
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
   * Tells it of outcomes, 25 at most, none of the same alert twice; answers each by its `id`, and never throws for what the
   * other side does. What was told before may be told again.
   */
  send(outcomes: readonly OutgoingOutcome[]): Promise<ReadonlyMap<string, OutcomeAnswer>>;
};
