import type { Scheme } from '#core/kernel/card/card.ts';
import { Refusal } from '#core/platform/operation/errors.ts';
import {
  accountId,
  type CredentialRules,
  problemsOfCredentials,
  readCredentials,
  toCredentialsDto,
} from '../credentials/credentials.ts';
import { namesAccount, type ProcessorName } from '../ports/processors.ts';
import { type Route, type SiteProcessors, sandboxRoute } from './routing.ts';

/** A route as it is sent. Without credentials, `id` names an account whose credentials are kept already. */
export type WantedRoute = {
  id?: string | undefined;
  processor: ProcessorName;
  credentials?: Readonly<Record<string, unknown>> | undefined;
  schemes: readonly Scheme[] | null;
  currencies: readonly string[] | null;
  min: string | null;
  max: string | null;
};

export type RoutingTools = CredentialRules & {
  allowSandbox: boolean;
  newId(): string;
  seal(routeId: string, text: string): string;
  open(route: Route): Readonly<Record<string, unknown>>;
};

/** An account at a processor: what all its routes share. `account`: see accountOf. */
type Account = Pick<Route, 'id' | 'processor' | 'sealed' | 'shown'> & { account: string };

/**
 * A site's routes, replaced by others. An account keeps its id, whatever is routed to it; one that nothing is routed to any
 * more is retired, not forgotten. Throws request_invalid, naming each wrong field.
 */
export const withRoutes = (
  before: SiteProcessors,
  wanted: readonly WantedRoute[],
  tools: RoutingTools,
): SiteProcessors => {
  const accounts = new Map<string, Account>();
  for (const route of [...before.routes, ...before.retired]) {
    const account = route.sealed === null ? '' : accountId(route.processor, tools.open(route));
    accounts.set(route.id, { ...route, account });
  }
  const problems: string[] = [];
  const chosen = wanted.map((route, index) => {
    const choice = choose(route, accounts, tools);
    const wrong = [...('problems' in choice ? choice.problems : []), ...limitProblems(route)];
    problems.push(...wrong.map((problem) => `routes.${index}.${problem}`));
    if ('problems' in choice) return { route, id: '' };
    accounts.set(choice.id, choice);
    return { route, id: choice.id };
  });
  if (problems.length > 0) throw new Refusal('request_invalid', problems.join('; '));
  return arrangeRoutes(before, chosen, accounts);
};

const arrangeRoutes = (
  before: SiteProcessors,
  chosen: readonly { route: WantedRoute; id: string }[],
  accounts: ReadonlyMap<string, Account>,
): SiteProcessors => {
  const routes = chosen.flatMap(({ route: { schemes, currencies, min, max }, id }) => {
    const account = accounts.get(id);
    return account ? [{ ...withoutAccount(account), schemes, currencies, min, max }] : [];
  });
  const inUse = new Set(routes.map(({ id }) => id));
  const known = [...before.routes, ...before.retired].filter(({ id, sealed }) => !inUse.has(id) && sealed !== null);
  const retired = known.filter((route, index) => known.findIndex(({ id }) => id === route.id) === index);
  return { routes, retired, version: before.version + 1 };
};

const withoutAccount = ({ id, processor, sealed, shown }: Account) => ({ id, processor, sealed, shown });

const wrong = (...problems: readonly string[]) => ({ problems });

/** The account that a route refers to, or what is wrong. */
const choose = (
  wanted: WantedRoute,
  accounts: ReadonlyMap<string, Account>,
  tools: RoutingTools,
): Account | { problems: readonly string[] } => {
  const { id, processor, credentials } = wanted;
  if (processor === 'sandbox') {
    if (!tools.allowSandbox) return wrong('processor: the sandbox is not offered here');
    return { ...sandboxRoute, account: '' };
  }
  const known = id === undefined ? undefined : accounts.get(id);
  if (id !== undefined && known?.processor !== processor)
    return wrong(`id: the site has no such account at ${processor}`);
  if (!credentials) return known ?? wrong('credentials: is required');
  const problems = problemsOfCredentials(processor, credentials, tools);
  if (problems.length > 0) return wrong(...problems.map((problem) => `credentials.${problem}`));
  const read = readCredentials(processor, credentials);
  const account = accountId(processor, read);
  // If credentials name their account, they cannot refund payments made at another one.
  if (known && namesAccount(processor) && known.account !== account)
    return wrong('credentials: belong to another account');
  const same = known ?? [...accounts.values()].find((other) => other.account === account);
  const own = same?.id ?? tools.newId();
  return {
    id: own,
    processor,
    sealed: tools.seal(own, JSON.stringify(read)),
    shown: toCredentialsDto(processor, read),
    account,
  };
};

const limitProblems = ({ min, max }: WantedRoute): string[] =>
  min !== null && max !== null && Number(min) > Number(max) ? ['max: must not be below min'] : [];
