import { useEffect, useRef } from 'preact/hooks';
import { minute } from '../app/clock.ts';
import { say } from '../app/messages.tsx';
import { translate } from '../language/translate.ts';

const hour = 3_600_000;
const warnings = [
  { within: hour, text: (id: number) => translate('Alert {id} is due in less than an hour.', { id }) },
  { within: 6 * hour, text: (id: number) => translate('Alert {id} is due in less than six hours.', { id }) },
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
    if (crossed) say(crossed.text(alertId), 'plain');
  }, [left]);
};
