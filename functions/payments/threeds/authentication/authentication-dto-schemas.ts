import * as v from 'valibot';
import {
  AmountNumberReply,
  AuthenticationIdReply,
  CreatedAtReply,
  CurrencyReply,
  SiteIdReply,
} from '#core/kernel/schema/field-schemas.ts';
import { AuthenticationResultSchema, AuthenticationStatusSchema, TransStatusSchema } from '../schemas.ts';

const text = v.nullable(v.string());

/** An authentication as lists show it. */
export const authenticationSummaryFields = {
  authentication_id: AuthenticationIdReply,
  sid: SiteIdReply,
  status: AuthenticationStatusSchema,
  outcome: v.nullable(AuthenticationResultSchema),
  reason: v.pipe(text, v.description('Why it came to nothing, where `transStatus` does not say it.')),
  transStatus: TransStatusSchema,
  liability_shift: v.pipe(
    v.boolean(),
    v.description('Whether the issuer is expected to bear fraud. The scheme decides that.'),
  ),
  amount: AmountNumberReply,
  currency: CurrencyReply,
  card: v.pipe(text, v.description('Masked.')),
  created_at: CreatedAtReply,
  done_at: v.pipe(text, v.description('When it was done.')),
};

/** The same with everything that is known, except the proof. */
export const knownFields = {
  ...authenticationSummaryFields,
  transStatusReason: v.pipe(text, v.description('Why, two digits of EMV 3DS.')),
  aresTransStatus: v.pipe(text, v.description('What the issuer said first.')),
  challengeTransStatus: v.pipe(text, v.description('The result of the challenge.')),
  eci: v.pipe(text, v.description('The electronic commerce indicator.')),
  messageVersion: v.pipe(text, v.description('The version of EMV 3DS.')),
  dsTransID: v.pipe(text, v.description('The directory server’s number of it.')),
  threeDSServerTransID: v.pipe(text, v.description('The 3DS server’s number of it.')),
  acsTransID: v.pipe(text, v.description('The issuer’s number of it.')),
  challengeCancel: v.pipe(text, v.description('Why the challenge was left, two digits of EMV 3DS.')),
  authenticationType: v.pipe(text, v.description('How the issuer authenticated, two digits of EMV 3DS.')),
  exemption: v.pipe(v.nullable(v.picklist(['tra', 'sca_done', 'trusted'])), v.description('Asked for, and granted.')),
  cardholder_info: v.pipe(text, v.description('What the issuer wants the payer to read.')),
  used_by_txid: v.pipe(v.nullable(v.number()), v.description('The payment that it was used for; null if none.')),
};
