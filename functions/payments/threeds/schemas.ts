import * as v from 'valibot';
import { AuthenticationIdReply } from '#core/kernel/schema/field-schemas.ts';
import { describeField, flag, text } from '#core/kernel/schema/field-words.ts';
import { Id } from '#core/kernel/schema/schema.ts';
import { cardFreeExcept } from '#core/kernel/schema/text.ts';
import { statuses } from './authentication/authentication.ts';
import { outcomes, transStatuses } from './authentication/authentication-result.ts';
import { clientTokenForm } from './payer/client-token.ts';

/** The schemas that the operations of native 3-D Secure share. */

export const AuthenticationIdPath = v.object({ id: describeField(Id, 'The site, or the authentication.') });

export const ClientToken = v.pipe(
  v.string('must be text'),
  v.minLength(1, 'is required'),
  v.maxLength(200, 'is not a client token'),
  cardFreeExcept(clientTokenForm),
  v.description('As create3ds answered it.'),
);

const steps = ['start', 'method', 'authenticate', 'challenge', 'done'] as const;

export const AuthenticationResultSchema = describeField(
  v.picklist(outcomes),
  'The result: authenticated, attempted, informational, not_authenticated, rejected, unavailable, canceled or timed_out.',
);
export const TransStatusSchema = describeField(
  v.nullable(v.picklist(transStatuses)),
  'The result of 3-D Secure: Y authenticated, A attempted, N not, U not possible, R rejected, C a challenge, I informational.',
);

/** The reply to the payer's page. */
export const ClientReply = v.object({
  step: describeField(v.picklist(steps), 'What comes next; `done`: the result is beside it.'),
  mode: describeField(
    v.picklist(['modal', 'inline']),
    'Where the issuer’s page is shown: in a dialog (modal) or in the page (inline).',
  ),
  verbose: flag('Whether the SDK writes its steps, and no values, to the browser’s console.'),
  authentication_id: v.optional(AuthenticationIdReply),
  outcome: v.optional(AuthenticationResultSchema),
  transStatus: v.optional(TransStatusSchema),
  liability_shift: v.optional(flag('Whether the issuer is expected to bear fraud. The scheme decides that.')),
  three_d_secure: v.optional(text('For `threeDSecure` of singletx, as it is.')),
  cardholder_info: describeField(v.optional(v.nullable(v.string())), 'What the issuer wants the payer to read.'),
});

export const AuthenticationStatusSchema = describeField(v.picklist(statuses), '`ok`, or EXC if it is refused.');
