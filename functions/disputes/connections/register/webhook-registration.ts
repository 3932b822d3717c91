import type { ConnectionTrouble } from '#payments/processors/ports/connected-processor.ts';

type Result = 'registered' | 'not_offered' | ConnectionTrouble;

/** The result of registering a connection's webhooks, in words. */
export const toWebhookRegistrationDto = (address: { id: string; url: string }, result: Result) => {
  if (result === 'registered')
    return { ...address, registered: true, problem: null, msg: 'The webhook is registered.' };
  if (result === 'not_offered') {
    const msg = 'This processor does not let webhooks be registered by API. Give it the address yourself.';
    return { ...address, registered: false, problem: result, msg };
  }
  const isRight = result.problem === 'credentials';
  const msg = `${result.detail}.${isRight ? ' The key may lack the right to register webhooks.' : ' Try again later.'}`;
  return { ...address, registered: false, problem: isRight ? ('credentials' as const) : ('unavailable' as const), msg };
};
