import * as v from 'valibot';
import { issueWords } from '#core/kernel/schema/issues.ts';
import { parseJson } from '#core/platform/http/json.ts';
import { log } from '#core/platform/log/log.ts';
import { secretText } from '#core/platform/secrets/secrets.ts';
import type { ProcessorApp } from '#payments/processors/ports/account.ts';
import type { ConnectionKind } from '#payments/processors/ports/processors.ts';

const Text = v.pipe(v.string(), v.nonEmpty());
const App = v.object({ client_id: Text, secret_key: Text, base_url: v.optional(v.string()) });
const Apps = v.record(v.string(), v.unknown());

/** Returns the operator's app at a processor, from the secret `processor-apps`; undefined if there is none, or it cannot be used. */
export const findProcessorApp = async (kind: ConnectionKind): Promise<ProcessorApp | undefined> => {
  const apps = v.safeParse(Apps, parseJson((await secretText('processor-apps')) ?? ''));
  const entry = apps.success ? apps.output[kind] : undefined;
  if (entry === undefined) return undefined;
  const app = v.safeParse(App, entry);
  if (app.success) return app.output;
  log('error', 'processor_app_unusable', { kind, problem: issueWords(app.issues, kind).join('; ') });
  return undefined;
};
