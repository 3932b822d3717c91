import * as v from 'valibot';
import { keepNumberText } from '#core/kernel/money/number-text.ts';
import {
  AlertDateReply,
  AlertIdField,
  AlertIdReply,
  AmountReply,
  ArnReply,
  CurrencyReply,
  DescriptorReply,
  MerchantIdReply,
  ProviderCaseIdReply,
  ReasonCodeReply,
  RetailerIdReply,
  SiteIdReply,
  SiteNameReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableText } from '#core/kernel/schema/field-words.ts';
import { Id, NoList, Timestamp } from '#core/kernel/schema/schema.ts';
import { CardMasked, MaskedText, Text, WellFormed } from '#core/kernel/schema/text.ts';
import { AcquirerBin } from '#disputes/providers/lenient.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import {
  Arn,
  MaskedCard,
  orAbsent,
  ProviderAmountText,
  ProviderCurrencyCode,
  withAmounts,
} from '#disputes/providers/provider-fields.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { alertActions, alertStatuses } from './alert.ts';

const asText = (longest: number) =>
  v.pipe(
    v.union([v.string(), v.number()], 'must be text'),
    v.transform(String),
    CardMasked,
    v.maxLength(longest, `must have at most ${longest} characters`),
    WellFormed,
  );

const largestDetail = 2048;

/** Fields under the merchant's own names are kept if they are small. */
const Detail = NoList(
  v.pipe(
    v.looseObject(
      {
        duplicate_alertid: describeField(orAbsent(Id), 'The alert that came before about the same transaction.'),
        userid: describeField(orAbsent(asText(200)), 'The customer’s account with you.'),
        username: describeField(orAbsent(asText(200)), 'Who did it.'),
      },
      'must be an object with duplicate_alertid, userid and username, or such an object as JSON text',
    ),
    v.check(
      (detail) => Buffer.byteLength(JSON.stringify(detail)) <= largestDetail,
      `must have at most ${largestDetail} bytes`,
    ),
    v.check((detail) => JSON.stringify(detail).isWellFormed(), 'must be well-formed Unicode'),
  ),
);

/** Details come as objects or as JSON text, one or a list; text that is not JSON is left for the schema to refuse. */
const detailList = (value: unknown): unknown[] =>
  [value].flat().flatMap((entry) => (typeof entry === 'string' ? [jsonOr(entry)].flat() : [entry]));

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text, keepNumberText);
  } catch (error) {
    // RangeError: nested so deeply that the parser's stack overflowed.
    if (error instanceof SyntaxError || error instanceof RangeError) return text;
    throw error;
  }
};

const Details = v.pipe(
  v.unknown(),
  v.transform(detailList),
  v.array(Detail),
  v.maxLength(20, 'must have at most 20 entries'),
);

const updateFields = {
  status: describeField(
    v.picklist(['RESOLVED', 'DECLINED', 'WIP', 'OTHER'], 'must be RESOLVED, DECLINED, WIP or OTHER'),
    'What you did: RESOLVED and DECLINED are final; WIP and OTHER mean that you are working on it.',
  ),
  reason_code: v.pipe(
    v.string('must be text such as 100.001'),
    v.regex(/^\d{3}\.\d{3}$/, 'must be a reason and a result code, such as 100.001'),
    v.description('Reason and result, such as 100.001; see “Answer an alert” among the guides.'),
  ),
  alert_outcome_currency: describeField(
    orAbsent(ProviderCurrencyCode),
    'The currency of what was refunded (ISO 4217).',
  ),
  alert_outcome_amount: describeField(
    orAbsent(ProviderAmountText),
    'What was refunded or, with result 003, cancelled; a decimal. With result 002 it is left out or 0.',
  ),
  alert_outcome_action_date: describeField(
    orAbsent(Timestamp),
    'When you acted (ISO 8601); if absent, when the answer was received.',
  ),
  comments: describeField(
    orAbsent(MaskedText(2000)),
    'Words that go to the provider with the answer, 1,024 characters at most.',
  ),
  merchant_notes: describeField(orAbsent(MaskedText(5000)), 'Your own notes; they are not sent on.'),
  tx_details: describeField(
    orAbsent(Details),
    'Variable information about the answer, such as `userid` or `duplicate_alertid`.',
  ),
  txdetails: describeField(
    orAbsent(Details),
    'Another name of `tx_details`, such as `userid` or `duplicate_alertid`; if both are sent, both count.',
  ),
};

const outcomeAmount = ['alert_outcome_amount', 'alert_outcome_currency'] as const;

/** An update, perhaps with fields of its own. */
export const updateWith = <const E extends v.ObjectEntries>(entries: E) =>
  withAmounts(v.object({ ...entries, ...updateFields }), outcomeAmount);

/** A merchant's answer to an alert. */
export const UpdateFields = updateWith({});
/** The same in a reply to the alert's notification, which need not name the alert. */
export const ReplyUpdateSchema = updateWith({ alert_id: orAbsent(Id) });

const onlyOfRdr = ['decision', 'rdr_reason_code', 'bin', 'caid'] as const;

/** Fields of a decision of RDR, with which only a DISPUTE_RDR is made. */
const rdrFields = {
  alert_id: describeField(
    orAbsent(Id),
    'An earlier test alert of type DISPUTE_RDR, which the network then withdraws (RDR_DELETE).',
  ),
  decision: describeField(
    orAbsent(v.picklist(['ACCEPTED', 'DECLINED'], 'must be ACCEPTED or DECLINED')),
    'DISPUTE_RDR: what the network decided; DECLINED if there is an `rdr_reason_code`, else ACCEPTED.',
  ),
  rdr_reason_code: describeField(orAbsent(asText(50)), 'DISPUTE_RDR: why the network declined.'),
  bin: describeField(orAbsent(AcquirerBin), 'DISPUTE_RDR: the acquirer’s BIN.'),
  caid: describeField(orAbsent(asText(50)), 'DISPUTE_RDR: the card acceptor ID.'),
};

type RdrFields = { alert_type: string } & Partial<Record<(typeof onlyOfRdr)[number], unknown>>;

const checkRdrFields = <T extends RdrFields>() =>
  v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const refuse = (key: string, message: string) =>
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: { ...input }, key, value: '' }] });
    if (input.alert_type !== 'DISPUTE_RDR') {
      for (const name of onlyOfRdr) if (input[name] !== undefined) refuse(name, 'only DISPUTE_RDR has it');
    } else if (input.decision === 'ACCEPTED' && input.rdr_reason_code !== undefined) {
      refuse('rdr_reason_code', 'only a declined decision has one');
    }
  });

const TestAlertFields = withAmounts(
  v.object({
    ...rdrFields,
    auth_code: describeField(orAbsent(asText(20)), 'The authorisation code of the transaction.'),
    arn: describeField(orAbsent(Arn), 'The acquirer reference number, 23 digits.'),
    alert_type: describeField(
      v.picklist(alertTypes, `must be one of ${alertTypes.join(', ')}`),
      'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
    ),
    currency: describeField(ProviderCurrencyCode, 'ISO 4217, three letters.'),
    amount: describeField(ProviderAmountText, 'A decimal with as many places as the currency has.'),
    descriptor: describeField(Text(200), 'As it appears on the cardholder’s statement.'),
    sid: describeField(
      v.optional(Id),
      'The site that it goes to, whether or not it has enrolled the descriptor: tests its endpoint.',
    ),
    transaction_timestamp: describeField(orAbsent(Timestamp), 'When the transaction was made (ISO 8601).'),
    card: describeField(orAbsent(MaskedCard), 'The card number, masked; only alerts of `service_dummy` are sent one.'),
    issuername: describeField(orAbsent(Text(200)), 'The card’s issuer.'),
    dispute_condition_code: describeField(orAbsent(asText(20)), 'Why the cardholder disputes: the scheme’s code.'),
  }),
  ['amount', 'currency'],
);

/** A test alert; a field left out counts as left out by the provider. */
export const TestAlertBody = v.pipe(TestAlertFields, checkRdrFields<v.InferOutput<typeof TestAlertFields>>());
/** The fields of the new-alert notification, in its order. */
export const notifiedFields = {
  card: describeField(v.string(), 'The card number, masked; only alerts of `service_dummy` are sent one.'),
  transaction_timestamp: describeField(
    v.string(),
    'When the transaction was made (ISO 8601); empty if the provider’s time cannot be read.',
  ),
  descriptor: DescriptorReply,
  amount: AmountReply,
  currency: CurrencyReply,
  arn: ArnReply,
  alert_type: describeField(
    v.picklist(alertTypes),
    'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
  ),
  alert_action: describeField(v.picklist(alertActions), 'What is left to do; for DISPUTE_RDR, what was done.'),
  auth_code: describeField(v.string(), 'The authorisation code of the transaction.'),
  descriptor_id: describeField(v.string(), 'Your own code for the descriptor, from the site’s settings.'),
  matched_enrolled_descriptor: describeField(v.string(), 'The enrolled descriptor that matched.'),
  mid: v.nullable(MerchantIdReply),
  rid: v.nullable(RetailerIdReply),
  sid: v.nullable(SiteIdReply),
  provider: describeField(v.picklist(alertProviders), 'The alert provider.'),
  txdetails: describeField(v.string(), 'A JSON array.'),
  dispute_condition_code_reason: describeField(v.string(), 'Why the cardholder disputes, in words.'),
  condition_code: describeField(v.string(), 'Why the cardholder disputes: the scheme’s code.'),
  site: SiteNameReply,
  retailer: describeField(v.string(), 'The retailer’s name.'),
  issuer_name: describeField(v.string(), 'The card’s issuer.'),
  provider_case_id: ProviderCaseIdReply,
  alert_age: describeField(v.string(), 'The alert’s age, as the provider tells it.'),
  alert_transactionid: describeField(v.string(), 'The transaction’s identifier, as the provider has it.'),
  dispute_amount: describeField(v.string(), 'The disputed amount.'),
  dispute_currency: describeField(v.string(), 'The currency of the disputed amount.'),
  tier: describeField(v.string(), 'The tier by which the provider bills.'),
  alert_date: AlertDateReply,
  is_duplicate: describeField(v.picklist(['yes', 'no']), '`yes` if an alert about the same transaction came before.'),
  bin: describeField(v.string(), 'The acquirer’s BIN, for DISPUTE_RDR.'),
  caid: describeField(v.string(), 'The card acceptor ID.'),
  rdr_reason_code: describeField(v.string(), 'Why a DISPUTE_RDR was declined.'),
};
/** An alert as lists show it: the fields of its notification, and its state. */
export const alertSummaryFields = {
  alert_id: AlertIdReply,
  status: describeField(
    v.picklist(alertStatuses),
    'OPEN until it is answered; WIP and OTHER while you work on it; RESOLVED and DECLINED are final.',
  ),
  reason_code: v.nullable(ReasonCodeReply),
  deadline: nullableText('When the answer is due; null if none is awaited.'),
  deadline_passed: flag('Whether the answer is overdue.'),
  late: flag('An update came after the deadline.'),
  test: flag('Whether it is a test alert.'),
  ...notifiedFields,
};
export const AlertSummary = v.object(alertSummaryFields);
export type AlertSummary = v.InferOutput<typeof AlertSummary>;
/** The reason why an alert has no owner: its descriptor is not enrolled, or two merchants enrolled it. */
export const UnmatchedSummary = v.object({
  ...alertSummaryFields,
  unmatched_reason: describeField(
    v.nullable(v.picklist(['no_match', 'tie'])),
    'Why it is not assigned: no merchant enrolled the descriptor, or more than one did.',
  ),
});
export type UnmatchedSummary = v.InferOutput<typeof UnmatchedSummary>;
export const AlertParams = v.object({ alert_id: AlertIdField });
