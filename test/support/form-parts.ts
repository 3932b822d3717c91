import type { FakeRequest } from './fake-processor.ts';

/** A part of a form; `file` and `type` are empty where it does not state them. */
export type FormPart = { name: string; file: string; type: string; content: string };

/** Returns the parts of a request that is sent as a form; undefined if it is none. */
export const formPartsOf = ({ headers, body }: FakeRequest): readonly FormPart[] | undefined => {
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  return boundary === undefined
    ? undefined
    : body.split(`--${boundary}`).flatMap((part) => {
        const [head = '', ...content] = part.split('\r\n\r\n');
        const name = / name="([^"]+)"/.exec(head)?.[1];
        if (name === undefined) return [];
        const type = /content-type: (\S+)/i.exec(head)?.[1] ?? '';
        const file = / filename="([^"]+)"/.exec(head)?.[1] ?? '';
        return [{ name, file, type, content: content.join('\r\n\r\n').replace(/\r\n$/, '') }];
      });
};
