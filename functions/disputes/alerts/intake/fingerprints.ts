import { sha256 } from '#core/kernel/crypto.ts';
import { identifyingArn } from '#disputes/matching/identifiers.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { isInformational } from '../alert.ts';

/** The masked card and the amount of a disputed transaction; `amount`: with its currency. */
type Charged = { card: string; amount: string };

/**
 * The first dispute alert with an ARN or a fingerprint. `caseId`: its dispute case, if another alert began it. `charged` is absent in rows
 * of earlier releases.
 */
export type FirstDispute = {
  alertId: number;
  hasArn: boolean;
  caseId?: number | undefined;
  charged?: Charged | undefined;
};

/** The fingerprints of an alert's transaction: its ARN, and what identifies it without one. */
export type Fingerprints = { arn: string | null; card: string | null; charged: Charged };

/**
 * Returns an alert's fingerprints. An informational alert is no duplicate, and nothing is a duplicate of it. Without an authorisation code,
 * two purchases with one card on one day cannot be distinguished, so there is no fingerprint; nor is there one of an ARN that identifies no
 * payment. Test alerts have their own fingerprints: no real alert may become a duplicate of one.
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
  const charged = { card, amount: `${amount} ${currency}` };
  if (isInformational(type)) return { arn: null, card: null, charged };
  const prefix = test ? 'TEST#' : '';
  const day = transactionAt.slice(0, 'YYYY-MM-DD'.length);
  const fingerprint = sha256([authCode.toUpperCase(), card, amount, currency, day].join('\n'));
  return {
    arn: identifyingArn(arn) === undefined ? null : `${prefix}ARN#${arn}`,
    card: authCode && card ? `${prefix}CARD#${fingerprint}` : null,
    charged,
  };
};

/** The fingerprints that an alert has; they are keys of rows. */
export const fingerprintNames = ({ arn, card }: Fingerprints): string[] => [arn, card].filter((name) => name !== null);

const binOf = ({ card }: Charged): string => card.slice(0, 6);
const currencyOf = ({ amount }: Charged): string => amount.split(' ')[1] ?? '';

/**
 * Checks whether two disputed transactions with one ARN cannot be the same, so that one of the ARNs is wrong: BIN and amount differ. Last
 * four digits differ between a card and its number in a device, and amounts between the currencies of the card and the transaction.
 */
const contradicts = (one: Charged, other: Charged | undefined): boolean =>
  other !== undefined &&
  one.card !== '' &&
  other.card !== '' &&
  binOf(one) !== binOf(other) &&
  currencyOf(one) === currencyOf(other) &&
  one.amount !== other.amount;

/** The alert that this one repeats: by ARN if both have one, otherwise by fingerprint; null if there is none. */
export const duplicateOf = (
  { arn, card, charged }: Fingerprints,
  firsts: ReadonlyMap<string, FirstDispute>,
): number | null => {
  const byArn = arn === null ? undefined : firsts.get(arn);
  if (byArn && !contradicts(charged, byArn.charged)) return byArn.alertId;
  const byCard = card === null ? undefined : firsts.get(card);
  return byCard && !(arn !== null && byCard.hasArn) ? byCard.alertId : null;
};
