import * as v from 'valibot';
import { AwsError, type AwsService, parseInput } from './aws-server.ts';
import { ScheduleName, ScheduleRequest, type Schedules } from './schedules.ts';

/** The facts about the rest of the stack that the service must know to refuse what AWS would refuse. */
export type SchedulerWorld = { hasGroup(name: string): boolean; hasTarget(arn: string): boolean };

/**
 * EventBridge Scheduler's calls on schedules.
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_Operations.html
 */
export const schedulerService =
  (schedules: Schedules, { hasGroup, hasTarget }: SchedulerWorld): AwsService =>
  ({ method, path, query, body }) => {
    const name = parseInput(ScheduleName, path[1]);
    const group =
      query.get('groupName') ?? parseInput(v.object({ GroupName: v.optional(v.string(), 'default') }), body).GroupName;
    if (!hasGroup(group))
      throw new AwsError('ResourceNotFoundException', `Schedule group ${group} does not exist.`, 404);
    const existing = schedules.get(group, name);
    const answer = { ScheduleArn: `arn:aws:scheduler:local:000000000000:schedule/${group}/${name}` };
    if (method === 'POST') {
      if (existing) throw new AwsError('ConflictException', `Schedule ${name} already exists.`, 409);
      put(schedules, name, body, hasTarget);
      return answer;
    }
    if (!existing) throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
    if (method === 'GET') return { ...existing, Arn: answer.ScheduleArn };
    if (method === 'PUT') {
      put(schedules, name, body, hasTarget);
      return answer;
    }
    if (method === 'DELETE') return void schedules.remove(group, name);
    throw new AwsError('UnknownOperationException', `The scheduler does not answer ${method}.`, 404);
  };

const put = (schedules: Schedules, name: string, body: unknown, hasTarget: (arn: string) => boolean): void => {
  const request = parseInput(ScheduleRequest, body);
  if (!hasTarget(request.Target.Arn)) {
    throw new AwsError('ValidationException', `The local stack has no queue ${request.Target.Arn}.`);
  }
  if (schedules.put(name, request)) return;
  throw new AwsError('ValidationException', `Invalid Schedule Expression ${request.ScheduleExpression}.`);
};
