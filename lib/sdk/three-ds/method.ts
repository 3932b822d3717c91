import { openFrame } from './frame-host.ts';
import type { Call } from './options.ts';

/** EMVCo: ten seconds from the post. */
const answerMilliseconds = 10_000;
/** A frame that cannot even be opened is waited for so long. */
const openMilliseconds = 5000;

/** Lets the issuer check the browser in an invisible frame. Y: it returned; N: it did not in time. */
export const runMethod = (call: Call, signal?: AbortSignal): Promise<'Y' | 'N'> =>
  new Promise((resolve) => {
    let timer = setTimeout(() => end('N'), openMilliseconds);
    const end = (how: 'Y' | 'N'): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      close();
      resolve(how);
    };
    const abort = (): void => end('N');
    const close = openFrame(call, 'method', {
      parent: document.body,
      title: '',
      heard: (signal) => {
        if (signal === 'done') return end('Y');
        clearTimeout(timer);
        timer = setTimeout(() => end('N'), answerMilliseconds);
      },
    });
    signal?.addEventListener('abort', abort);
  });
