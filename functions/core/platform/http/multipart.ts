import type middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Refusal } from '../operation/errors.ts';
import { readBoundary } from './body.ts';

const maxFields = 50;

const invalidForm = () => new Refusal('request_invalid', 'body: must be a complete multipart form of text fields.');

/** The name in a part's headers; null for a file: none of our forms has one. */
const readPartName = (head: string): string | null => {
  const disposition = /\r\ncontent-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/i.exec(head)?.[1] ?? '';
  if (/;[ \t]*filename\*?=/i.test(disposition)) return null;
  const [, quoted, bare] = /;[ \t]*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  const name = quoted ?? bare;
  if (name === undefined) throw invalidForm();
  return name;
};

/** A whole form, in memory: names with their values, repeated names as a list. Throws request_invalid. */
export const readMultipart = (text: string, boundary: string): Record<string, string | string[]> => {
  const sections = `\r\n${text}`.split(`\r\n--${boundary}`).slice(1);
  const end = sections.findIndex((section) => section.startsWith('--'));
  if (end < 0 || end > maxFields) throw invalidForm();
  const fields = new Map<string, string[]>();
  for (const section of sections.slice(0, end)) {
    const headEnd = section.indexOf('\r\n\r\n');
    if (headEnd < 0 || !/^[ \t]*\r\n/.test(section)) throw invalidForm();
    const name = readPartName(section.slice(0, headEnd));
    if (name !== null) fields.set(name, [...(fields.get(name) ?? []), section.slice(headEnd + 4)]);
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  );
};

/**
 * Reads `multipart/form-data` (RFC 7578) for the operations that take it. Bodies are small and whole, so no stream is needed:
 * an error thrown in a stream's event would go uncaught and end the process.
 */
export const multipartParser = (): middy.MiddlewareObj<APIGatewayProxyEvent> => ({
  before: ({ event }) => {
    const boundary = readBoundary(event.headers['content-type']);
    if (boundary === undefined || event.body === null) return;
    Object.assign(event, { body: readMultipart(event.body, boundary) });
  },
});
