import { keepSecrets } from './modules.ts';
import { setStage } from './setup.ts';

/** The stage of histories, in a process that is ready to tell them. */
export const stage = await setStage();
await keepSecrets();
