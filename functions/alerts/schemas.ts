import * as v from 'valibot';
import { keepNumberText } from '../core/json.ts';
import {
  FromTime,
  Id,
  Nested,
  Ok,
  OneOrMore,
  pageFields,
  pageReply,
  Text,
  Timestamp,
  ToTime,
  WellFormed,
} from '../core/schema.ts';
import { alertActions, alertStatuses } from './alert.ts';
import { AmountText, Arn, CurrencyCode, MaskedCard, orAbsent, withAmounts } from './intake/fields.ts';
import { alertTypes, noticeProviders } from './intake/notice.ts';

/** What a provider is told once its alert is safe. */
export const NoticeTaken = v.object({
  alert_id: v.number(),
  is_duplicate: v.boolean(),
  matched: v.pipe(v.boolean(), v.description('False while the alert stands in the unmatched inbox.')),
});

const asText = (longest: number) =>
  v.pipe(
    v.union([v.string(), v.number()], 'must be text'),
    v.transform(String),
    v.maxLength(longest, `must have at most ${longest} characters`),
    WellFormed,
  );

const Detail = Nested(
  {
    duplicate_alertid: orAbsent(Id),
    userid: orAbsent(asText(200)),
    username: orAbsent(asText(200)),
  },
  'must be an object with duplicate_alertid, userid and username, or such an object as JSON text',
);

/** Details come as objects or as JSON text of them, alone or as a list; text that is no JSON stays for the schema to refuse. */
const detailList = (value: unknown): unknown[] =>
  [value].flat().flatMap((entry) => (typeof entry === 'string' ? [jsonOr(entry)].flat() : [entry]));

const jsonOr = (text: string): unknown => {
  try {
    return JSON.parse(text, keepNumberText);
  } catch (error) {
    // RangeError: nested so deep that the parser's stack ran out.
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

/** What a merchant did about an alert. */
export const UpdateFields = v.pipe(
  v.object(updateFields),
  withAmounts(['alert_outcome_amount', 'alert_outcome_currency']),
);
/** The same as the reply to the alert's notification may say it, where it need not name the alert. */
export const ReplyUpdate = v.pipe(
  v.object({ alert_id: orAbsent(Id), ...updateFields }),
  withAmounts(['alert_outcome_amount', 'alert_outcome_currency']),
);
/** The same with the alert's identifier. */
export const UpdateBody = v.pipe(
  v.object({ alert_id: Id, ...updateFields }),
  withAmounts(['alert_outcome_amount', 'alert_outcome_currency']),
);

export const UpdateTaken = v.object({
  ...Ok.entries,
  msg: v.string(),
  alert_id: v.string(),
  alert_status: v.picklist(alertStatuses),
  reason_code: v.string(),
});

const testTypes = ['DISPUTE', 'DISPUTE_NOTICE', 'CANCEL', 'FRAUD_NOTICE', 'FRAUD'] as const;

/** A test alert; what is left out is as if a provider had left it out. */
export const TestAlertBody = v.pipe(
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
  withAmounts(['amount', 'currency']),
);

export const TestAlertMade = v.object({
  ...Ok.entries,
  msg: v.string(),
  alert_id: v.number(),
  sid: v.number(),
  is_duplicate: v.boolean(),
});

/** An alert as lists show it: the fields of its notification, and how it stands. */
const summaryFields = {
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
  provider: v.picklist(noticeProviders),
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
export const AlertPage = pageReply(AlertSummary);

/** Why an alert has no owner: nobody enrolled its descriptor, or two merchants did. */
export const UnmatchedSummary = v.object({
  ...summaryFields,
  unmatched_reason: v.nullable(v.picklist(['no_match', 'tie'])),
});
export type UnmatchedSummary = v.InferOutput<typeof UnmatchedSummary>;
export const UnmatchedPage = pageReply(UnmatchedSummary);

/** Why automatic handling did what it did. */
const DecisionShown = v.object({
  rule_id: v.number(),
  version: v.number(),
  name: v.string(),
  sid: v.pipe(v.nullable(v.number()), v.description('Null: a rule for all sites of the merchant.')),
  mode: v.picklist(['live', 'shadow']),
  action: v.object({
    type: v.picklist(['refund', 'decline', 'resolve', 'notify', 'review']),
    reason_code: v.optional(v.string()),
    comments: v.optional(v.string()),
  }),
  facts: v.pipe(
    v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
    v.description('What was known of the alert when the rule was asked.'),
  ),
  result: v.picklist(['refunded', 'resolved', 'declined', 'review', 'notified', 'recorded', 'left_to_merchant']),
  reason: v.pipe(v.nullable(v.string()), v.description('Why nothing was done; null if it was.')),
});

export const HistoryEntry = v.object({
  at: v.string(),
  by: v.pipe(v.string(), v.description('A username, `site 12`, `rule 7` or a provider.')),
  via: v.pipe(
    v.string(),
    v.description('intake, test, assignment, update, webhook_reply, rules or deadline: by what way the change came.'),
  ),
  change: v.object({
    event: v.string(),
    from: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it was.')),
    to: v.pipe(v.record(v.string(), v.unknown()), v.description('What changed, as it is since.')),
    decisions: v.optional(v.array(DecisionShown)),
  }),
});

/** An alert with all that is known of it. */
export const AlertDetails = v.object({
  ...summaryFields,
  duplicate_alertid: v.nullable(v.number()),
  mcc: v.string(),
  provider_date: v.string(),
  updated_at: v.pipe(v.nullable(v.string()), v.description('When the last update was accepted.')),
  withdrawn_at: v.pipe(v.nullable(v.string()), v.description('When the provider took the case back.')),
  alert_outcome_amount: v.nullable(v.string()),
  alert_outcome_currency: v.nullable(v.string()),
  alert_outcome_action_date: v.nullable(v.string()),
  comments: v.nullable(v.string()),
  merchant_notes: v.nullable(v.string()),
  tx_details: v.array(
    v.object({
      duplicate_alertid: v.optional(v.string()),
      userid: v.optional(v.string()),
      username: v.optional(v.string()),
    }),
  ),
  unmatched_reason: v.nullable(v.picklist(['no_match', 'tie'])),
  automatic: v.pipe(v.nullable(DecisionShown), v.description('What an automatic rule decided.')),
  shadow_rules: v.pipe(v.array(DecisionShown), v.description('What shadow rules would have decided.')),
  held_txid: v.pipe(
    v.nullable(v.number()),
    v.description('The payment of yours that it is about, which is kept from other refunds while it is open.'),
  ),
  potential_txids: v.pipe(v.array(v.number()), v.description('Your payments that it can be about, if several.')),
  history: v.pipe(v.array(HistoryEntry), v.description('Oldest first; of a very long history, the newest 2 MB.')),
});

/** Which alerts to list. `date_from` and `date_to` are about receipt. */
export const ListAlerts = v.object({
  status: v.optional(OneOrMore(alertStatuses)),
  alert_type: v.optional(OneOrMore(alertTypes)),
  mid: v.optional(Id),
  rid: v.optional(Id),
  sid: v.optional(Id),
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

export const ListUnmatched = v.object({
  date_from: v.optional(FromTime),
  date_to: v.optional(ToTime),
  ...pageFields,
});

export const AlertParams = v.object({ alert_id: Id });
export const AssignBody = v.object({ sid: Id });
export const Assigned = v.object({ ...Ok.entries, alert_id: v.number() });
