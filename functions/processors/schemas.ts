import * as v from 'valibot';
import { Id, Text } from '../core/schema.ts';
import { schemes } from '../core/schemes.ts';
import { Currency } from '../merchants/schemas.ts';
import { processorNames } from './processor.ts';

const mostRoutes = 20;
const withWebhooks = ['stripe', 'adyen', 'nmi', 'braintree'] as const;
const limitWords = 'must be a decimal such as 10.50, without separators, sign or exponent';
/** In the currency of whatever is paid. */
const Limit = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.string(), v.number()], limitWords),
      v.transform(String),
      v.regex(/^(?:0|[1-9]\d{0,14})(?:\.\d{1,4})?$/, limitWords),
    ),
  ),
  null,
);

/** Absent, null and empty: all. */
const Some = <S extends v.GenericSchema>(one: S, words: string) =>
  v.pipe(
    v.optional(v.nullable(v.pipe(v.array(one, words), v.maxLength(200, 'must have at most 200 entries'))), null),
    v.transform((list) => (list === null || list.length === 0 ? null : [...new Set(list)])),
  );

const Scheme = v.picklist(schemes, `must be one of ${schemes.join(', ')}`);

const RouteBody = v.object({
  id: v.optional(Text(40)),
  processor: v.picklist(processorNames, `must be one of ${processorNames.join(', ')}`),
  credentials: v.optional(v.record(v.string(), v.unknown(), 'must be an object')),
  schemes: Some(Scheme, 'must be a list of card schemes'),
  currencies: Some(Currency, 'must be a list of currency codes'),
  min: Limit,
  max: Limit,
});

export const ProcessorsBody = v.object({
  routes: v.pipe(
    v.array(RouteBody, 'must be a list of routes'),
    v.maxLength(mostRoutes, `must have at most ${mostRoutes} routes`),
  ),
});

const RouteReply = v.object({
  id: v.string(),
  processor: v.picklist(processorNames),
  schemes: v.nullable(v.array(v.string())),
  currencies: v.nullable(v.array(v.string())),
  min: v.nullable(v.string()),
  max: v.nullable(v.string()),
});

export const ProcessorsSaved = v.object({
  status: v.literal('ok'),
  sid: v.number(),
  routes: v.array(RouteReply),
});

/** Of the credentials only whose they are: names and last characters. */
const Masked = v.record(v.string(), v.string());

export const ProcessorsShown = v.object({
  sid: v.number(),
  routes: v.array(v.object({ ...RouteReply.entries, credentials: Masked })),
  retired: v.array(v.object({ id: v.string(), processor: v.picklist(processorNames), credentials: Masked })),
  uses_sandbox: v.boolean(),
});

export const WebhookPath = v.object({
  processor: v.picklist(withWebhooks, `must be one of ${withWebhooks.join(', ')}`),
  sid: Id,
});

export const PagePath = v.object({ id: v.pipe(v.string(), v.maxLength(100)) });
export const PageAnswer = v.object({
  answer: v.picklist(['approve', 'decline'], 'must be approve or decline'),
});
