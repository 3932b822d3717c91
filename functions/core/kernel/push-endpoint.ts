import { ECDH } from 'node:crypto';
import { checkWebhookUrl, isLoopbackHost, type WebhookUrlRules } from './webhook-url.ts';

/** The push services of Chromium (also Edge on Android), Firefox, Edge on Windows, and Safari. */
const services = /(?:^|\.)(?:fcm\.googleapis\.com|push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com)$/;

/**
 * Checks whether an address is one of a browser's push service. Only these are called, and not any public address: a slow server of
 * one user would delay the e-mails of all.
 */
export const isPushEndpoint = (text: string, rules: WebhookUrlRules): boolean => {
  const checked = checkWebhookUrl(text, rules);
  if (!checked.ok) return false;
  const { hostname } = checked.url;
  return services.test(hostname) || (rules.allowLoopbackHttp && isLoopbackHost(hostname));
};

/** Checks whether a text is a browser's public key: a point of P-256 in base64url. */
export const isPushKey = (text: string): boolean => {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
};
