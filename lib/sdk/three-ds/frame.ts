import type { Kind, Signal } from './frame-host.ts';

/**
 * The script of our frame. It is handed a client token by the page around it, asks the service what to post to the issuer, and
 * goes on only if the page is the one that the authentication is for.
 */
type Handed = { forewarn: '3ds'; id: string; client_token: string; kind: Kind };
type Post = { url: string; field: string; value: string; page_origin: string };

const isHanded = (data: unknown): data is Handed => {
  const { forewarn, id, client_token, kind } = (data ?? {}) as Partial<Handed>;
  return (
    forewarn === '3ds' &&
    /^[1-9]\d*$/.test(id ?? '') &&
    typeof client_token === 'string' &&
    (kind === 'method' || kind === 'challenge')
  );
};

const postInto = (frame: HTMLIFrameElement, { url, field, value }: Post): void => {
  const form = document.createElement('form');
  const input = document.createElement('input');
  Object.assign(input, { type: 'hidden', name: field, value });
  Object.assign(form, { method: 'post', action: url, target: frame.name, hidden: true });
  form.append(input);
  document.body.append(form);
  form.submit();
  form.remove();
};

const serve = async ({ id, client_token, kind }: Handed, page: string): Promise<void> => {
  const response = await fetch(`../api/v3/3ds/${id}/frame`, {
    method: 'POST',
    body: new URLSearchParams({ client_token, kind }),
    credentials: 'omit',
  });
  if (!response.ok) return;
  const post = (await response.json()) as Post;
  if (post.page_origin !== page) return;
  const tell = (signal: Signal['signal']): void =>
    parent.postMessage({ forewarn: '3ds', id, kind, signal } satisfies Signal, page);
  const frame = document.createElement('iframe');
  // Issuers open banking apps by schemes and windows of their own, so it has no `sandbox`.
  Object.assign(frame, { name: 'issuer', title: document.title, allow: 'payment *; publickey-credentials-get *' });
  Object.assign(frame.style, { border: '0', display: 'block', width: '100%', height: '100%' });
  for (const element of [document.documentElement, document.body]) {
    Object.assign(element.style, { margin: '0', height: '100%' });
  }
  document.body.append(frame);
  addEventListener('message', ({ origin, source, data }) => {
    const isOurs = origin === location.origin && source === frame.contentWindow;
    if (isOurs && data?.forewarn === '3ds' && data.signal === 'returned') tell('done');
  });
  postInto(frame, post);
  tell('posted');
};

let isServed = false;
addEventListener('message', ({ origin, source, data }) => {
  if (isServed || source !== parent || parent === self || !isHanded(data)) return;
  isServed = true;
  void serve(data, origin);
});
