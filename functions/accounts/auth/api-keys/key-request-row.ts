import * as v from 'valibot';
import { texts } from '#core/kernel/schema/shape-fields.ts';
import type { Item } from '#core/platform/table/item.ts';
import { keys } from '#core/platform/table/keys.ts';
import { defineRow } from '#core/platform/table/row.ts';
import { type KeyRequest, keyRequestEnd } from './key-request.ts';

/** In no list and not due: the table's stream feeds nothing with it. */
const KeyRequestRow = defineRow<KeyRequest>({
  entity: 'KEY_REQUEST',
  attribute: null,
  schema: v.looseObject({
    keyId: v.number(),
    ...texts('at', 'requestId', 'method', 'path'),
    ...{ status: v.number(), milliseconds: v.number() },
  }),
});

export const toKeyRequestItem = (request: KeyRequest): Item => ({
  ...keys.keyRequest(request.keyId, request.at, request.requestId),
  ...KeyRequestRow.stamp,
  ...request,
  ttl: keyRequestEnd(request.at),
});

export const fromKeyRequestItem = KeyRequestRow.read;

/** An entry as it is listed, names as on the wire. */
export const toKeyRequestDto = ({ at, requestId, method, path, status, milliseconds }: KeyRequest) => ({
  ...{ at, request_id: requestId, method, path, status, milliseconds },
});
