import * as v from 'valibot';
import {
  AmountNumberReply,
  AuthenticationIdReply,
  CreatedAtReply,
  CurrencyReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, nullableCount } from '#core/kernel/schema/field-words.ts';
import { AuthenticationResultSchema, AuthenticationStatusSchema, TransStatusSchema } from '../schemas.ts';

const text = v.nullable(v.string());

/** An authentication as lists show it. */
export const authenticationSummaryFields = {
  authentication_id: AuthenticationIdReply,
  sid: SiteIdReply,
  status: AuthenticationStatusSchema,
  outcome: v.nullable(AuthenticationResultSchema),
  reason: describeField(text, 'Why it came to nothing, where `transStatus` does not say it.'),
  transStatus: TransStatusSchema,
  liability_shift: flag('Whether the issuer is expected to bear fraud. The scheme decides that.'),
  amount: AmountNumberReply,
  currency: CurrencyReply,
  card: describeField(text, 'Masked.'),
  created_at: CreatedAtReply,
  done_at: describeField(text, 'When it was done.'),
};

/** The same with everything that is known, except the proof. */
export const knownFields = {
  ...authenticationSummaryFields,
  transStatusReason: describeField(text, 'Why, two digits of EMV 3DS.'),
  aresTransStatus: describeField(text, 'What the issuer said first.'),
  challengeTransStatus: describeField(text, 'The result of the challenge.'),
  eci: describeField(text, 'The electronic commerce indicator.'),
  messageVersion: describeField(text, 'The version of EMV 3DS.'),
  dsTransID: describeField(text, 'The directory server’s number of it.'),
  threeDSServerTransID: describeField(text, 'The 3DS server’s number of it.'),
  acsTransID: describeField(text, 'The issuer’s number of it.'),
  challengeCancel: describeField(text, 'Why the challenge was left, two digits of EMV 3DS.'),
  authenticationType: describeField(text, 'How the issuer authenticated, two digits of EMV 3DS.'),
  exemption: describeField(v.nullable(v.picklist(['tra', 'sca_done', 'trusted'])), 'Asked for, and granted.'),
  cardholder_info: describeField(text, 'What the issuer wants the payer to read.'),
  used_by_txid: nullableCount('The payment that it was used for; null if none.'),
};
