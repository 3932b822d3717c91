import * as v from 'valibot';
import { Flag, FromTime, Id, ToTime } from './schema.ts';
import { OptionalLongText, Text } from './text.ts';

export const SiteIdField = v.pipe(Id, v.description('The site.'));
export const CurrencyReply = v.pipe(v.string(), v.description('ISO 4217, three letters.'));
export const MerchantIdField = v.pipe(Id, v.description('The merchant.'));
export const SiteIdReply = v.pipe(v.number(), v.description('The site.'));
export const MerchantIdReply = v.pipe(v.number(), v.description('The merchant.'));
export const CreatedAtReply = v.pipe(v.string(), v.description('When it was made (ISO 8601, UTC).'));
export const AlertIdReply = v.pipe(v.number(), v.description('The alert.'));
export const DateFromField = v.pipe(FromTime, v.description('None before this time (ISO 8601, inclusive).'));
export const DateToField = v.pipe(ToTime, v.description('None after this time (ISO 8601, inclusive).'));
export const AtReply = v.pipe(v.string(), v.description('When (ISO 8601, UTC).'));
export const AmountReply = v.pipe(v.string(), v.description('A decimal with as many places as the currency has.'));
export const NameReply = v.pipe(v.string(), v.description('Its name, for people.'));
export const RetailerIdReply = v.pipe(v.number(), v.description('The retailer.'));
export const RetailerIdField = v.pipe(Id, v.description('The retailer.'));
export const IdReply = v.pipe(v.string(), v.description('Its identifier.'));
export const TransactionIdReply = v.pipe(v.number(), v.description('The transaction.'));
export const MsgReply = v.pipe(v.string(), v.description('What happened, in a few words that do not change.'));
export const AlertIdField = v.pipe(Id, v.description('The alert.'));
export const ReasonCodeReply = v.pipe(
  v.string(),
  v.description('Reason and result, such as 100.001; see “Answer an alert” among the guides.'),
);
export const DescriptorReply = v.pipe(v.string(), v.description('As it appears on the cardholder’s statement.'));
export const ByReply = v.pipe(v.string(), v.description('Who did it: a user, or a part of the service.'));
export const AlertDateReply = v.pipe(v.string(), v.description('When the alert was received (ISO 8601, UTC).'));
export const RuleIdReply = v.pipe(v.number(), v.description('The rule.'));
export const MerchantNameReply = v.pipe(v.string(), v.description('The merchant’s name.'));
export const UpdatedAtReply = v.pipe(v.string(), v.description('When it was last changed (ISO 8601, UTC).'));
export const NextCursorReply = v.pipe(
  v.string(),
  v.description('Send it back as `cursor` for the next page; null on the last.'),
);
export const VersionReply = v.pipe(v.number(), v.description('Goes up with every change.'));
export const StatusOkField = v.pipe(v.literal('ok'), v.description('`ok` when it is done.'));
export const ErrorMsgReply = v.pipe(
  v.string(),
  v.description('What happened, in words; empty unless `status` is EXC.'),
);
export const AuthenticationIdReply = v.pipe(v.number(), v.description('The authentication by 3-D Secure.'));
export const ExpiresAtReply = v.pipe(v.string(), v.description('When it ends (ISO 8601, UTC).'));
export const SiteNameReply = v.pipe(v.string(), v.description('The site’s name.'));
export const ProviderCaseIdReply = v.pipe(v.string(), v.description('The provider’s identifier of the case.'));
export const CommentsReply = v.pipe(
  v.string(),
  v.description('Words that go to the provider with the answer, 1,024 characters at most.'),
);
export const ChargebackIdReply = v.pipe(v.string(), v.description('The chargeback.'));
export const PlainNameReply = v.pipe(v.string(), v.description('The name.'));
export const TotalResultReply = v.pipe(v.number(), v.description('How many match the filters, on all pages.'));
export const IdentifierField = v.pipe(Id, v.description('Its identifier.'));
export const EnabledField = v.pipe(Flag, v.description('Whether it is used.'));
export const ErrorCodeReply = v.pipe(v.string(), v.description('Why it was refused; empty unless `status` is EXC.'));
export const AmountNumberReply = v.pipe(
  v.number(),
  v.description('A decimal with as many places as the currency has.'),
);
export const RemarksField = v.pipe(OptionalLongText(2000), v.description('Your own notes; they have no effect.'));
export const NameField = v.pipe(Text(200), v.description('Its name, for people.'));
export const ArnReply = v.pipe(v.string(), v.description('The acquirer reference number, 23 digits.'));
export const PriceReply = v.pipe(v.string(), v.description('What one alert costs; a decimal.'));
export const NextAttemptAtReply = v.pipe(
  v.string(),
  v.description('When it is tried next (ISO 8601, UTC); null if it is not.'),
);
export const DateReply = v.pipe(v.string(), v.description('The day (ISO 8601).'));
export const AlertTypeReply = v.pipe(
  v.string(),
  v.description(
    'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
  ),
);
export const FraudCheckIdReply = v.pipe(v.number(), v.description('The fraud check.'));
export const ScoreReply = v.pipe(v.number(), v.description('The risk, 0 to 100.'));
export const CardReply = v.pipe(
  v.string(),
  v.description('The card number, masked: the first six and the last four digits.'),
);
export const SetByReply = v.pipe(v.string(), v.description('Who set it.'));
export const StatusAcceptedField = v.pipe(v.literal('OK'), v.description('EXC if it is refused.'));
export const DescriptionField = v.pipe(OptionalLongText(2000), v.description('A description for people.'));

/** A month, YYYY-MM. */
export const MonthField = v.pipe(
  v.string('must be a month, YYYY-MM'),
  v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM'),
  v.description('YYYY-MM.'),
);
