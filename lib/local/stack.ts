import { setClock } from '#core/kernel/clock.ts';
import { variableOfSecret } from '#core/platform/operation/grants.ts';
import { type AwsAction, makeJudge, watchAwsCalls } from './aws/access.ts';
import type { Firing } from './aws/schedules.ts';
import { openServices, type Services } from './aws/services.ts';
import { startTables, type TableOptions } from './aws/start-tables.ts';
import { judgeOfLimits } from './aws/table-limits.ts';
import type { Tables } from './aws/tables.ts';
import { findDeclared, readDeclared } from './build/declared-functions.ts';
import type { FunctionCode } from './build/function-code.ts';
import { type Clock, openClock } from './clock.ts';
import { createControl } from './control/control.ts';
import { createEntrance } from './control/request-entrance.ts';
import { openSinks, type Sinks } from './control/sink-answers.ts';
import { operatorSecret } from './control/test-issuer.ts';
import { startTime, type TimeTravel } from './control/time-travel.ts';
import {
  type DemoCredentials,
  demoCredentials,
  encryptionRing,
  ensureDemo,
  forgetDemo,
  isDemoHalfMade,
  refreshCredentials,
} from './demo/demo-tenant.ts';
import { firstFunctions } from './demo/first-functions.ts';
import { createPast, type Past } from './demo/past.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts';
import { type EventSources, startEventSources } from './events/event-sources.ts';
import { enterEnvironment, localEnvironment } from './functions/environment.ts';
import { openFunctionLog } from './functions/function-log.ts';
import {
  type CodeOf,
  createFunctionRunner,
  type FunctionRunner,
  type Invocation,
  runningFunction,
} from './functions/function-runner.ts';
import { gate } from './gate.ts';
import { createAuthorization } from './gateway/authorization.ts';
import { createGateway } from './gateway/gateway.ts';
import { createRequestLimits } from './gateway/request-limits.ts';
import { type Served, startWebServer, type WebServer } from './gateway/web-server.ts';
import { networkNames } from './networks/network.ts';
import { type Networks, openNetworks } from './networks/networks.ts';
import { openState, type State } from './state.ts';
import type { UserError } from './user-error.ts';

/** Callbacks for callers that observe what happens. */
export type Watch = {
  onServed(served: Served): void;
  onInvocation(invocation: Invocation): void;
  onFire(firing: Firing): void;
  /** A function (`area/name`) used one of its grants. */
  onAwsAction?(name: string, awsAction: AwsAction): void;
  /** A sentence about something that is not as it should be. */
  onProblem(sentence: string): void;
};

export type StackOptions = TableOptions & {
  /** A synthesized `cdk.out`. */
  templateFolder: string;
  /** The functions' code, for a template without built code. */
  code?: Pick<FunctionCode, 'folderOf' | 'prepare'> | undefined;
  /** 0 for any free one. */
  port: number;
  /** The IP address at which it listens. Default: loopback. */
  bindAddress?: string;
  /** The clock's first value, in milliseconds since 1970; only a new data folder looks at it. */
  startTime?: number | undefined;
  /** True if an empty service gets the demo tenant. Default: yes. */
  withDemo?: boolean;
  /** True if the demo merchant gets a past, made in the background. Default: no. */
  withPast?: boolean;
  /** True if functions that take longer than they may fail. Default: yes. */
  timeLimits?: boolean;
  /** True if the gateway refuses what the deployed firewall and throttles refuse. Default: no. */
  requestLimits?: boolean;
  watch?: Partial<Watch>;
};

/** The parts of a running stack. */
type Parts = Services & {
  state: State;
  clock: Clock;
  web: WebServer;
  tables: Tables;
  runner: FunctionRunner;
  sinks: Sinks;
  networks: Networks;
  time: TimeTravel;
};

export type LocalStack = Omit<Parts, 'url'> & {
  /** Where the gateway listens. */
  url: string;
  endpoints(): Endpoints;
  credentials(): DemoCredentials | undefined;
  /** Settles when the demo merchant's past is made, where it gets one. */
  pastMade(): Promise<void>;
  /** Settles with a sentence if the stack cannot go on. */
  failed: Promise<UserError>;
  stop(): Promise<void>;
};

/** Starts the deployed stack's local double from its template. Throws UserError on what the person must mend. */
export const startLocalStack = async (options: StackOptions): Promise<LocalStack> => {
  const toClose = new AsyncDisposableStack();
  try {
    return await start(options, toClose);
  } catch (error) {
    await toClose.disposeAsync();
    throw error;
  }
};

const start = async (options: StackOptions, toClose: AsyncDisposableStack): Promise<LocalStack> => {
  const { dataFolder, port, bindAddress, watch = {} } = options;
  // A call that needs one of them waits, and gets its error.
  if (options.withDemo !== false) options.code?.prepare(firstFunctions).catch(() => undefined);
  const onServed = (served: Served) => watch.onServed?.(served);
  const onFault = (sentence: string) => watch.onProblem?.(sentence);
  const web = toClose.adopt(await startWebServer(port, { onServed, onFault }, bindAddress), (one) => one.close());
  const state = toClose.adopt(openState(dataFolder), (one) => one.close());
  const clock = openClock(state, options.startTime);
  toClose.defer(() => setClock());
  const networks = openNetworks(state, clock);
  const connections = (name: string) =>
    name.endsWith('/operator-sso') ? operatorSecret(web.url) : connectionSecret(networks, name, web.url);
  const services = await openServices(options.templateFolder, state, clock, toClose, connections);
  const { tables, tableUrl, failed } = await startTables(
    { ...options, report: onFault },
    services.resources.tables,
    clock,
    toClose,
  );
  const environment = localEnvironment(services.resources.functions, {
    ...{ servicesUrl: services.url, objectsUrl: services.objectsUrl },
    ...{ tableUrl, webUrl: web.url },
  });
  toClose.defer(enterEnvironment(environment));
  const runner = startFunctions(options, services, toClose);
  const stopped = { ...services, state, clock, web, tables, runner, networks, sinks: openSinks(state, clock) };
  const running = await startRunning(stopped, options, toClose);
  const endpoints = (): Endpoints => ({
    pid: process.pid,
    url: web.url,
    clockOffsetMilliseconds: clock.offsetMilliseconds(),
    environment,
  });
  toClose.defer(() => removeEndpoints(dataFolder));
  clock.onMove(() => writeEndpoints(dataFolder, endpoints()));
  writeEndpoints(dataFolder, endpoints());
  // First of all to close: nothing new comes in while the rest is taken down.
  toClose.defer(() => web.close());
  return { ...running, url: web.url, endpoints, failed, stop: () => toClose.disposeAsync() };
};

/** Returns the content of the secret of a network's connection: the address of the one that this stack plays. */
const connectionSecret = (networks: Networks, secret: string, url: string): string | undefined => {
  const network = networkNames.find((name) => secret.endsWith(`/outcome-${name.replace('_', '-')}`));
  return network && networks.connection(network, `${url}/_local/network/${network}`);
};

const startFunctions = (
  { templateFolder, code, dataFolder, timeLimits = true, shortcut, watch = {} }: StackOptions,
  { resources, aws }: Services,
  toClose: AsyncDisposableStack,
): FunctionRunner => {
  // Before any bundle is loaded, which then finds the watched calls.
  const onAwsAction = (name: string, awsAction: AwsAction) => watch.onAwsAction?.(name, awsAction);
  const declared = readDeclared(templateFolder);
  const judge = makeJudge(declared, () => runningFunction()?.name, onAwsAction);
  const limits = judgeOfLimits(resources.tables);
  toClose.defer(watchAwsCalls((...call) => judge(...call) ?? limits(...call)));
  if (shortcut) toClose.defer(shortcut.enter(judge, aws));
  const codeOf: CodeOf = ({ name, folder }) => {
    const one = findDeclared(declared, name);
    return code && one ? code.folderOf(`${one.area}/${one.name}`) : folder;
  };
  const runner = toClose.adopt(createFunctionRunner(resources.functions, codeOf, timeLimits), (one) => one.close());
  const onProblem = (sentence: string) => watch.onProblem?.(sentence);
  const log = toClose.adopt(openFunctionLog(dataFolder, onProblem), (one) => one.whenWritten());
  runner.ends.on('end', log.keep);
  runner.ends.on('end', (invocation) => watch.onInvocation?.(invocation));
  return runner;
};

type Stopped = Omit<Parts, 'time'>;
type Running = Parts & Pick<LocalStack, 'credentials' | 'pastMade'>;

/** Lets events, time and requests in, and makes an empty service ready. */
const startRunning = async (
  parts: Stopped,
  { withDemo = true, withPast = false, timeLimits = true, requestLimits = false, watch = {} }: StackOptions,
  toClose: AsyncDisposableStack,
): Promise<Running> => {
  const { clock, web, runner, resources } = parts;
  const report = (sentence: string) => watch.onProblem?.(sentence);
  const startSources = () => startEventSources(resources.mappings, { ...parts, report });
  const current = { sources: await startSources() };
  toClose.defer(() => current.sources.stop());
  const authorization = createAuthorization(runner, clock);
  const limits = requestLimits ? createRequestLimits(resources.limits) : undefined;
  const gateway = createGateway({ ...resources, ...parts.state, runner, authorization, clock, timeLimits, limits });
  const entrance = createEntrance(gateway, () => isBehind(current.sources));
  const onFire = (firing: Firing) => watch.onFire?.(firing);
  const travel = { ...parts, report, sources: () => current.sources, onFire, entrance };
  const time = toClose.adopt(startTime(travel), (one) => one.stop());
  const past = openPast({ ...parts, report }, withDemo && withPast, toClose);
  const empty = () =>
    entrance.closeDuring(async () => {
      await past.stop();
      await current.sources.stop();
      await runner.whenSettled();
      await emptyStack(parts);
      authorization.clear();
      current.sources = await startSources();
    });
  const seed = async () => {
    if (withDemo) await ensureDemo({ ...parts, url: web.url, report });
    open();
  };
  const startAgain = () =>
    time.alone(async () => {
      await empty();
      await seed();
      await entrance.slowDuring(time.untilIdle);
      past.begin();
    });
  // A request while the stack starts, such as from a page opened early, waits until it is complete.
  const { ask: credentials, open } = gate(() => refreshCredentials(parts));
  const hold = (name: string) => current.sources.hold(name);
  web.answerWith(entrance.listener(createControl({ ...parts, time, credentials, reset: startAgain, hold })));
  await time.alone(async () => {
    if (isDemoHalfMade(parts)) await empty();
    await seed();
    await time.untilIdle();
  });
  past.begin();
  return { ...parts, time, credentials: () => demoCredentials(parts), pastMade: past.whenMade };
};

/** The time by which a function's change may be old; if it is older, requests wait. In milliseconds. */
const maxBehind = 2000;

const isBehind = ({ streams }: EventSources): boolean =>
  streams.some((stream) => Date.now() - (stream.oldest() ?? Date.now()) > maxBehind);

const noPast: Past = { begin: () => undefined, whenMade: async () => undefined, stop: async () => undefined };

const openPast = (
  parts: Stopped & { report: (sentence: string) => void },
  isWanted: boolean,
  toClose: AsyncDisposableStack,
): Past => {
  if (!isWanted) return noPast;
  const past = createPast({
    ...parts,
    url: parts.web.url,
    credentials: () => demoCredentials(parts),
    encryption: () => encryptionRing(parts),
  });
  toClose.defer(() => past.stop());
  return past;
};

/**
 * Everything but the secrets, of which only the one that signs tokens is new: their time may recur. The functions start cold, and the time
 * is that of a new data folder.
 */
const emptyStack = async ({
  state,
  clock,
  tables,
  runner,
  sinks,
  networks,
  secrets,
  ...parts
}: Stopped): Promise<void> => {
  const tokenSecret = process.env[variableOfSecret('jwt')];
  if (tokenSecret !== undefined) secrets.renew(tokenSecret);
  clock.beginAgain();
  parts.empty();
  sinks.clearAll();
  networks.clearAll();
  state.removeAll('checkpoint:');
  forgetDemo({ state });
  runner.forget();
  await tables.clear();
};
