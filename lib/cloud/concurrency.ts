import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import { isProtected, type Settings } from './settings.ts';

/** Concurrent executions of a queue's worker that declares no `maximumConcurrency`. */
const usualConcurrency = 20;
/** The minimum that an SQS event source accepts. */
const leastConcurrency = 2;
/** A stream is read by one execution for each of its shards; a busy table has a few. */
const shardsPerStream = 5;
/** The share of the account that stays for operations without a reservation, because callers wait for them. */
const callersShare = 0.3;
/** A smaller reservation would throttle an entrance sooner than the shared rest does. */
const leastReservation = 10;
/** Reserved for each entrance of a stage on which something is sold, where there is room. */
const usualReservation = 50;
/**
 * The executions that Lambda keeps unreserved in an account.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const leastUnreserved = 100;
/** The quota for which the declared maximums are meant: the default of an account. */
const usualQuota = 1000;

/** One part of the budget, in executions at a time. */
export type BudgetRow = { name: string; kind: 'reserved' | 'queue' | 'stream' | 'callers'; executions: number };

/** The division of a stage's concurrent executions. */
export type ConcurrencyBudget = {
  rows: readonly BudgetRow[];
  /** Reservation of each entrance for alerts and callers; 0 if the quota is too small. */
  reserved: number;
  /** Returns the number of concurrent executions of a queue's worker. */
  maximumOf: (worker: Worker) => number;
  /** Tells the operator that the quota is too small for the reservations. */
  warning?: string;
};

/** Checks whether a function is an entrance for alerts or callers, which other functions must not crowd out. */
export const isEntrance = (declared: Operation | Worker): boolean =>
  'on' in declared ? 'authorizer' in declared.on : declared.auth === 'provider';

/**
 * Divides `lambdaConcurrency` between reservations, queues, streams and callers. In a small account the queues get a proportional part, nothing is
 * reserved, and `warning` says so. Throws an Error if a reservation that the operator asks for does not fit.
 */
export const createConcurrencyBudget = (
  operations: readonly Operation[],
  workers: readonly Worker[],
  settings: Settings,
): ConcurrencyBudget => {
  const { lambdaConcurrency: quota, reservedConcurrency } = settings;
  const scale = Math.min(1, quota / usualQuota);
  const maximumOf = ({ on }: Worker) => {
    const declared = ('queue' in on ? on.maximumConcurrency : undefined) ?? usualConcurrency;
    return Math.max(leastConcurrency, Math.floor(declared * scale));
  };
  const fed = workers.flatMap((worker): BudgetRow[] => {
    if ('queue' in worker.on) return [{ name: worker.name, kind: 'queue', executions: maximumOf(worker) }];
    return 'stream' in worker.on ? [{ name: worker.name, kind: 'stream', executions: shardsPerStream }] : [];
  });
  const entrances = [...operations, ...workers].filter(isEntrance);
  const taken = sumRows(fed);
  const callers = Math.ceil(quota * callersShare);
  const room = Math.min(quota - taken - callers, quota - leastUnreserved);
  const most = Math.max(0, Math.floor(room / entrances.length));
  if (reservedConcurrency !== undefined && reservedConcurrency > most) {
    throw new Error(
      `reservedConcurrency: ${entrances.length} functions × ${reservedConcurrency} do not fit into lambdaConcurrency ${quota}, of which queues and streams take ${taken} and callers ${callers}; at most ${most} each`,
    );
  }
  const usual = isProtected(settings) ? Math.min(usualReservation, most) : 0;
  const reserved = reservedConcurrency ?? (usual < leastReservation ? 0 : usual);
  const kept = entrances.map(({ name }): BudgetRow => ({ name, kind: 'reserved', executions: reserved }));
  const left = quota - taken - reserved * entrances.length;
  return {
    rows: [...kept, ...fed, { name: 'all other operations', kind: 'callers', executions: Math.max(0, left) }],
    reserved,
    maximumOf,
    ...(((isProtected(settings) && reservedConcurrency === undefined && reserved === 0) || left < callers) && {
      warning: warn(quota, taken),
    }),
  };
};

const sumRows = (rows: readonly BudgetRow[]): number => rows.reduce((sum, { executions }) => sum + executions, 0);

const warn = (quota: number, taken: number): string =>
  `lambdaConcurrency is ${quota}, and queues and streams may take ${taken} of it: no concurrency is reserved for providers, so a flood of other work can ` +
  'throttle them. Raise "Concurrent executions" of AWS Lambda in Service Quotas, set lambdaConcurrency, and deploy again.';
