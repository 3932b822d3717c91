import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { acsScript } from '../../sandbox/sandbox-acs-pages.ts';
import { sandboxScriptOperation } from './operation.ts';

export const handler = endpoint(sandboxScriptOperation, async () => acsScript, { headers: scriptHeaders });
