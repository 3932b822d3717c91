import { nowMilliseconds } from '#core/kernel/clock.ts';
import { hmacSha256 } from '#core/kernel/crypto.ts';
import { describeError, log } from '#core/platform/log/log.ts';
import { validKeys } from '#core/platform/secrets/secrets.ts';

/** The answer to a provider's call; null if there was none. */
export type BankReply = { status: number; text: string } | null;

/** Banks show nothing after two seconds; people who try this out should see why. */
const longest = 10_000;

/** Calls the service as provider_b does: over HTTP, at its own address, signed with the provider's secret. */
export const callAsProviderB = async (
  baseUrl: string,
  path: '/orders' | '/alerts',
  question: unknown,
): Promise<BankReply> => {
  const body = JSON.stringify(question);
  const [key] = await validKeys('provider-b');
  if (key === undefined) throw new Error('The secret of provider_b has no key');
  const seconds = Math.floor(nowMilliseconds() / 1000);
  try {
    const response = await fetch(`${baseUrl}/api/v3/providers/provider_b${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-signature': `t=${seconds},v1=${hmacSha256(key, `${seconds}.${body}`)}`,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(longest),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    log('warn', 'bank_unanswered', { path, error: describeError(error) });
    return null;
  }
};
