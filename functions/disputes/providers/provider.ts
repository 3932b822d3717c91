import type { SecretName } from '#core/platform/operation/grants.ts';
import type { DisputeReason } from './reasons.ts';

/**
 * The facts that the service must know about an alert provider. One file declares each, together with the schema of its messages; secrets,
 * environment, enrollments, rules, outcomes, the demo tenant and the documents follow from it. The schema is made by a function, so that
 * bundles that only need a provider's name do not contain it.
 */
export type ProviderDeclaration = {
  name: string;
  /** The secret with which it signs its messages; null: it sends none from outside. */
  secret: SecretName | null;
  /**
   * The enrollment of merchants, which decides how its alerts are matched: by the descriptor on the payer's statement; by the network's
   * identifiers of a shop, BIN and CAID or ARN; or not at all.
   */
  enrolledBy: 'descriptor' | 'network' | null;
  /** True if it sends a case again when the case has changed or is reopened; otherwise a case sent again is a repetition. */
  revises?: true;
  /** True if it takes cases back. */
  withdraws?: true;
  /** `merchant`: its cases belong to a merchant's own account, so several merchants may get cases of the same name. */
  casesOf?: 'merchant';
  /** The reasons with which its alerts may be answered; none if it decides by itself. */
  reasons: readonly DisputeReason[];
  /** The day since which these reasons are in force; absent: the network names none. */
  reasonsSince?: string;
  /** Prefixes of the codes that require the outcome's amount: a partial refund means nothing without it. */
  codesWithAmount: readonly string[];
  /** How long the network waits for the answer to an alert, in hours; absent: it expects none, or decides by itself. */
  answerHours?: number;
  /** True if a rule may answer its alerts. */
  ruleable: boolean;
  /**
   * The way outcomes are sent; null: they are not. `letter` names its queue, `outcome-<letter>`, and its outcomes; `connection` is what the
   * operator puts into the secret.
   */
  outcomes: { letter: string; secret: SecretName; connection: string } | null;
};

/** Keeps what is particular to a declaration, its name above all, in its type. */
export const defineProvider = <const P extends ProviderDeclaration>(provider: P): P => provider;
