import type { ThreeDsSettings } from '#accounts/merchants/site/site.ts';
import type { Authentication, Result } from '#payments/threeds/authentication/authentication.ts';
import type { BrowserData } from '#payments/threeds/payer/browser-data.ts';
import type { Ares, Rreq } from '#payments/threeds/server/three-ds-server.ts';
import { readSettings } from '#payments/threeds/three-ds-settings.ts';

/** The starting point of tests of authentications. */

export const siteSettings = {
  acquirerBin: '438309',
  acquirerMid: '00002000000',
  mcc: '5732',
  merchantCountryCode: 'DE',
  merchantName: 'Teehaus München',
  requestorName: 'Teehaus',
  requestorURL: 'https://shop.example.com',
};

export const stored = (
  settings: Readonly<Record<string, string | number>> = {},
  servicesettings: Readonly<Record<string, string | number>> = {},
  secrets: ThreeDsSettings['secrets'] = {},
): ThreeDsSettings => ({ settings: { ...siteSettings, ...settings }, servicesettings, secrets });

export const sandboxRules = { allowSandbox: true, allowLoopbackHttp: true };

export const browser: BrowserData = {
  javaEnabled: false,
  javascriptEnabled: true,
  language: 'de-CH',
  colorDepth: 24,
  screenHeight: 1080,
  screenWidth: 1920,
  timezone: -120,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Test',
};

export const transId = '6b91f61e-9e62-4f5c-ab8c-f1ffb84122cb';
export const at = '2026-05-02T10:11:12.000Z';
export const later = (seconds: number, from = at): string => new Date(Date.parse(from) + seconds * 1000).toISOString();

export const visa = { scheme: 'VISA', first6: '400010', last4: '2003', token: 'token-of-card' } as const;

export const created = (change: Partial<Authentication> = {}): Authentication => ({
  id: 1_001_002,
  sid: 7,
  mid: 3,
  rid: 4,
  status: 'created',
  outcome: null,
  reason: null,
  pageOrigin: 'https://shop.example.com',
  tid: null,
  money: { minor: '1050', currency: 'EUR' },
  settings: readSettings(stored(), sandboxRules),
  challengeInd: '01',
  exemption: 'none',
  payer: {
    firstName: 'Ada',
    lastName: 'Example',
    email: 'ada@example.com',
    phone: null,
    address: null,
    shipping: null,
    account: null,
  },
  card: null,
  server: null,
  challenge: null,
  result: null,
  createdAt: at,
  doneAt: null,
  nextCheckAt: null,
  starts: 0,
  attempts: 0,
  cards: [],
  clients: [],
  askingUntil: null,
  usedByTxid: null,
  version: 1,
  ...change,
});

export const ares = (change: Partial<Ares> = {}): Ares => ({
  transStatus: 'Y',
  transStatusReason: null,
  eci: '05',
  authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  dsTransId: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
  acsTransId: '43163cd0-c849-4924-82c1-7bec32b94881',
  acsUrl: null,
  authenticationType: null,
  cardholderInfo: null,
  challengeExemption: null,
  messageVersion: '2.2.0',
  ...change,
});

export const rreq = (change: Partial<Rreq> = {}): Rreq => ({
  transStatus: 'Y',
  transStatusReason: null,
  eci: '05',
  authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  dsTransId: '1cf815e5-cc85-436f-8e13-9f5e5aea731f',
  acsTransId: '43163cd0-c849-4924-82c1-7bec32b94881',
  authenticationType: '02',
  challengeCancel: null,
  cardholderInfo: null,
  messageVersion: '2.2.0',
  ...change,
});

/** The result of a challenge that was passed. */
export const authenticated: Result = {
  transStatus: 'Y',
  transStatusReason: null,
  aresTransStatus: 'C',
  challengeTransStatus: 'Y',
  eci: '05',
  messageVersion: '2.2.0',
  dsTransId: transId,
  acsTransId: transId,
  challengeCancel: null,
  authenticationType: '02',
  cardholderInfo: null,
  exemption: null,
  liabilityShift: true,
};
