import { redactText } from '#core/platform/log/redaction.ts';
import type { MessagePosition } from './message-position.ts';

export const alertTypes = ['DISPUTE', 'DISPUTE_RDR', 'DISPUTE_NOTICE', 'CANCEL', 'FRAUD_NOTICE', 'FRAUD'] as const;
export type AlertType = (typeof alertTypes)[number];

/** The message of a provider of this name about a case, in one shape for all providers. Texts are empty if it states nothing. */
export type ProviderAlertOf<Name extends string> = {
  provider: Name;
  /** The provider's name for the case. A name that looks like a card number is masked and has a digest. */
  caseId: string;
  /** The provider's own name, sealed; only if it looks like a card number. */
  sealedCaseId?: string;
  type: AlertType;
  /** The decision of the network, for DISPUTE_RDR; null for all others. */
  decision: 'ACCEPTED' | 'DECLINED' | null;
  /** Why it declined. */
  declineCode: string;
  /** First six and last four digits, as `411111xxxxxx1111`; empty if unknown. */
  card: string;
  /** ISO; empty if the provider's cannot be read. */
  transactionAt: string;
  descriptor: string;
  /** Canonical decimals of the currency. */
  amount: string;
  currency: string;
  /** 23 digits or empty. */
  arn: string;
  authCode: string;
  conditionCode: string;
  conditionReason: string;
  issuerName: string;
  /** As the provider writes it. */
  age: string;
  transactionId: string;
  disputeAmount: string;
  disputeCurrency: string;
  tier: string;
  /** The acquirer's BIN. */
  bin: string;
  caid: string;
  mcc: string;
  /** ISO; the provider's own date of the message, or empty. */
  providerDate: string;
  /** The provider's count of its messages about the case; absent if it does not count them. */
  sequence?: number;
  /** Made by a merchant to try its integration. */
  test: boolean;
  /** The provider's original values that were read differently; see asSentOf. */
  asSent?: Readonly<Record<string, string>>;
};

/** The withdrawal of a case, by the provider's name for it. */
export type WithdrawnCase = { caseId: string; position: MessagePosition };

/** A provider's message: a case, or the withdrawal of one. */
export type MessageOf<Name extends string> = { alert: ProviderAlertOf<Name> } | { withdrawn: WithdrawnCase };

/** A withdrawal from the fields in which providers name and order it. */
export const withdrawnCase = (caseId: string, date = '', sequence?: number): WithdrawnCase => ({
  caseId,
  position: { sequence: sequence ?? null, date },
});

/** Where a case's message stands among those of its provider. */
export const positionOfAlert = ({
  sequence,
  providerDate,
}: Pick<ProviderAlertOf<string>, 'sequence' | 'providerDate'>): MessagePosition => ({
  sequence: sequence ?? null,
  date: providerDate,
});

/** An alert that says nothing yet: each provider's file fills in what it sends. */
export const blankProviderAlert = {
  decision: null,
  declineCode: '',
  arn: '',
  authCode: '',
  conditionCode: '',
  conditionReason: '',
  issuerName: '',
  age: '',
  transactionId: '',
  disputeAmount: '',
  disputeCurrency: '',
  tier: '',
  bin: '',
  caid: '',
  mcc: '',
  providerDate: '',
  test: false,
} as const satisfies Partial<ProviderAlertOf<string>>;

/** A card number as it may be kept and shown, however much of it was sent: first six and last four digits. */
export const maskedCard = (first: string, last: string): string =>
  first && last ? `${first.slice(0, 6)}xxxxxx${last.slice(-4)}` : '';

/** Digits, perhaps in groups, that begin and end as the alert's card does. */
const cardWithin = (card: string): RegExp =>
  new RegExp(`(?<!\\d)${[...card.slice(0, 6)].join('[ -]?')}[ -]?(?:\\d[ -]?){3,9}${card.slice(-4)}(?!\\d)`, 'g');

/**
 * The alert without whole card numbers in its texts, and without its own card's in its references. The name of its case is replaced where
 * it is stored: see alerts/intake/case-name-store.ts.
 */
export const withoutCardNumbers = <const Name extends string>(
  providerAlert: ProviderAlertOf<Name>,
): ProviderAlertOf<Name> => {
  const own = providerAlert.card === '' ? undefined : cardWithin(providerAlert.card);
  const maskOwn = (text: string) => (own ? text.replace(own, providerAlert.card) : text);
  const { transactionId, caid, asSent } = providerAlert;
  const texts = ['descriptor', 'authCode', 'conditionCode', 'conditionReason', 'issuerName', 'age', 'tier'] as const;
  return {
    ...providerAlert,
    transactionId: maskOwn(transactionId),
    caid: maskOwn(caid),
    ...Object.fromEntries(texts.map((name) => [name, maskOwn(redactText(providerAlert[name]))])),
    ...(asSent && {
      asSent: Object.fromEntries(Object.entries(asSent).map(([name, text]) => [name, maskOwn(text)])),
    }),
  };
};
