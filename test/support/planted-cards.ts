import { isFields } from '#core/kernel/is-object.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import { declaredFields } from './declared-fields.ts';
import { learn } from './secret-leak-scan.ts';
import type { TestStack } from './stack.ts';

/** Plants a card number in every field that an operation declares, and looks for it in everything that the service wrote and answered. */

/** A number of Visa's that no test uses otherwise. */
const card = '4929731468835707';
const groups = card.match(/.{4}/g) ?? [];

/** As people write it: alone, with what is printed next to it, and as a value of any name where a field accepts an object. */
const plants: readonly unknown[] = [card, `${groups.join(' ')} 12/30 731`, { note: `card ${groups.join('-')}` }];

type Fields = Record<string, unknown>;
/** A change of a right call. */
export type Planted = { field: string; params?: Fields; body?: Fields };

/** The same data with a value at a path, in which `*` is the first entry of a list. */
const withValueAt = (data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  if (name === '*') {
    const [first, ...others] = Array.isArray(data) ? data : [];
    return [withValueAt(first, rest, value), ...others];
  }
  const fields: Fields = isFields(data) ? data : {};
  return { ...fields, [name]: withValueAt(fields[name], rest, value) };
};

/** One call for each field of path, query and body, and each way to write the number. */
export const plantedCalls = ({ params, body }: Operation, right: { params: Fields; body: Fields }): Planted[] =>
  (['params', 'body'] as const).flatMap((part) =>
    declaredFields(part === 'params' ? params : body).flatMap(({ path }) =>
      plants
        .filter((plant) => part === 'body' || typeof plant === 'string')
        .map((plant) => ({
          field: `${part} ${path}`,
          // Callers of this function give objects, and a path begins with a name.
          [part]: withValueAt(right[part], path.split('.'), plant) as Fields,
        })),
    ),
  );

/** From now on the hunt through everything that the tests write looks for the number too. */
export const learnPlanted = (): void => learn(JSON.stringify({ card_no: card }));

/** Checks whether a text has the number, in digits of any script and with anything but letters and digits between them. */
export const holdsPlanted = (text: string): boolean =>
  text
    .normalize('NFKC')
    .replace(/\\[nrtu]|[^\p{L}\p{N}]/gu, '')
    .includes(card);

type Place = { place: string; text: string };

/**
 * All that leaves the gateway's requests: events of queues, streams and schedules, log lines, mails and webhooks. The authorizer's events
 * are part of the requests, because they contain the path.
 */
export const listPlaces = (service: TestStack): Place[] => [
  ...service.invocations.flatMap(({ function: { name }, event, result, error, logs }) => [
    ...(isFields(event) && ('httpMethod' in event || 'methodArn' in event)
      ? []
      : [{ place: `what ${name} was given`, text: JSON.stringify(event) }]),
    { place: `the answer of ${name}`, text: JSON.stringify(result ?? null) },
    { place: `the error of ${name}`, text: String(error?.stack ?? '') },
    ...logs.map((text) => ({ place: `a log line of ${name}`, text })),
  ]),
  { place: 'the mails', text: JSON.stringify(service.mails()) },
  { place: 'the webhooks', text: JSON.stringify(service.sinks.got('demo')) },
];

/** The requests as the gateway handed them over, in which the number must be found. */
export const listRequests = (service: TestStack): string[] =>
  service.invocations.flatMap(({ event }) => {
    if (!isFields(event) || !('httpMethod' in event)) return [];
    const { body, isBase64Encoded, ...rest } = event;
    const text =
      typeof body === 'string' ? Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8').toString() : '';
    return [`${JSON.stringify(rest)} ${decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'))}`];
  });
