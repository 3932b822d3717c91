/** The payer's browser as issuers want to know it. Pure. */

/** `timeZoneOffset`: minutes between UTC and the payer's time, negative in the east, as JavaScript's getTimezoneOffset returns it. */
export type PayerBrowser = {
  acceptHeader: string;
  colorDepth: number;
  javaEnabled: boolean;
  javaScriptEnabled: boolean;
  language: string;
  screenHeight: number;
  screenWidth: number;
  timeZoneOffset: number;
  userAgent: string;
};

type Sent = Readonly<Record<string, unknown>>;

/** The names of our SDK first, then those of EMVCo and in snake case. */
const names = {
  acceptHeader: ['acceptHeader', 'browserAcceptHeader', 'accept_header', 'accept'],
  userAgent: ['userAgent', 'browserUserAgent', 'user_agent'],
  language: ['language', 'browserLanguage', 'browser_language'],
  colorDepth: ['colorDepth', 'browserColorDepth', 'color_depth'],
  screenHeight: ['screenHeight', 'browserScreenHeight', 'screen_height'],
  screenWidth: ['screenWidth', 'browserScreenWidth', 'screen_width'],
  timeZoneOffset: ['timezone', 'timeZoneOffset', 'browserTZ', 'timezone_offset'],
  javaEnabled: ['javaEnabled', 'browserJavaEnabled', 'java_enabled'],
  javaScriptEnabled: ['javascriptEnabled', 'javaScriptEnabled', 'browserJavascriptEnabled', 'javascript_enabled'],
} as const;

const valueAt = (sent: Sent, name: keyof typeof names): unknown =>
  names[name].map((key) => sent[key]).find((value) => value !== undefined && value !== null && value !== '');
const textAt = (sent: Sent, name: keyof typeof names): string | undefined => {
  const value = valueAt(sent, name);
  return typeof value === 'string' ? value.slice(0, 2048) : undefined;
};
const wholeAt = (sent: Sent, name: keyof typeof names): number | undefined => {
  const value = valueAt(sent, name);
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^-?\d{1,6}$/.test(text) ? Number(text) : undefined;
};

/** Reads the browser in `device_info`, flat or in its field `browser`; null unless it is described completely. */
export const readPayerBrowser = (device: Sent | null): PayerBrowser | null => {
  const inner = device?.['browser'];
  const sent: Sent = typeof inner === 'object' && inner !== null ? { ...device, ...inner } : (device ?? {});
  const [userAgent, language] = [textAt(sent, 'userAgent'), textAt(sent, 'language')];
  const [colorDepth, timeZoneOffset] = [wholeAt(sent, 'colorDepth'), wholeAt(sent, 'timeZoneOffset')];
  const [screenHeight, screenWidth] = [wholeAt(sent, 'screenHeight'), wholeAt(sent, 'screenWidth')];
  if (userAgent === undefined || language === undefined || colorDepth === undefined) return null;
  if (timeZoneOffset === undefined || screenHeight === undefined || screenWidth === undefined) return null;
  return {
    acceptHeader: textAt(sent, 'acceptHeader') ?? '*/*',
    ...{ colorDepth, language, screenHeight, screenWidth, timeZoneOffset, userAgent },
    javaEnabled: String(valueAt(sent, 'javaEnabled')) === 'true',
    javaScriptEnabled: String(valueAt(sent, 'javaScriptEnabled') ?? true) === 'true',
  };
};
