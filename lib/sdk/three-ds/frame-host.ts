import type { Call } from './options.ts';

/** The messages between the SDK's frames and the page; none of them is a result. */
export type Signal = { forewarn: '3ds'; id: string; kind: Kind; signal: 'posted' | 'done' };
export type Kind = 'method' | 'challenge';

/**
 * Opens our frame for an issuer, in `parent`. `heard` is called for its signals: those of our origin, from this frame and about
 * this authentication. Answers how to close it.
 */
export const openFrame = (
  call: Call,
  kind: Kind,
  { parent, title, heard }: { parent: Node; title: string; heard: (signal: Signal['signal']) => void },
): (() => void) => {
  const { origin } = new URL(call.base);
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'payment; publickey-credentials-get';
  if (kind === 'method') {
    frame.hidden = true;
    frame.tabIndex = -1;
  }
  const hear = ({ origin: from, source, data }: MessageEvent): void => {
    if (from !== origin || source !== frame.contentWindow) return;
    const { forewarn, id, kind: what, signal } = (data ?? {}) as Partial<Signal>;
    if (forewarn === '3ds' && id === call.id && what === kind && signal) heard(signal);
  };
  addEventListener('message', hear);
  frame.addEventListener('load', () => {
    frame.contentWindow?.postMessage({ forewarn: '3ds', id: call.id, client_token: call.token, kind }, origin);
  });
  frame.src = `${call.base}/3ds/frame`;
  parent.appendChild(frame);
  return () => {
    removeEventListener('message', hear);
    frame.remove();
  };
};
