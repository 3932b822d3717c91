import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../clock.ts';
import type { State } from '../state.ts';
import { type Resources, readResources } from '../template/resources.ts';
import { readTemplate } from '../template/template.ts';
import { type AwsServices, startAwsServer } from './aws-server.ts';
import { type Mailbox, openMailbox } from './mail.ts';
import { type Objects, openObjects, startObjectServer } from './objects.ts';
import { openQueues, type Queues } from './queues.ts';
import { schedulerService } from './scheduler-service.ts';
import { type Firing, openSchedules, type Schedules } from './schedules.ts';
import { openSecrets, type Secrets } from './secrets.ts';
import { sqsService } from './sqs-service.ts';

/** The AWS services of the stack that are served from this process, and what the template says of everything else. */
export type Services = {
  url: string;
  resources: Resources;
  queues: Queues;
  schedules: Schedules;
  secrets: Secrets;
  mailbox: Mailbox;
  objects: Objects;
  /** Where files are uploaded to and downloaded from. */
  objectsUrl: string;
  /** Answers calls of them. */
  aws: AwsServices;
  /** Forgets every message, mail and schedule, but plans the template's schedules from now on. Secrets stay. */
  empty(): void;
};

/**
 * Reads the template and opens its queues, schedules, secrets and mailbox as they were left, behind one port. `givenSecret`:
 * the value of a secret that is not drawn at random.
 */
export const openServices = async (
  templateFolder: string,
  state: State,
  clock: Clock,
  toClose: AsyncDisposableStack,
  givenSecret: (name: string) => string | undefined,
): Promise<Services> => {
  const none: AwsServices = { targets: {}, paths: {} };
  const current = { services: none };
  const server = toClose.adopt(await startAwsServer(() => current.services), (one) => one.close());
  const resources = readResources(readTemplate(templateFolder), server.url);
  const queues = openQueues(state, clock, resources.queues);
  const schedules = openSchedules(state, clock, (firing) => sendTo(queues, firing));
  const secrets = openSecrets(state, clock, resources.secrets, givenSecret);
  const mailbox = openMailbox(state, clock, resources.mailIdentities);
  const objects = openObjects(state);
  const files = toClose.adopt(await startObjectServer(objects, clock), (one) => one.close());
  planSchedules(schedules, resources);
  current.services = {
    targets: { AmazonSQS: sqsService(queues, server.url), secretsmanager: secrets.service },
    paths: {
      v2: mailbox.service,
      schedules: schedulerService(schedules, {
        hasGroup: (name) => resources.scheduleGroups.includes(name),
        hasTarget: (arn) => queues.find(arn) !== undefined,
      }),
    },
  };
  const empty = () => {
    for (const queue of queues.definitions) queues.purge(queue);
    mailbox.clear();
    objects.clear();
    schedules.removeAll();
    planSchedules(schedules, resources);
  };
  const parts = { resources, queues, schedules, secrets, mailbox, objects };
  return { url: server.url, ...parts, objectsUrl: files.url, aws: current.services, empty };
};

const sendTo = (queues: Queues, { targetArn, input }: Firing): void => {
  const queue = queues.find(targetArn);
  if (queue) queues.send(queue, { body: input });
};

/** A schedule that matches the template keeps its next time: what it missed while the stack was off is still due. */
const planSchedules = (schedules: Schedules, { schedules: wanted }: Resources): void => {
  for (const { name, request } of wanted) {
    const existing = schedules.get(request.GroupName, name);
    if (existing && isDeepStrictEqual({ ...existing, ...request }, existing)) continue;
    schedules.put(name, request);
  }
};
