import { sha256 } from '#core/kernel/crypto.ts';
import { comparableAuthCode, identifyingArn, statedArn } from '#disputes/matching/identifiers.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { isInformational } from '../alert.ts';

/**
 * The masked card and the amount of a disputed transaction, and the part of it that is disputed; amounts with their currency. `disputed` is absent
 * in rows of earlier releases.
 */
type Charged = { card: string; amount: string; disputed?: string | undefined };

/**
 * The first dispute alert with an ARN or a fingerprint. `caseId`: its dispute case, if another alert began it. `hasArn`: one that identifies
 * its payment; `arn`: as it was stated. `arn` and `charged` are absent in rows of earlier releases.
 */
export type FirstDispute = {
  alertId: number;
  hasArn: boolean;
  arn?: string | undefined;
  caseId?: number | undefined;
  charged?: Charged | undefined;
};

/** The fingerprints of an alert's transaction: its ARN, and what identifies it without one. `stated`: an ARN that may be none. */
export type Fingerprints = { arn: string | null; card: string | null; charged: Charged; stated?: string | undefined };

/**
 * Returns an alert's fingerprints. An informational alert is no duplicate, and nothing is a duplicate of it. Without an authorisation code that identifies,
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
  disputeAmount,
  disputeCurrency,
}: ProviderAlert): Fingerprints => {
  const disputed = disputeAmount === '' ? `${amount} ${currency}` : `${disputeAmount} ${disputeCurrency}`;
  const charged = { card, amount: `${amount} ${currency}`, disputed };
  if (isInformational(type)) return { arn: null, card: null, charged };
  const prefix = test ? 'TEST#' : '';
  const day = transactionAt.slice(0, 'YYYY-MM-DD'.length);
  const code = comparableAuthCode(authCode);
  const fingerprint = sha256([code, card, amount, currency, day].join('\n'));
  return {
    arn: identifyingArn(arn) === undefined ? null : `${prefix}ARN#${arn}`,
    card: code !== undefined && card ? `${prefix}CARD#${fingerprint}` : null,
    charged,
    stated: statedArn(arn),
  };
};

/** Names the disputes of one part of a transaction, where another part was disputed first. */
export const partName = (name: string, { charged: { disputed } }: Fingerprints): string => `${name}#PART#${disputed}`;

/** The fingerprints that an alert has, each also with its part if only a part is disputed; they are keys of rows. */
export const fingerprintNames = (fingerprints: Fingerprints): string[] =>
  [fingerprints.arn, fingerprints.card]
    .filter((name) => name !== null)
    .flatMap((name) => (isPart(fingerprints.charged) ? [name, partName(name, fingerprints)] : [name]));

const chargeBin = ({ card }: Charged): string => card.slice(0, 6);
const currencyIn = (amount: string): string => amount.split(' ')[1] ?? '';

/** Checks whether less than the transaction is disputed, as far as both are stated in one currency. */
const isPart = ({ amount, disputed = amount }: Charged): boolean =>
  disputed !== amount && currencyIn(disputed) === currencyIn(amount);

/** Checks whether two disputes of one transaction are about different parts of it: one states a part, and the other another amount. */
export const isOtherPart = (one: Charged, other: Charged | undefined): boolean =>
  one.disputed !== undefined &&
  other?.disputed !== undefined &&
  (isPart(one) || isPart(other)) &&
  one.disputed !== other.disputed &&
  currencyIn(one.disputed) === currencyIn(other.disputed);

/**
 * Checks whether two disputed transactions with one ARN cannot be the same, so that one of the ARNs is wrong: BIN and amount differ. Last
 * four digits differ between a card and its number in a device, and amounts between the currencies of the card and the transaction.
 */
const contradicts = (one: Charged, other: Charged | undefined): boolean =>
  other !== undefined &&
  one.card !== '' &&
  other.card !== '' &&
  chargeBin(one) !== chargeBin(other) &&
  currencyIn(one.amount) === currencyIn(other.amount) &&
  one.amount !== other.amount;

/** Checks whether two disputes state two ARNs, so that they are of two payments even if all else is equal. */
const hasOtherArn = ({ arn, stated }: Fingerprints, first: FirstDispute): boolean =>
  (arn !== null && first.hasArn) || (stated !== undefined && first.arn !== undefined && stated !== first.arn);

/** An earlier dispute of the alert's transaction, of the same part if there is one: by ARN if both have one, otherwise by fingerprint. */
export const findSameTransaction = (
  fingerprints: Fingerprints,
  firsts: ReadonlyMap<string, FirstDispute>,
): FirstDispute | undefined => {
  const { arn, card, charged } = fingerprints;
  const firstOf = (name: string) => firsts.get(partName(name, fingerprints)) ?? firsts.get(name);
  const byArn = arn === null ? undefined : firstOf(arn);
  if (byArn && !contradicts(charged, byArn.charged)) return byArn;
  const byCard = card === null ? undefined : firstOf(card);
  return byCard && !hasOtherArn(fingerprints, byCard) ? byCard : undefined;
};

/** The alert that this one repeats: about the same part of the same transaction; null if there is none. */
export const duplicateOf = (fingerprints: Fingerprints, firsts: ReadonlyMap<string, FirstDispute>): number | null => {
  const first = findSameTransaction(fingerprints, firsts);
  return first && !isOtherPart(fingerprints.charged, first.charged) ? first.alertId : null;
};
