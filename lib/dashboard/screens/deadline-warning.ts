import { useEffect, useRef } from 'preact/hooks';
import { minute } from '../app/clock.ts';
import { say } from '../app/messages.tsx';

const hour = 3_600_000;
const warnings = [
  { within: hour, words: 'in less than an hour' },
  { within: 6 * hour, words: 'in less than six hours' },
];

/** Says once, politely, when the answer to the alert that is looked at comes to be due within six hours, and within one. */
export const useDeadlineWarning = (alertId: number, deadline: string | null): void => {
  const now = minute.value;
  const left = deadline === null ? undefined : Date.parse(deadline) - now;
  const before = useRef<number | undefined>(undefined);
  useEffect(() => {
    const was = before.current;
    before.current = left;
    if (left === undefined || was === undefined || left <= 0) return;
    const crossed = warnings.find(({ within }) => left < within && was >= within);
    if (crossed) say(`Alert ${alertId} is due ${crossed.words}.`, 'plain');
  }, [left]);
};
