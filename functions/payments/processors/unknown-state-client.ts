import { log, metric } from '#core/platform/log/log.ts';

/** Raises an alarm for each value that a processor names and this release does not know; known ones are certain, and nothing else is concluded from it. */
export const warnOfUnknownStates = (processor: string, values: readonly string[], known: readonly string[]): void => {
  for (const state of new Set(values.filter((value) => value !== '' && !known.includes(value)))) {
    log('error', 'processor_state_unknown', { processor, state: state.slice(0, 60) });
    metric('UnknownDisputeStates', 1, 'Count');
  }
};
