import * as v from 'valibot';
import { AuthenticationIdReply } from '#core/kernel/schema/field-schemas.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { cardFreeExcept } from '#core/kernel/schema/text.ts';
import { statuses } from './authentication/authentication.ts';
import { outcomes, transStatuses } from './authentication/authentication-result.ts';
import { clientTokenForm } from './payer/client-token.ts';

/** The schemas that the operations of native 3-D Secure share. */

export const AuthenticationIdPath = v.object({ id: v.pipe(Id, v.description('The site, or the authentication.')) });

export const ClientToken = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'is required'),
  v.maxLength(200, 'is not a client token'),
  cardFreeExcept(clientTokenForm),
  v.description('As create3ds answered it.'),
);

const steps = ['start', 'method', 'authenticate', 'challenge', 'done'] as const;

export const AuthenticationResultSchema = v.pipe(
  v.picklist(outcomes),
  v.description(
    'The result: authenticated, attempted, informational, not_authenticated, rejected, unavailable, canceled or timed_out.',
  ),
);
export const TransStatusSchema = v.pipe(
  v.nullable(v.picklist(transStatuses)),
  v.description(
    'The result of 3-D Secure: Y authenticated, A attempted, N not, U not possible, R rejected, C a challenge, I informational.',
  ),
);

/** The reply to the payer's page. */
export const ClientReply = v.object({
  step: v.pipe(v.picklist(steps), v.description('What comes next; `done`: the result is beside it.')),
  mode: v.pipe(
    v.picklist(['modal', 'inline']),
    v.description('Where the issuer’s page is shown: in a dialog (modal) or in the page (inline).'),
  ),
  verbose: v.pipe(
    v.boolean(),
    v.description('Whether the SDK writes its steps, and no values, to the browser’s console.'),
  ),
  authentication_id: v.optional(AuthenticationIdReply),
  outcome: v.optional(AuthenticationResultSchema),
  transStatus: v.optional(TransStatusSchema),
  liability_shift: v.optional(
    v.pipe(v.boolean(), v.description('Whether the issuer is expected to bear fraud. The scheme decides that.')),
  ),
  three_d_secure: v.optional(v.pipe(v.string(), v.description('For `threeDSecure` of singletx, as it is.'))),
  cardholder_info: v.pipe(
    v.optional(v.nullable(v.string())),
    v.description('What the issuer wants the payer to read.'),
  ),
});

export const AuthenticationStatusSchema = v.pipe(v.picklist(statuses), v.description('`ok`, or EXC if it is refused.'));
