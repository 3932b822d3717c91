import * as v from 'valibot';
import { count, describeField, text } from '#core/kernel/schema/field-words.ts';
import { Flag, FromTime, Id, ToTime } from './schema.ts';
import { OptionalLongText, Text } from './text.ts';

export const SiteIdField = describeField(Id, 'The site.');
export const CurrencyReply = text('ISO 4217, three letters.');
export const MerchantIdField = describeField(Id, 'The merchant.');
export const SiteIdReply = count('The site.');
export const MerchantIdReply = count('The merchant.');
export const CreatedAtReply = text('When it was made (ISO 8601, UTC).');
export const AlertIdReply = count('The alert.');
export const DateFromField = describeField(FromTime, 'None before this time (ISO 8601, inclusive).');
export const DateToField = describeField(ToTime, 'None after this time (ISO 8601, inclusive).');
export const AtReply = text('When (ISO 8601, UTC).');
export const AmountReply = text('A decimal with as many places as the currency has.');
export const NameReply = text('Its name, for people.');
export const RetailerIdReply = count('The retailer.');
export const RetailerIdField = describeField(Id, 'The retailer.');
export const IdReply = text('Its identifier.');
export const TransactionIdReply = count('The transaction.');
export const MsgReply = text('What happened, in a few words that do not change.');
export const AlertIdField = describeField(Id, 'The alert.');
export const ReasonCodeReply = text('Reason and result, such as 100.001; see “Answer an alert” among the guides.');
export const DescriptorReply = text('As it appears on the cardholder’s statement.');
export const ByReply = text('Who did it: a user, or a part of the service.');
export const AlertDateReply = text('When the alert was received (ISO 8601, UTC).');
export const RuleIdReply = count('The rule.');
export const MerchantNameReply = text('The merchant’s name.');
export const UpdatedAtReply = text('When it was last changed (ISO 8601, UTC).');
export const NextCursorReply = text('Send it back as `cursor` for the next page; null on the last.');
export const VersionReply = count('Goes up with every change.');
export const StatusOkField = describeField(v.literal('ok'), '`ok` when it is done.');
export const ErrorMsgReply = text('What happened, in words; empty unless `status` is EXC.');
export const AuthenticationIdReply = count('The authentication by 3-D Secure.');
export const ExpiresAtReply = text('When it ends (ISO 8601, UTC).');
export const SiteNameReply = text('The site’s name.');
export const ProviderCaseIdReply = text('The provider’s identifier of the case.');
export const CommentsReply = text('Words that go to the provider with the answer, 1,024 characters at most.');
export const ChargebackIdReply = text('The chargeback.');
export const PlainNameReply = text('The name.');
export const TotalResultReply = count('How many match the filters, on all pages.');
export const IdentifierField = describeField(Id, 'Its identifier.');
export const EnabledField = describeField(Flag, 'Whether it is used.');
export const ErrorCodeReply = text('Why it was refused; empty unless `status` is EXC.');
export const AmountNumberReply = count('A decimal with as many places as the currency has.');
export const RemarksField = describeField(OptionalLongText(2000), 'Your own notes; they have no effect.');
export const NameField = describeField(Text(200), 'Its name, for people.');
export const ArnReply = text('The acquirer reference number, 23 digits.');
export const PriceReply = text('What one alert costs; a decimal.');
export const NextAttemptAtReply = text('When it is tried next (ISO 8601, UTC); null if it is not.');
export const DateReply = text('The day (ISO 8601).');
export const AlertTypeReply = text(
  'The type of alert: FRAUD, DISPUTE and CANCEL need an answer; the others only inform, or are already decided.',
);
export const FraudCheckIdReply = count('The fraud check.');
export const ScoreReply = count('The risk, 0 to 100.');
export const CardReply = text('The card number, masked: the first six and the last four digits.');
export const SetByReply = text('Who set it.');
export const StatusAcceptedField = describeField(v.literal('OK'), 'EXC if it is refused.');
export const DescriptionField = describeField(OptionalLongText(2000), 'A description for people.');

/** A month, YYYY-MM. */
export const MonthField = v.pipe(
  v.string('must be a month, YYYY-MM'),
  v.regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month, YYYY-MM'),
  v.description('YYYY-MM.'),
);
