/**
 * The device snippet: a token of the payer's device for the order that is paid, as evidence in disputes (Compelling Evidence 3.0, First-Party
 * Trust). It keeps one random identifier in the shop's own storage, sets no cookie, and sends nothing: the shop sends the token with the order.
 */

const storageKey = 'forewarn_device';

const isId = (text: string | null): text is string => /^[\da-f-]{36}$/.test(text ?? '');

/** The identifier of this browser at this shop; null where it may not be kept, as it would differ next time. */
const deviceId = (): string | null => {
  try {
    const known = localStorage.getItem(storageKey);
    if (isId(known)) return known;
    const made = crypto.randomUUID();
    localStorage.setItem(storageKey, made);
    return localStorage.getItem(storageKey) === made ? made : null;
  } catch {
    return null;
  }
};

/** A hash of what stays the same for a device: no fonts, no canvas, no plugins. Null without HTTPS. */
const fingerprint = async (): Promise<string | null> => {
  const { platform, languages, hardwareConcurrency, maxTouchPoints } = navigator;
  const { width, height, colorDepth } = screen;
  const sides = [width, height].sort((one, other) => one - other);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const parts = [platform, languages, hardwareConcurrency, maxTouchPoints, sides, colorDepth, zone];
  const bytes = await crypto.subtle?.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return bytes ? [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('') : null;
};

/** FNV-1a: shows that a token was cut off, and nothing else. */
const checksum = (text: string): string => {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ letter.charCodeAt(0), 0x01000193) >>> 0;
  return sum.toString(16).padStart(8, '0');
};

const base64url = (text: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** The token of this device. `reference`: the shop's number of the order, if it is known yet; the token is then of that order alone. */
const token = async (reference?: string): Promise<string> => {
  const [i, f] = [deviceId(), await fingerprint().catch(() => null)];
  const u = navigator.userAgent.slice(0, 500);
  const body = base64url(JSON.stringify({ i, f, u, ...(reference && { r: reference }) }));
  return `fwd1.${body}.${checksum(body)}`;
};

/** Removes the identifier: the payer has objected to it. */
const forget = (): void => {
  try {
    localStorage.removeItem(storageKey);
  } catch {
    // Nothing was kept where nothing may be.
  }
};

/** Fills in `<input type="hidden" name="device_token" data-forewarn-device="ORDER-17">`. */
const fill = async (): Promise<void> => {
  for (const field of document.querySelectorAll<HTMLInputElement>('input[data-forewarn-device]'))
    field.value = await token(field.dataset['forewarnDevice']);
};

Object.assign(globalThis, { forewarnDevice: { token, forget, fill } });
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void fill());
else void fill();
