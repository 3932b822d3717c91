import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { linkMail } from '#accounts/auth/users/password-link.ts';
import type { AuditEntry } from '#core/platform/audit/audit.ts';
import { diversionMail } from '#core/platform/audit/diversion.ts';
import { createLetter, type Letter } from '#core/platform/mail/letter.ts';
import { writeLetter } from '#core/platform/mail/letter-text.ts';
import { hoursText, timeText } from '#core/platform/mail/letter-words.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { digestLetter } from '#disputes/alerts/digest/digest-letter.ts';
import { deadlineMail, newAlertMail } from '#disputes/alerts/outbox/alert-mail.ts';
import { mentionMail } from '#disputes/alerts/outbox/people-mail.ts';
import { alertTypes, blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { dashboardUrl, letterText } from '#test/support/letters.ts';
import { takePictures } from '#test/support/pictures.ts';
import { alertSite } from './support.ts';

const receivedAt = '2026-05-02T10:00:00.000Z';
const now = '2026-05-02T10:10:00.000Z';
const hostile =
  '<script>alert(1)</script><img src=x onerror=alert(2)>"\'><a href="https://evil.example">Refund</a>\u202e\r\nBcc: x@evil.example';

const anAlert = (change: Partial<ProviderAlert> = {}): Alert => {
  const providerAlert: ProviderAlert = {
    ...blankProviderAlert,
    ...{ provider: 'provider_a', caseId: 'A4IM9K2', type: 'DISPUTE', card: '411111xxxxxx1111' },
    ...{ transactionAt: '2026-04-30T08:15:00.000Z', descriptor: 'NORTHWIND*SHOP', amount: '361.56', currency: 'USD' },
    ...{ conditionCode: '13.1', conditionReason: 'Merchandise or services not received', issuerName: 'First Bank' },
    ...change,
  };
  return createAlert(1077048133386034, providerAlert, receivedAt, {
    site: alertSite(1, null),
    matchedDescriptor: 'SHOP',
  });
};

const securityNotice = diversionMail('Make a site an alert site, or change its settings', {
  ...{ id: 'a1', at: receivedAt, operation: 'merchants/set-alert-settings', by: 'ann@m1', scope: 'merchant' },
  ...{ mid: 1, sid: 7, username: null, sourceIp: '192.0.2.1', fields: ['alertapiurl', 'token'] },
} as unknown as AuditEntry);

describe('a letter', () => {
  it('states the deadline in the reader’s time zone, and in hours', () => {
    const letter = newAlertMail(anAlert());
    const berlin = letterText(letter, 'Europe/Berlin', now);
    expect(berlin.text).toMatch(/Answer by: +3 May 2026, 12:00 CEST \(23 h 50 min left\)/);
    expect(berlin.html).toContain('Answer by 3 May 2026, 12:00 CEST');
    expect(berlin.html).toContain('23 h 50 min left');
    expect(berlin.html).toContain('Times are in your time zone, Europe/Berlin.');
    expect(letterText(letter, 'America/New_York', now).text).toContain('3 May 2026, 06:00 GMT-4');
  });

  it('states UTC where no time zone was chosen, and where to choose one', () => {
    const { text, html } = letterText(newAlertMail(anAlert()), null, now);
    expect(text).toContain('3 May 2026, 10:00 UTC');
    expect(html).toContain('Times are in UTC. Choose your time zone');
  });

  it('observes daylight saving time', () => {
    expect(timeText('2026-03-29T00:59:00Z', 'Europe/Berlin')).toBe('29 Mar 2026, 01:59 CET');
    expect(timeText('2026-03-29T01:00:00Z', 'Europe/Berlin')).toBe('29 Mar 2026, 03:00 CEST');
  });

  it.each([
    [59 * 60_000, '59 min'],
    [60 * 60_000, '1 h'],
    [71.5 * 3_600_000, '71 h 30 min'],
    [200 * 3_600_000, '8 days'],
  ])('says %i ms as %s', (length, words) => {
    expect(hoursText(length)).toBe(words);
  });

  it('links to the alert in both parts, and has no link where the dashboard’s address is not known', () => {
    const letter = newAlertMail(anAlert());
    const { text, html } = letterText(letter, null, now);
    expect(text).toContain(`Open the alert: ${dashboardUrl}#/alerts/1077048133386034`);
    expect(html).toContain(`href="${dashboardUrl}#/alerts/1077048133386034"`);
    const without = writeLetter(letter, { zone: null, now }, null);
    expect(without.text + without.html).not.toMatch(/href|Open the alert/);
  });

  it.each(alertTypes)('names an alert of type %s by its noun, with the reason in words', (type) => {
    const { subject, text, html } = letterText(newAlertMail(anAlert({ type, conditionCode: '' })), null, now);
    const noun = {
      FRAUD: 'Fraud alert',
      DISPUTE: 'Dispute alert',
      CANCEL: 'Cancellation alert',
      DISPUTE_RDR: 'RDR decision',
      FRAUD_NOTICE: 'Fraud notice',
      DISPUTE_NOTICE: 'Dispute notice',
    }[type];
    expect(subject).toBe(`${noun}: 361.56 USD, NORTHWIND*SHOP`);
    expect(text.startsWith(`${noun.toUpperCase()}\n361.56 USD – `)).toBe(true);
    expect(html).toContain(`>${noun}<`);
    expect(subject + html).not.toContain(type);
  });

  it('says that the deadline has passed, and since when', () => {
    const letter = deadlineMail(anAlert(), 'pass');
    const { text, html } = letterText(letter, null, '2026-05-03T12:30:00.000Z');
    expect(text).toContain('(the deadline passed 2 h 30 min ago)');
    expect(html).toContain('The deadline passed 2 h 30 min ago');
  });

  it('escapes everything that comes from outside, wherever it is shown', () => {
    const alert = anAlert({
      descriptor: hostile,
      issuerName: hostile,
      conditionReason: hostile,
      conditionCode: hostile,
    });
    const letters: Letter[] = [
      newAlertMail(alert),
      deadlineMail(alert, 'warn'),
      mentionMail(alert, hostile, hostile),
      digestLetter({ open: [alert], hasMore: false, decided: [alert] }),
      createLetter({
        subject: hostile,
        kicker: hostile,
        heading: hostile,
        reason: hostile,
        lead: hostile,
        rows: [[hostile, hostile]],
      }),
    ];
    for (const letter of letters) {
      const { subject, text, html } = letterText(letter, null, now);
      expect(html).not.toMatch(/<(?:script|img)|<a href="https:\/\/evil|\son\w+=(?!alert)|\u202e/);
      const items = (letter.sections ?? []).flatMap((section) => section.items);
      expect(html.match(/<a /g)?.length ?? 0).toBe(items.length + (letter.link ? 1 : 0));
      expect(subject).not.toMatch(/[\r\n]/);
      expect(text).not.toMatch(/^Bcc:/m);
    }
  });
});

it('letters link to screens that the dashboard has', () => {
  const routes = readFileSync('lib/dashboard/app/routes.tsx', 'utf8');
  const screens = [...routes.matchAll(/path: '(\/[^']*)'/g)].map(([, path = '']) => path.replace(/:\w+/g, ':id'));
  const sources = readdirSync('functions', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const links = sources.flatMap((file) =>
    [...readFileSync(`functions/${file}`, 'utf8').matchAll(/path: ['`]#(\/[^'`]+)['`]/g)].map(([, path = '']) =>
      path.replace(/\$\{[^}]+\}/g, ':id'),
    ),
  );
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((link) => !screens.includes(link.split('?')[0] ?? ''))).toEqual([]);
});

describe('the e-mail with a link to set a password', () => {
  const link = { baseUrl: 'https://forewarn.example', token: 'a-token', expiresAt: '2026-05-03T10:00:00.000Z' };

  it('has the link in both parts, and states in the user’s time zone until when it is valid', () => {
    const { subject, text, html } = linkMail(link, { username: 'ann@m1', zone: 'Europe/Berlin' }, now);
    expect(subject).toBe('Set your password for Forewarn');
    expect(text).toContain(`Set your password: ${dashboardUrl}#/set-password?token=a-token`);
    expect(html).toContain(`href="${dashboardUrl}#/set-password?token=a-token"`);
    for (const part of [text, html]) {
      expect(part).toContain('3 May 2026, 12:00 CEST');
      expect(part).toContain('ann@m1');
    }
    expect(linkMail(link, { username: 'ann@m1' }, now).text).toContain('3 May 2026, 10:00 UTC');
  });
});

describe('a security notice', () => {
  it('says who changed what, when in the reader’s time zone, and links to the audit log', () => {
    const { subject, text } = letterText(securityNotice, 'Asia/Tokyo', now);
    expect(subject).toBe('Security notice: Make a site an alert site, or change its settings');
    expect(text).toMatch(/Changed by: +ann@m1/);
    expect(text).toMatch(/Time: +2 May 2026, 19:00 GMT\+9/);
    expect(text).toMatch(/Fields: +alertapiurl, token/);
    expect(text).toContain(`Open the audit log: ${dashboardUrl}#/audit`);
  });
});

const decided: Alert = { ...anAlert({ amount: '35.00' }), status: 'DECLINED', action: 'DECLINED' };

/** Checks a page of an e-mail: it has no program, fetches nothing, and is not wider than the window. */
const findFaults = async (page: Page): Promise<string[]> => {
  const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  const active = await page.locator('script, img, iframe, form, link[rel=stylesheet]').count();
  return [...(Number(width) > 0 ? [`${width} pixels too wide`] : []), ...(active > 0 ? ['active content'] : [])];
};

describeInBrowser('the HTML of an e-mail', (open) => {
  const plain = {
    subject: 'Your card transactions',
    kicker: 'A shop',
    heading: 'Your card transactions',
    lead: 'These.',
  };
  const letters: readonly (readonly [name: string, letter: Letter, zone: string | null, now: string])[] = [
    ['new', newAlertMail(anAlert()), 'Europe/Berlin', now],
    ['soon', deadlineMail(anAlert(), 'warn'), null, '2026-05-03T06:00:00.000Z'],
    ['late', deadlineMail(anAlert(), 'pass'), 'America/New_York', '2026-05-03T12:30:00.000Z'],
    [
      'mention',
      mentionMail(
        anAlert({ test: true }),
        'Please call the customer, @bob.\nThe parcel was delivered on 2 May.',
        'Ann Lee',
      ),
      null,
      now,
    ],
    [
      'digest',
      digestLetter({ open: [anAlert({ type: 'FRAUD' }), anAlert()], hasMore: false, decided: [decided] }),
      'Europe/Berlin',
      '2026-05-03T06:00:00.000Z',
    ],
    [
      'hostile digest',
      digestLetter({
        open: [anAlert({ conditionCode: '', conditionReason: `${hostile} ${'x'.repeat(180)}` })],
        hasMore: true,
        decided: [],
      }),
      null,
      now,
    ],
    ['security', securityNotice, 'Asia/Tokyo', now],
    [
      'card list',
      { ...createLetter({ ...plain, rows: [['2026-05-02 12:00 UTC', '10.00 USD, payment done']] }), forPayer: true },
      null,
      now,
    ],
    ['hostile', newAlertMail(anAlert({ descriptor: `${hostile} ${'x'.repeat(180)}`, issuerName: hostile })), null, now],
  ];

  it.each(letters)(
    'shows “%s” at 390 and 1280 pixels in both themes, complete and without active content',
    async (name, letter, zone, at) => {
      const { page, outside, errors } = await open();
      const { html } = letterText(letter, zone, at);
      await page.setContent(html);
      await takePictures(page, `mail-${name}`);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findFaults(page)).toEqual([]);
      }
      await page.getByText(letter.heading, { exact: true }).waitFor();
      const backgroundOf = () => page.evaluate('getComputedStyle(document.querySelector(".sheet")).backgroundColor');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await backgroundOf()).toBe('rgb(255, 255, 255)');
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await backgroundOf()).toBe('rgb(17, 26, 27)');
      expect([...outside, ...errors]).toEqual([]);
    },
  );
});
