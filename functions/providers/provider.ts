import type { SecretName } from '../core/grants.ts';
import type { Reason } from './reasons.ts';

/**
 * What the service has to know of an alert provider. One file declares each, with what it sends beside it; secrets, environment,
 * enrollments, rules, outcomes, the demo tenant and the documents follow from that. What it sends is a function there, so that the
 * bundles of functions that only ask for a provider's name do not have the schema of it.
 */
export type Provider = {
  name: string;
  /** The secret with which it signs what it sends in; null: nothing comes in from outside. */
  secret: SecretName | null;
  /**
   * How merchants enroll with it, and so how its alerts are matched: by the descriptor on the payer's statement; by what the
   * network knows a shop by, BIN and CAID or ARN; or not at all.
   */
  enrolledBy: 'descriptor' | 'network' | null;
  /** Whether it sends a case again when something of it has changed, or it is open again; else that is a repetition. */
  revises?: true;
  /** `merchant`: its cases are those of a merchant's own account, so several merchants may be told of one of the same name. */
  casesOf?: 'merchant';
  /** What its alerts may be answered with; none where it decides by itself. */
  reasons: readonly Reason[];
  /** How codes begin that must come with the outcome's amount: that a part was refunded says nothing without how much. */
  codesWithAmount: readonly string[];
  /** Whether a rule may answer its alerts. */
  ruleable: boolean;
  /**
   * How it is told of outcomes; null: it is not. `letter` names its queue, `outcome-<letter>`, and its outcomes; `connection` is
   * what the operator puts into the secret.
   */
  outcomes: { letter: string; secret: SecretName; connection: string } | null;
};

/** Keeps what is particular to a declaration, its name above all, in its type. */
export const defineProvider = <const P extends Provider>(provider: P): P => provider;
