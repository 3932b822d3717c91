import * as v from 'valibot';
import { parseJson } from '#core/platform/http/json.ts';
import { secretText } from '#core/platform/secrets/secrets.ts';
import type { ProcessorApp } from '#payments/processors/ports/account.ts';
import type { GatewayKind } from '#payments/processors/ports/processors.ts';

const Text = v.pipe(v.string(), v.nonEmpty());
const App = v.object({ client_id: Text, secret_key: Text, base_url: v.optional(v.string()) });
const Apps = v.record(v.string(), v.unknown());

/** The operator's app at a processor, from the secret `processor-apps`; undefined if it has none there, as in a new stage. */
export const findProcessorApp = async (kind: GatewayKind): Promise<ProcessorApp | undefined> => {
  const apps = v.safeParse(Apps, parseJson((await secretText('processor-apps')) ?? ''));
  const app = v.safeParse(App, apps.success ? apps.output[kind] : undefined);
  return app.success ? app.output : undefined;
};
