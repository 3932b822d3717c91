import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setClock } from '../../functions/core/clock.ts';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { type Deed, enforceGrants } from './aws/access.ts';
import { startTableEmulator } from './aws/emulator-process.ts';
import type { Firing } from './aws/schedules.ts';
import { openServices, type Services } from './aws/services.ts';
import { openTables, type Tables } from './aws/tables.ts';
import { holdBuild } from './build.ts';
import { type Clock, openClock } from './clock.ts';
import { createControl } from './control/control.ts';
import { openSinks, type Sinks } from './control/sinks.ts';
import { startTime, type TimeTravel } from './control/time-travel.ts';
import { type DemoCredentials, demoCredentials, ensureDemo, forgetDemo, isDemoHalfMade } from './demo/demo-tenant.ts';
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints.ts';
import { startEventSources } from './events/event-sources.ts';
import { enterEnvironment, environmentOf } from './functions/environment.ts';
import { openFunctionLog } from './functions/function-log.ts';
import {
  createFunctionRunner,
  type FunctionRunner,
  type Invocation,
  runningFunction,
} from './functions/function-runner.ts';
import { createAuthorization } from './gateway/authorization.ts';
import { createGateway } from './gateway/gateway.ts';
import { type Served, startWebServer, type WebServer } from './gateway/web-server.ts';
import { networkNames } from './networks/network.ts';
import { type Networks, openNetworks } from './networks/networks.ts';
import type { PlainError } from './plain-error.ts';
import { openState, type State } from './state.ts';

/** Who wants to see what happens. */
export type Watch = {
  onServed(served: Served): void;
  onInvocation(invocation: Invocation): void;
  onFire(firing: Firing): void;
  /** A function (`area/name`) used one of its grants. */
  onDeed?(name: string, deed: Deed): void;
  /** A sentence about something that is not as it should be. */
  onProblem(sentence: string): void;
};

export type StackOptions = {
  /** A synthesized `cdk.out`. */
  templateFolder: string;
  dataFolder: string;
  /** 0 for any free one. */
  port: number;
  /** The clock's first value, in milliseconds since 1970; only a new data folder looks at it. */
  startTime?: number | undefined;
  /** A DynamoDB emulator to use instead of the one that comes with the project. */
  tableUrl?: string | undefined;
  /** Whether an empty service gets the demo tenant. Default: yes. */
  withDemo?: boolean;
  watch?: Partial<Watch>;
};

/** The parts of a running stack. */
export type Parts = Services & {
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
  /** Settles with a sentence if the stack cannot go on. */
  failed: Promise<PlainError>;
  stop(): Promise<void>;
};

/** Starts the deployed stack's local double from its template. Throws PlainError on what the person must mend. */
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
  const { dataFolder, port, watch = {} } = options;
  toClose.defer(holdBuild(options.templateFolder));
  const onServed = (served: Served) => watch.onServed?.(served);
  const onFault = (sentence: string) => watch.onProblem?.(sentence);
  const web = toClose.adopt(await startWebServer(port, { onServed, onFault }), (one) => one.close());
  const state = toClose.adopt(openState(dataFolder), (one) => one.close());
  const clock = openClock(state, options.startTime);
  toClose.defer(() => setClock());
  const networks = openNetworks(state, clock);
  const connections = (name: string) => connectionSecret(networks, name, web.url);
  const services = await openServices(options.templateFolder, state, clock, toClose, connections);
  const { tables, tableUrl, failed } = await startTables(options, services, clock, toClose);
  const environment = environmentOf(services.resources.functions, services.url, tableUrl);
  toClose.defer(enterEnvironment(environment));
  const runner = startFunctions(options, services, toClose);
  const stopped = { ...services, state, clock, web, tables, runner, networks, sinks: openSinks(state, clock) };
  const running = await startRunning(stopped, options, tableUrl, toClose);
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

/** What the secret of a network's connection holds: the way to the one that this stack plays. */
const connectionSecret = (networks: Networks, secret: string, url: string): string | undefined => {
  const network = networkNames.find((name) => secret.endsWith(`/outcome-${name.replace('_', '-')}`));
  return network && networks.connection(network, `${url}/_local/network/${network}`);
};

const startTables = async (
  { dataFolder, tableUrl: foreignUrl }: StackOptions,
  { resources }: Services,
  clock: Clock,
  toClose: AsyncDisposableStack,
): Promise<{ tables: Tables; tableUrl: string; failed: Promise<PlainError> }> => {
  const file = join(dataFolder, 'table.sqlite');
  const emulator = foreignUrl ? undefined : toClose.adopt(await startTableEmulator(file), (one) => one.stop());
  const tableUrl = foreignUrl ?? emulator?.url ?? '';
  const tables = toClose.adopt(openTables(tableUrl, emulator && file, clock, resources.tables), (one) => one.close());
  await tables.create();
  return { tables, tableUrl, failed: emulator?.failed ?? new Promise<never>(() => undefined) };
};

const startFunctions = (
  { dataFolder, watch = {} }: StackOptions,
  { resources }: Services,
  toClose: AsyncDisposableStack,
): FunctionRunner => {
  // Before any bundle is loaded, which then finds the watched calls.
  const onDeed = (name: string, deed: Deed) => watch.onDeed?.(name, deed);
  toClose.defer(enforceGrants([...operations, ...workers], () => runningFunction()?.name, onDeed));
  const runner = toClose.adopt(createFunctionRunner(resources.functions), (one) => one.close());
  const onProblem = (sentence: string) => watch.onProblem?.(sentence);
  const log = toClose.adopt(openFunctionLog(dataFolder, onProblem), (one) => one.written());
  runner.ends.on('end', log.keep);
  runner.ends.on('end', (invocation) => watch.onInvocation?.(invocation));
  return runner;
};

type Stopped = Omit<Parts, 'time'>;
type Running = Parts & Pick<LocalStack, 'credentials'>;

/** Lets events, time and requests in, and makes an empty service ready. */
const startRunning = async (
  parts: Stopped,
  { withDemo = true, watch = {} }: StackOptions,
  tableUrl: string,
  toClose: AsyncDisposableStack,
): Promise<Running> => {
  const { clock, web, runner, tables, resources } = parts;
  const report = (sentence: string) => watch.onProblem?.(sentence);
  const startSources = () => startEventSources(resources.mappings, { ...parts, tableUrl, report });
  const current = { sources: await startSources() };
  toClose.defer(() => current.sources.stop());
  const onFire = (firing: Firing) => watch.onFire?.(firing);
  const time = toClose.adopt(startTime({ ...parts, report, sources: () => current.sources, onFire }), (one) =>
    one.stop(),
  );
  const authorization = createAuthorization(runner, clock);
  const empty = async () => {
    await current.sources.stop();
    emptyServices(parts);
    authorization.clear();
    await tables.clear();
    current.sources = await startSources();
  };
  const seed = async () => {
    if (withDemo) await ensureDemo({ ...parts, url: web.url, report });
    await time.untilIdle();
  };
  const reset = () =>
    time.alone(async () => {
      await empty();
      await seed();
    });
  const credentials = () => demoCredentials(parts);
  const control = createControl({ ...parts, time, credentials, reset });
  const gateway = createGateway({
    definition: resources.definition,
    stage: resources.stage,
    runner,
    authorization,
    clock,
  });
  web.answerWith(async (request, response) => {
    if (request.url === '/' && request.method === 'GET') leadToDashboard(response);
    else if (/^\/_local(\/|$|\?)/.test(request.url ?? '')) await control(request, response);
    else await gateway(request, response);
  });
  await time.alone(async () => {
    if (isDemoHalfMade(parts)) await empty();
    await seed();
  });
  return { ...parts, time, credentials };
};

/** Whoever opens the address that `npm start` prints wants to see something; a deployed stage has nothing there. */
const leadToDashboard = (response: ServerResponse): void =>
  void response.writeHead(302, { location: '/dashboard', 'cache-control': 'no-store' }).end();

/** Everything but the secrets, the template's schedules and the time. */
const emptyServices = ({ state, queues, schedules, mailbox, sinks, networks, resources }: Stopped): void => {
  for (const queue of queues.definitions) queues.purge(queue);
  schedules.removeOthers(resources.schedules.map(({ name }) => name));
  mailbox.clear();
  sinks.clearAll();
  networks.clearAll();
  state.removeAll('checkpoint:');
  forgetDemo({ state });
};
