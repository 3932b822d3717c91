import { queueHandler } from '#core/platform/work/batch.ts';
import { ChargebackMessage } from '#core/platform/work/messages.ts';
import { lookAtChargeback, lookAtNotice, lookAtSandbox } from '../../look/look-flow.ts';
import { beginMissingLooks } from '../../look/missing-looks-flow.ts';
import { lookAtConnection } from '../../look/news-flow.ts';

export const handler = queueHandler(ChargebackMessage, (message) => {
  if ('lookId' in message) return lookAtConnection(message.lookId);
  if ('chargebackId' in message) return lookAtChargeback(message.chargebackId);
  if ('looksAfter' in message) return beginMissingLooks(message.looksAfter);
  return 'noticeId' in message ? lookAtNotice(message.noticeId) : lookAtSandbox(message.sandboxDispute);
});
