import { log, metric } from '#core/platform/log/log.ts';
import { isKnownEvent } from './adyen-events.ts';
import type { AdyenMemory, AdyenNotice } from './adyen-webhook.ts';

/** Keeps what a webhook reported. An event that is not known here is kept as well, and raises an alarm: it may be about a dispute. */
export const rememberNotices = async (memory: AdyenMemory, notices: readonly AdyenNotice[]): Promise<void> => {
  await memory.remember(notices);
  for (const { eventCode, pspReference } of notices) {
    if (isKnownEvent(eventCode)) continue;
    log('error', 'adyen_event_unknown', { eventCode, pspReference });
    metric('UnknownDisputeStates', 1, 'Count');
  }
};
