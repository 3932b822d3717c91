import { readFonts } from './functions.ts';
import { keepSecrets } from './modules.ts';
import { previousRelease } from './previous/kept-handlers.ts';
import { setStage } from './setup.ts';

/** The stage of histories, in a process that is ready to tell them. */
export const stage = await setStage();
await keepSecrets();

const readPrevious = async () => {
  const previous = await previousRelease();
  const earlier = await setStage(previous);
  await keepSecrets(previous);
  await readFonts(previous);
  return { previous, earlier };
};

let reading: ReturnType<typeof readPrevious> | undefined;

/** The previous release, and the stage as it sets it. Loaded with the first history that has both releases. */
export const beforeRelease = (): ReturnType<typeof readPrevious> => {
  reading ??= readPrevious();
  return reading;
};
