import { createHmac } from 'node:crypto';
import { UserError } from '../../user-error.ts';

/** An account that does not exist: enough to check what is signed with its secret. */
export const stripeAccount = {
  secret_key: 'sk_test_keyOfASampleAccount',
  webhook_secret: 'whsec_secretOfASampleEndpoint',
} as const;

/**
 * The value of the signature's header for a body, as `{{signature:provider_a}}` and its like stand for it.
 * Throws UserError on a name that is no provider's.
 */
export const signSample = (
  providers: Readonly<Record<string, string>>,
  { provider, body, now }: { provider: string; body: string; now: string },
): string => {
  const secrets: Readonly<Record<string, string>> = { ...providers, stripe: stripeAccount.webhook_secret };
  const secret = Object.hasOwn(secrets, provider) ? secrets[provider] : undefined;
  if (secret === undefined)
    throw new UserError(`The sample event asks for a signature of ${provider}, who is no provider.`);
  const seconds = Math.floor(Date.parse(now) / 1000);
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
};
