import type { Told } from './history.ts';

/** The events by which a history broke an invariant, for people to read. */

/** Identifiers in the details of a violation: numbers of alerts and transactions, names of cases, orders and rows. */
const identifiers = /\d{6,}|\b(?:CASE\d+|order-\d+|(?:cb|cn|re|ch|pi)_\w+)/g;

/** Rows that follow from others. */
const derived = /wrote (?:COUNTED|INFORM|COUNT|DAY)#/;

/** A log line in a few words. */
const logWords = (line: string): string => {
  const [, json] = /^\s*log (\{.*\})$/.exec(line) ?? [];
  if (json === undefined) return line.trim();
  const { event, operation, status, error } = JSON.parse(json) as Record<string, unknown>;
  return `log ${[event, operation, status, error && JSON.stringify(error)].filter(Boolean).join(' ')}`;
};

const timePattern = /^(\S+Z) (.*)$/;

const shortLine = (line: string, begin: number): string => {
  const [, time = '', words = ''] = timePattern.exec(line) ?? [];
  const seconds = (Date.parse(time) - begin) / 1000;
  return `${`+${seconds.toFixed(3)} s`.padStart(16)}  ${logWords(words).slice(0, 200)}`;
};

/** Returns the story of a history that was traced: what broke, the faults it took, and what happened to those concerned. */
export const tellStory = ({ seed, profile, violations, trace }: Told, needed: readonly string[]): string[] => {
  const concerned = new Set(violations.flatMap(({ details }) => details.match(identifiers) ?? []));
  const places = needed.map((fault) => fault.split(' @ ')[1] ?? fault);
  const isTold = (line: string): boolean =>
    !derived.test(line) &&
    ([...concerned].some((one) => line.includes(one)) ||
      places.some((place) => line.includes(place)) ||
      line.includes('FAILED'));
  const begin = Date.parse(timePattern.exec(trace[0] ?? '')?.[1] ?? '');
  return [
    ...violations.map(({ invariant, details }) => `✗ ${invariant}: ${details}`),
    `npm run simulate -- --seed ${seed} --profile ${profile}`,
    '',
    needed.length > 0 ? 'It takes these faults:' : 'It takes no fault.',
    ...needed.map((fault) => `  ${fault}`),
    '',
    ...trace.filter(isTold).map((line) => shortLine(line, begin)),
  ];
};
