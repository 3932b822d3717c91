import { sha256 } from '#core/kernel/crypto.ts';
import { identifyingArn } from '#disputes/matching/identifiers.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { isInformational } from '../alert.ts';

/** What is kept of the first dispute alert with an ARN or a fingerprint. `caseId`: its dispute case, if another alert began it. */
export type FirstDispute = { alertId: number; hasArn: boolean; caseId?: number | undefined };

/** The fingerprints of an alert's transaction: its ARN, and what identifies it without one. */
export type Fingerprints = { arn: string | null; card: string | null };

const none: Fingerprints = { arn: null, card: null };

/**
 * An informational alert is no duplicate, and nothing is a duplicate of it. Without an authorisation code, two purchases with one card on
 * one day cannot be told apart, so there is no fingerprint; nor is there one of an ARN that identifies no payment. Test alerts have their own fingerprints: no real alert may become a
 * duplicate of one.
 */
export const alertFingerprintsOf = ({
  type,
  test,
  arn,
  authCode,
  card,
  amount,
  currency,
  transactionAt,
}: ProviderAlert): Fingerprints => {
  if (isInformational(type)) return none;
  const prefix = test ? 'TEST#' : '';
  const day = transactionAt.slice(0, 'YYYY-MM-DD'.length);
  const fingerprint = sha256([authCode.toUpperCase(), card, amount, currency, day].join('\n'));
  return {
    arn: identifyingArn(arn) === undefined ? null : `${prefix}ARN#${arn}`,
    card: authCode && card ? `${prefix}CARD#${fingerprint}` : null,
  };
};

/** The fingerprints that an alert has; they are keys of rows. */
export const fingerprintNames = ({ arn, card }: Fingerprints): string[] => [arn, card].filter((name) => name !== null);

/** Which alert this one repeats: by ARN where both have one, else by fingerprint; null if none. */
export const duplicateOf = ({ arn, card }: Fingerprints, firsts: ReadonlyMap<string, FirstDispute>): number | null => {
  const byArn = arn === null ? undefined : firsts.get(arn);
  if (byArn) return byArn.alertId;
  const byCard = card === null ? undefined : firsts.get(card);
  return byCard && !(arn !== null && byCard.hasArn) ? byCard.alertId : null;
};
