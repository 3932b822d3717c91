import * as v from 'valibot';
import { Outcome, Status, TransStatus } from '../schemas.ts';

const text = v.nullable(v.string());

/** An authentication as lists show it. */
export const summaryFields = {
  authentication_id: v.number(),
  sid: v.number(),
  status: Status,
  outcome: v.nullable(Outcome),
  reason: v.pipe(text, v.description('Why it came to nothing, where `transStatus` does not say it.')),
  transStatus: TransStatus,
  liability_shift: v.pipe(
    v.boolean(),
    v.description('Whether the issuer is expected to bear fraud. The scheme decides that.'),
  ),
  amount: v.number(),
  currency: v.string(),
  card: v.pipe(text, v.description('Masked.')),
  created_at: v.string(),
  done_at: text,
};

/** The same with everything that is known, except the proof. */
export const knownFields = {
  ...summaryFields,
  transStatusReason: text,
  aresTransStatus: text,
  challengeTransStatus: text,
  eci: text,
  messageVersion: text,
  dsTransID: text,
  threeDSServerTransID: text,
  acsTransID: text,
  challengeCancel: text,
  authenticationType: text,
  exemption: v.pipe(v.nullable(v.picklist(['tra', 'sca_done', 'trusted'])), v.description('Asked for, and granted.')),
  cardholder_info: v.pipe(text, v.description('What the issuer wants the payer to read.')),
  used_by_txid: v.nullable(v.number()),
};
