import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { statuses } from './authentication/authentication.ts';
import { outcomes, transStatuses } from './authentication/outcome.ts';

/** What the operations of native 3-D Secure share on the wire. */

export const IdPath = v.object({ id: Id });

export const ClientToken = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'is required'),
  v.maxLength(200, 'is not a client token'),
  v.description('As create3ds answered it.'),
);

const steps = ['start', 'method', 'authenticate', 'challenge', 'done'] as const;

export const Outcome = v.picklist(outcomes);
export const TransStatus = v.nullable(v.picklist(transStatuses));

/** What the payer's page is told. */
export const ClientReply = v.object({
  step: v.pipe(v.picklist(steps), v.description('What comes next; `done`: the result is beside it.')),
  mode: v.picklist(['modal', 'inline']),
  verbose: v.boolean(),
  authentication_id: v.optional(v.number()),
  outcome: v.optional(Outcome),
  transStatus: v.optional(TransStatus),
  liability_shift: v.optional(
    v.pipe(v.boolean(), v.description('Whether the issuer is expected to bear fraud. The scheme decides that.')),
  ),
  three_d_secure: v.optional(v.pipe(v.string(), v.description('For `threeDSecure` of singletx, as it is.'))),
  cardholder_info: v.optional(v.nullable(v.string())),
});

export const Status = v.picklist(statuses);
