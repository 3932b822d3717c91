import * as v from 'valibot';
import { queueHandler } from '#core/platform/work/batch.ts';
import { DisputeLookMessage } from '#disputes/connections/dispute-look-due.ts';
import { SandboxDisputeMessage } from '#payments/processors/sandbox/sandbox-dispute-due.ts';
import { DisputeNoticeMessage } from '#payments/transactions/dispute/dispute-notice-due.ts';
import { ChargebackMessage } from '../../chargeback-due.ts';
import { lookAtConnection } from '../../look/dispute-news-flow.ts';
import { lookAtChargeback, lookAtNotice, lookAtSandbox } from '../../look/look-flow.ts';
import { beginMissingLooks } from '../../look/missing-looks-flow.ts';

const Message = v.union([
  DisputeNoticeMessage,
  ChargebackMessage,
  ...DisputeLookMessage.options,
  SandboxDisputeMessage,
]);

export const handler = queueHandler(Message, (message) => {
  if ('lookId' in message) return lookAtConnection(message.lookId);
  if ('chargebackId' in message) return lookAtChargeback(message.chargebackId);
  if ('looksAfter' in message) return beginMissingLooks(message.looksAfter);
  return 'noticeId' in message ? lookAtNotice(message.noticeId) : lookAtSandbox(message.sandboxDispute);
});
