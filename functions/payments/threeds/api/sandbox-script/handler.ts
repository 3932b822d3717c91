import { endpoint } from '#core/platform/http/http.ts';
import { scriptHeaders } from '../../payer/frame-pages.ts';
import { acsScript } from '../../sandbox/sandbox-acs-pages.ts';
import { sandboxScript } from './operation.ts';

export const handler = endpoint(sandboxScript, async () => acsScript, { headers: scriptHeaders });
