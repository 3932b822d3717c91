import * as v from 'valibot';
import { Id } from '#core/kernel/schema/schema.ts';
import { gatewayKinds } from '#payments/processors/ports/processors.ts';

/** A merchant's connection as shown; its credentials only as far as they say whose account it is. */
export const ConnectionDto = v.object({
  id: v.string(),
  kind: v.picklist(gatewayKinds),
  label: v.string(),
  active: v.boolean(),
  sids: v.pipe(v.nullable(v.array(v.number())), v.description('The alert sites it is for; null: all of the merchant.')),
  credentials: v.record(v.string(), v.string()),
});

export const ConnectionPath = v.object({ mid: Id, id: v.pipe(v.string(), v.maxLength(40)) });
