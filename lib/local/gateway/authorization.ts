import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { FunctionRunner } from '../functions/function-runner.ts';
import type { Authorizer } from './routes.ts';

const list = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((value) => [value].flat()),
);
const Policy = v.object({
  principalId: v.string(),
  policyDocument: v.object({
    Statement: v.array(v.object({ Effect: v.picklist(['Allow', 'Deny']), Action: list, Resource: list })),
  }),
  context: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
});
type Policy = v.InferOutput<typeof Policy>;

/** The authorizer's verdict on a call: its context for the function, or the gateway response to give instead. */
type Verdict =
  | { isAllowed: true; context: Readonly<Record<string, unknown>> }
  | {
      isAllowed: false;
      response: 'UNAUTHORIZED' | 'ACCESS_DENIED' | 'AUTHORIZER_CONFIGURATION_ERROR';
      context: Readonly<Record<string, unknown>>;
    };

export type Authorization = {
  judge(authorizer: Authorizer, token: string | undefined, methodArn: string): Promise<Verdict>;
  /** Forgets the answers it keeps. */
  clear(): void;
};

const refuse = (
  response: Exclude<Verdict, { isAllowed: true }>['response'],
  context: Readonly<Record<string, unknown>> = {},
): Verdict => ({ isAllowed: false, response, context });

/**
 * Asks Lambda authorizers as the gateway does: once per token and time to live, for all methods at once.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html
 */
export const createAuthorization = (runner: FunctionRunner, clock: Clock): Authorization => {
  const kept = new Map<string, { policy: Policy; until: number }>();
  return {
    clear: () => kept.clear(),
    judge: async (authorizer, token, methodArn) => {
      if (!token || authorizer.validation?.test(token) === false) return refuse('UNAUTHORIZED');
      const key = `${authorizer.name} ${token}`;
      const held = kept.get(key);
      if (held && held.until > clock.now()) return toVerdict(held.policy, methodArn);
      const { error, result } = await runner.invoke(runner.find(authorizer.functionArn), {
        type: 'TOKEN',
        authorizationToken: token,
        methodArn,
      });
      if (error) return refuse(error.message === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR');
      const policy = v.safeParse(Policy, result);
      if (!policy.success) return refuse('AUTHORIZER_CONFIGURATION_ERROR');
      if (kept.size > 10_000) kept.clear();
      kept.set(key, { policy: policy.output, until: clock.now() + authorizer.timeToLiveSeconds * 1000 });
      return toVerdict(policy.output, methodArn);
    },
  };
};

const toVerdict = ({ principalId, policyDocument, context }: Policy, methodArn: string): Verdict => {
  const effects = policyDocument.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((action) => covers(action, 'execute-api:Invoke')) &&
      Resource.some((resource) => covers(resource, methodArn)),
  ).map(({ Effect }) => Effect);
  // The gateway hands every value of the context on as text.
  const texts = Object.fromEntries(Object.entries(context).map(([name, value]) => [name, String(value)]));
  if (!effects.includes('Allow') || effects.includes('Deny')) return refuse('ACCESS_DENIED', texts);
  return { isAllowed: true, context: { ...texts, principalId } };
};

/** IAM's wildcards: `*` for any text, `?` for one character. */
const covers = (pattern: string, value: string): boolean => {
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(value);
};
