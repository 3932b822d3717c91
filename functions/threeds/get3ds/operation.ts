import * as v from 'valibot';
import { defineOperation } from '../../core/operation.ts';
import { Id } from '../../core/schema.ts';
import { Hash } from '../../payments/hash-schema.ts';
import { ofSite } from '../declarations.ts';
import { Outcome, Status, TransStatus } from '../schemas.ts';

const text = v.nullable(v.string());

export const Get3dsReply = v.object({
  authentication_id: v.number(),
  sid: v.number(),
  status: Status,
  outcome: v.nullable(Outcome),
  reason: v.pipe(text, v.description('Why it came to nothing, where `transStatus` does not say it.')),
  transStatus: TransStatus,
  transStatusReason: text,
  aresTransStatus: text,
  challengeTransStatus: text,
  eci: text,
  authenticationValue: v.pipe(
    text,
    v.description('For 24 hours, and until a payment was made with it; only where it proves something.'),
  ),
  messageVersion: text,
  dsTransID: text,
  threeDSServerTransID: text,
  acsTransID: text,
  challengeCancel: text,
  authenticationType: text,
  liability_shift: v.pipe(
    v.boolean(),
    v.description('Whether the issuer is expected to bear fraud. The scheme decides, not we.'),
  ),
  exemption: v.pipe(v.nullable(v.picklist(['tra', 'sca_done', 'trusted'])), v.description('Asked for, and granted.')),
  cardholder_info: v.pipe(text, v.description('What the issuer wants the payer to read.')),
  amount: v.number(),
  currency: v.string(),
  card: v.pipe(text, v.description('Masked.')),
  created_at: v.string(),
  done_at: text,
  used_by_txid: v.nullable(v.number()),
  vrfy: v.pipe(
    v.string(),
    v.description(
      'sha256 of `sid;rcode;authentication_id;outcome;amount;currency;transStatus`, the amount with all decimals of its ' +
        'currency, what is null as empty text.',
    ),
  ),
});

export const get3ds = defineOperation({
  ...ofSite,
  name: 'get3ds',
  summary: 'Read what an authentication came to',
  description:
    '`hash` is the md5 of sid, authentication_id and rcode. Everything that is known of it, also where the payer never came ' +
    'back. Not to be called from a browser.',
  path: '/api/v1/index.php/{id}/get3ds',
  body: v.object({ authentication_id: Id, hash: Hash }),
  reply: Get3dsReply,
  errors: ['hash_wrong', 'authentication_not_found'],
  grants: { table: ['BatchGetItem', 'GetItem', 'PutItem'], secrets: ['encryption'] },
});
