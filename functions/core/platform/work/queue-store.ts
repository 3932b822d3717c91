import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { maskBeforeWriting } from '#core/kernel/card/mask-values.ts';
import { nowIso } from '#core/kernel/clock.ts';
import { describeError, log } from '../log/log.ts';
import { requireVariable } from '../operation/environment.ts';
import { variableOfQueue } from '../operation/grants.ts';
import { clientSettings } from '../table/aws.ts';
import { delayUntil } from './delay.ts';
import type { Outgoing } from './due.ts';

const client = new SQSClient(clientSettings);
/** SQS's limit of messages in one call. These have a few hundred bytes, far below the limit of 256 KiB for ten. */
const perCall = 10;

type Numbered = { message: Outgoing; index: number };

/**
 * Sends messages, ten per call. Returns the positions of those that SQS did not take; never throws for them, so that the
 * caller can say which of its own input has to be redelivered.
 */
export const sendAll = async (messages: readonly Outgoing[]): Promise<ReadonlySet<number>> => {
  const numbered = messages.map((message, index) => ({ message, index }));
  const byQueue = Map.groupBy(numbered, ({ message }) => message.queue);
  const failed = await Promise.all([...byQueue.values()].flatMap((ofOne) => chunks(ofOne).map(sendChunk)));
  return new Set(failed.flat());
};

/** Sends messages, or throws if SQS did not take all of them. */
export const sendOrThrow = async (messages: readonly Outgoing[]): Promise<void> => {
  const failed = await sendAll(messages);
  if (failed.size > 0) throw new Error(`SQS did not take ${failed.size} of ${messages.length} messages`);
};

const sendChunk = async (chunk: readonly Numbered[]): Promise<number[]> => {
  const queue = chunk[0]?.message.queue;
  if (!queue) return [];
  const command = new SendMessageBatchCommand({
    QueueUrl: requireVariable(variableOfQueue(queue)),
    Entries: chunk.map(({ message }, id) => toSendEntry(message, id)),
  });
  try {
    const { Failed = [] } = await client.send(command);
    return Failed.flatMap(({ Id }) => chunk[Number(Id)]?.index ?? []);
  } catch (error) {
    log('error', 'send_failed', { queue, error: describeError(error) });
    return chunk.map(({ index }) => index);
  }
};

/** If a time is further ahead than a message can be delayed, the worker that receives the message sends it again. */
const toSendEntry = ({ body, at, group, ...given }: Outgoing, id: number): SendMessageBatchRequestEntry => {
  const { delaySeconds } = at === undefined ? given : delayUntil(at, nowIso());
  return {
    Id: String(id),
    MessageBody: JSON.stringify(maskBeforeWriting(body)),
    ...(delaySeconds && { DelaySeconds: delaySeconds }),
    ...(group !== undefined && { MessageGroupId: group }),
  };
};

const chunks = <T>(list: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(list.length / perCall) }, (_, index) =>
    list.slice(index * perCall, (index + 1) * perCall),
  );
