import * as v from 'valibot';
import type { ResponseType } from './gateway-responses.ts';

const MethodSetting = v.looseObject({
  HttpMethod: v.string(),
  ResourcePath: v.string(),
  ThrottlingRateLimit: v.optional(v.number()),
  ThrottlingBurstLimit: v.optional(v.number()),
});
const RateRule = v.looseObject({
  Statement: v.looseObject({
    RateBasedStatement: v.looseObject({
      Limit: v.number(),
      EvaluationWindowSec: v.optional(v.number(), 300),
      ScopeDownStatement: v.optional(v.unknown()),
    }),
  }),
});

/** The throttles of the gateway's stage and the rules of the firewall, as the template has them. */
export type LimitSources = { methodSettings: readonly unknown[]; rules: readonly unknown[] };

/** Decides whether the deployed firewall or gateway would refuse a request. Undefined: neither would. */
export type RequestLimits = {
  /** By the firewall, before a route is chosen. `path`: with the stage, as the firewall sees it. */
  admitAddress(address: string, path: string, now: number): ResponseType | undefined;
  /** By the throttle of a method. `resource`: as the definition has it. */
  admitMethod(method: string, resource: string, now: number): ResponseType | undefined;
};

/** Creates the limits of a template: requests from one address, by rule, and requests of one method. `now`: milliseconds since 1970. */
export const createRequestLimits = ({ methodSettings, rules }: LimitSources): RequestLimits => {
  const rates = rules.flatMap((rule) => {
    const parsed = v.safeParse(RateRule, rule);
    return parsed.success ? [createRate(parsed.output.Statement.RateBasedStatement)] : [];
  });
  const throttles = new Map(
    methodSettings.flatMap((setting) => {
      const { HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit } = v.parse(MethodSetting, setting);
      if (ThrottlingRateLimit === undefined || ThrottlingBurstLimit === undefined) return [];
      return [[`${HttpMethod} ${ResourcePath}`, { rate: ThrottlingRateLimit, burst: ThrottlingBurstLimit }] as const];
    }),
  );
  // The stage's throttle applies to each method by itself:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-request-throttling.html
  const buckets = new Map<string, (now: number) => boolean>();
  const bucketOf = (key: `${string} ${string}`) => {
    const throttle = throttles.get(key) ?? throttles.get('* /*');
    const known = buckets.get(key);
    if (known || !throttle) return known;
    const created = createBucket(throttle.rate, throttle.burst);
    buckets.set(key, created);
    return created;
  };
  return {
    admitAddress: (address, path, now) => {
      // Each rule counts what it applies to, also if another rule refuses it.
      const verdicts = rates.map((admit) => admit(address, path, now));
      return verdicts.every(Boolean) ? undefined : 'WAF_FILTERED';
    },
    admitMethod: (method, resource, now) => {
      const place = resource === '/' ? '/' : `/~1${resource.slice(1).replaceAll('/', '~1')}`;
      const admit = bucketOf(`${method} ${place}`);
      return admit === undefined || admit(now) ? undefined : 'THROTTLED';
    },
  };
};

/** A token bucket: `burst` at once, refilled at `rate` a second. */
const createBucket = (rate: number, burst: number) => {
  let [tokens, last] = [burst, 0];
  return (now: number): boolean => {
    tokens = Math.min(burst, tokens + (Math.max(0, now - last) / 1000) * rate);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};

type RateStatement = v.InferOutput<typeof RateRule>['Statement']['RateBasedStatement'];

/** Requests of one address within a sliding window; AWS WAF estimates them every ten seconds, this counts exactly. */
const createRate = ({ Limit, EvaluationWindowSec, ScopeDownStatement }: RateStatement) => {
  const times = new Map<string, number[]>();
  return (address: string, path: string, now: number): boolean => {
    if (ScopeDownStatement !== undefined && !isMatch(ScopeDownStatement, path)) return true;
    const recent = (times.get(address) ?? []).filter((time) => time > now - EvaluationWindowSec * 1000);
    recent.push(now);
    times.set(address, recent);
    return recent.length <= Limit;
  };
};

const Statement = v.union([
  v.object({ NotStatement: v.object({ Statement: v.unknown() }) }),
  v.object({ OrStatement: v.object({ Statements: v.array(v.unknown()) }) }),
  v.object({ RegexMatchStatement: v.looseObject({ RegexString: v.string() }) }),
  v.object({ ByteMatchStatement: v.looseObject({ PositionalConstraint: v.string(), SearchString: v.string() }) }),
]);

/** Checks whether a statement about the path applies. Throws for a statement of another kind. */
const isMatch = (statement: unknown, path: string): boolean => {
  const parsed = v.parse(Statement, statement);
  if ('NotStatement' in parsed) return !isMatch(parsed.NotStatement.Statement, path);
  if ('OrStatement' in parsed) return parsed.OrStatement.Statements.some((one) => isMatch(one, path));
  if ('RegexMatchStatement' in parsed) return new RegExp(parsed.RegexMatchStatement.RegexString).test(path);
  const { PositionalConstraint, SearchString } = parsed.ByteMatchStatement;
  return PositionalConstraint === 'ENDS_WITH' ? path.endsWith(SearchString) : path.includes(SearchString);
};
