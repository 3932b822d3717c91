import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Worker } from '#core/platform/operation/worker.ts';
import type { Named } from '#lib/build/bundle.ts';
import { createApi } from './api.ts';
import { AreaStack } from './area-stack.ts';
import { createBackups } from './backups.ts';
import { createBudget } from './budget.ts';
import { createConcurrencyBudget } from './concurrency.ts';
import { createDashboard } from './dashboard.ts';
import { createDomains } from './domains.ts';
import { createKey } from './encryption.ts';
import { createSource, feedFromAccessLog } from './event-sources.ts';
import type { Hop } from './fed-worker.ts';
import { createFirewall } from './firewall.ts';
import { createLogGroup } from './log-groups.ts';
import { createMail } from './mail.ts';
import { MonitoringStack } from './monitoring.ts';
import { constructId, stageNames } from './names.ts';
import { createObjectBucket } from './objects.ts';
import { createFunction } from './operation-function.ts';
import type { Resources } from './policy.ts';
import { createQueues } from './queues.ts';
import { createReleases } from './releases.ts';
import { createSchedules } from './schedules.ts';
import { createSecrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { createTable } from './table.ts';

/** The parts of the service. */
export type Service = {
  operations: readonly Operation[];
  workers: readonly Worker[];
  /** The folder with a function's bundle. */
  bundleOf: (one: Named) => string;
};

export type ServiceStackProps = StackProps & Service & { settings: Settings };

/**
 * The whole service, made from what is declared. What holds state, and the workers that read it, are in this stack; the
 * operations, however many, in a nested stack for each area; the alarms in one of their own.
 */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { operations, workers, bundleOf, settings, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const offered = operations.filter(({ onlyWhere }) => onlyWhere === undefined || settings[onlyWhere]);
    const resources = this.#resources(settings, offered, workers);
    const areas = [...Map.groupBy(offered, ({ area }) => area)].map(
      ([area, own]) => new AreaStack(this, { area, operations: own, bundleOf, resources }),
    );
    const hops = workers.map((worker) => this.#hop(worker, bundleOf(worker), resources));
    const authorizer = hops.find(({ worker }) => 'authorizer' in worker.on);
    if (!authorizer) throw new Error('No worker is the authorizer');
    const { api, accessLogs } = createApi(this, {
      ...{ operations: offered, areas, resources },
      authorizer,
    });
    feedFromAccessLog(this, hops, accessLogs);
    createFirewall(this, api, resources);
    const { alarmNames } = new MonitoringStack(this, { api, accessLogs, hops, resources });
    createDashboard(this, { api, resources, alarmNames });
    createDomains(this, api, settings);
    createBackups(this, resources);
    createBudget(this, resources.names, settings);
    new CfnOutput(this, 'TableName', { value: resources.table.tableName, description: 'The table' });
  }

  #resources(settings: Settings, operations: readonly Operation[], workers: readonly Worker[]): Resources {
    const concurrency = createConcurrencyBudget(operations, workers, settings);
    if (concurrency.warning) Annotations.of(this).addWarningV2('forewarn:concurrency', concurrency.warning);
    const names = stageNames(settings.stage);
    const key = createKey(this, names);
    const queues = createQueues(this, names, key, workers);
    return {
      names,
      settings,
      concurrency,
      key,
      queues,
      table: createTable(this, names, key, settings),
      secrets: createSecrets(this, names, key),
      schedules: createSchedules(this, names, key, queues, settings),
      mail: createMail(this, settings),
      objects: createObjectBucket(this, names, key, settings),
      releases: createReleases(this, names, settings),
    };
  }

  #hop(worker: Worker, dir: string, resources: Resources): Hop {
    const { statements, failures, attach } = createSource(this, worker, resources);
    const { names, key } = resources;
    const logGroup = createLogGroup(this, `${constructId(worker)}Logs`, `/aws/lambda/${names.functionOf(worker)}`, key);
    const made = createFunction(this, { declared: worker, dir, resources, logGroup, statements });
    attach(made);
    return { worker, ...made, ...(failures && { failures }) };
  }
}
