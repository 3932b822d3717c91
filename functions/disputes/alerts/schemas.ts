import * as v from 'valibot';
import { Id, NoList, Text, Timestamp, WellFormed } from '#core/kernel/schema/schema.ts';
import { keepNumberText } from '#core/platform/http/json.ts';
import { AmountText, Arn, CurrencyCode, MaskedCard, orAbsent, withAmounts } from '#disputes/providers/fields.ts';
import { alertTypes } from '#disputes/providers/provider-alert.ts';
import { alertProviders } from '#disputes/providers/providers.ts';
import { alertActions, alertStatuses } from './alert.ts';

const asText = (longest: number) =>
  v.pipe(
    v.union([v.string(), v.number()], 'must be text'),
    v.transform(String),
    v.maxLength(longest, `must have at most ${longest} characters`),
    WellFormed,
  );

const largestDetail = 2048;

/** Fields under the merchant's own names are kept if they are small. */
const Detail = NoList(
  v.pipe(
    v.looseObject(
      {
        duplicate_alertid: orAbsent(Id),
        userid: orAbsent(asText(200)),
        username: orAbsent(asText(200)),
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

export const updateFields = {
  status: v.picklist(['RESOLVED', 'DECLINED', 'WIP', 'OTHER'], 'must be RESOLVED, DECLINED, WIP or OTHER'),
  reason_code: v.pipe(
    v.string('must be text such as 100.001'),
    v.regex(/^\d{3}\.\d{3}$/, 'must be a reason and a result code, such as 100.001'),
  ),
  alert_outcome_currency: orAbsent(CurrencyCode),
  alert_outcome_amount: orAbsent(AmountText),
  alert_outcome_action_date: orAbsent(Timestamp),
  comments: orAbsent(Text(2000)),
  merchant_notes: orAbsent(Text(5000)),
  tx_details: orAbsent(Details),
  txdetails: orAbsent(Details),
};

const outcomeAmount = ['alert_outcome_amount', 'alert_outcome_currency'] as const;

/** An update, perhaps with fields of its own. */
export const updateWith = <const E extends v.ObjectEntries>(entries: E) =>
  withAmounts(v.object({ ...entries, ...updateFields }), outcomeAmount);

/** What a merchant did about an alert. */
export const UpdateFields = updateWith({});
/** The same in a reply to the alert's notification, which need not name the alert. */
export const ReplyUpdate = updateWith({ alert_id: orAbsent(Id) });
const testTypes = ['DISPUTE', 'DISPUTE_NOTICE', 'CANCEL', 'FRAUD_NOTICE', 'FRAUD'] as const;

/** A test alert; a field left out counts as left out by the provider. */
export const TestAlertBody = withAmounts(
  v.object({
    auth_code: orAbsent(asText(20)),
    arn: orAbsent(Arn),
    alert_type: v.picklist(testTypes, `must be one of ${testTypes.join(', ')}`),
    currency: CurrencyCode,
    amount: AmountText,
    descriptor: Text(200),
    transaction_timestamp: orAbsent(Timestamp),
    card: orAbsent(MaskedCard),
    issuername: orAbsent(Text(200)),
    dispute_condition_code: orAbsent(asText(20)),
  }),
  ['amount', 'currency'],
);
/** An alert as lists show it: the fields of its notification, and its state. */
export const summaryFields = {
  alert_id: v.number(),
  status: v.picklist(alertStatuses),
  reason_code: v.nullable(v.string()),
  deadline: v.pipe(v.nullable(v.string()), v.description('When the answer is due; null if none is awaited.')),
  deadline_passed: v.boolean(),
  late: v.pipe(v.boolean(), v.description('An update came after the deadline.')),
  test: v.boolean(),
  card: v.string(),
  transaction_timestamp: v.string(),
  descriptor: v.string(),
  amount: v.string(),
  currency: v.string(),
  arn: v.string(),
  alert_type: v.picklist(alertTypes),
  alert_action: v.picklist(alertActions),
  auth_code: v.string(),
  descriptor_id: v.string(),
  matched_enrolled_descriptor: v.string(),
  mid: v.nullable(v.number()),
  rid: v.nullable(v.number()),
  sid: v.nullable(v.number()),
  provider: v.picklist(alertProviders),
  txdetails: v.pipe(v.string(), v.description('A JSON array.')),
  dispute_condition_code_reason: v.string(),
  condition_code: v.string(),
  site: v.string(),
  retailer: v.string(),
  issuer_name: v.string(),
  provider_case_id: v.string(),
  alert_age: v.string(),
  alert_transactionid: v.string(),
  dispute_amount: v.string(),
  dispute_currency: v.string(),
  tier: v.string(),
  alert_date: v.string(),
  is_duplicate: v.picklist(['yes', 'no']),
  bin: v.string(),
  caid: v.string(),
  rdr_reason_code: v.string(),
};
export const AlertSummary = v.object(summaryFields);
export type AlertSummary = v.InferOutput<typeof AlertSummary>;
/** Why an alert has no owner: nobody enrolled its descriptor, or two merchants did. */
export const UnmatchedSummary = v.object({
  ...summaryFields,
  unmatched_reason: v.nullable(v.picklist(['no_match', 'tie'])),
});
export type UnmatchedSummary = v.InferOutput<typeof UnmatchedSummary>;
export const AlertParams = v.object({ alert_id: Id });
