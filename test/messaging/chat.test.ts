import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Site, sealContext } from '#accounts/merchants/site/site.ts';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { type KeyRing, seal } from '#core/kernel/crypto.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, transact } from '#core/platform/table/table.ts';
import { sendAll } from '#core/platform/work/queue-store.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { newAlertNotificationWrites } from '#disputes/alerts/outbox/alert-notification-row.ts';
import { chatBody } from '#disputes/alerts/outbox/chat.ts';
import { blankProviderAlert } from '#disputes/providers/provider-alert.ts';
import { chatDeliveryId, newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { deliveryDue } from '#messaging/webhooks/delivery/delivery-due.ts';
import { fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { getDelivery } from '#messaging/webhooks/delivery/delivery-store.ts';
import { deliveryDetailsForCaller } from '#messaging/webhooks/delivery-details-store.ts';
import { handler } from '#messaging/webhooks/jobs/deliver/handler.ts';
import { prepareRequest } from '#messaging/webhooks/request-store.ts';
import { type Behaviour, type Receiver, respond, startReceiver } from '#test/support/hostile-receiver.ts';
import { letterText } from '#test/support/letters.ts';
import { useTable } from '#test/support/table.ts';
import { patiently } from '#test/support/wait-options.ts';
import { alertSite, clockAt, fakeQueues, signingSecret, sqsEvent, token } from './support.ts';

useTable();
const queues = fakeQueues();

const receivedAt = '2026-05-02T10:00:00.000Z';
const secretPath = '/services/T000/B000/aSecretOfTheChannel';
const ring: KeyRing = { current: 'k1', keys: { k1: 'a key for tests' } };

let merchant: Receiver;
let chat: Receiver;
let answer: Behaviour;
beforeAll(async () => {
  merchant = await startReceiver(respond(204));
  chat = await startReceiver((socket, request) => answer(socket, request));
  process.env['DASHBOARD_URL'] = 'https://forewarn.example/dashboard';
});
afterAll(async () => {
  delete process.env['DASHBOARD_URL'];
  await Promise.all([merchant, chat].map((one) => one[Symbol.asyncDispose]()));
});
beforeEach(() => {
  answer = respond(200, 'ok');
  clockAt(receivedAt);
  queues.sent.length = 0;
});

const chatUrl = () => `http://127.0.0.1:${chat.port}${secretPath}`;

/** A site whose webhooks work, and which is notified in both chats. */
const siteWithChats = (sid: number): Site => {
  const sealed = (setting: string) => ({
    sealed: seal(ring, sealContext.chat(sid, setting), chatUrl()),
    validUntil: null,
    host: `127.0.0.1:${chat.port}`,
  });
  const change = {
    slack_webhook_url: sealed('slack_webhook_url'),
    teams_webhook_url: sealed('teams_webhook_url'),
    alert_email: ['analyst@shop.example'],
  };
  return alertSite(sid, merchant.url, change);
};

const chatAlert = (alertId: number, site: Site, change: object = {}): Alert => {
  const providerAlert = {
    ...blankProviderAlert,
    ...{ provider: 'provider_a' as const, caseId: `case-${alertId}`, type: 'FRAUD' as const },
    ...{
      transactionAt: '2026-05-01T00:00:00.000Z',
      amount: '12.50',
      currency: 'USD',
      card: '411111xxxxxx1111',
      descriptor: 'DEMO SHOP',
    },
    ...change,
  };
  return createAlert(alertId, providerAlert, receivedAt, { site, matchedDescriptor: '' });
};

/** Writes a new alert as intake does, with all notifications of its site. */
const receive = async (alertId: number, site = siteWithChats(alertId), change: object = {}): Promise<Alert> => {
  const alert = chatAlert(alertId, site, change);
  await putItem(toSiteItem(site));
  await transact({
    rows: [{ Put: { Item: toAlertItem(alert) } }, ...newAlertNotificationWrites(alert, site, receivedAt)],
  });
  return alert;
};

const toMessage = (deliveryId: string, sid: number, slot = receivedAt) => ({ deliveryId, sid, slot });
const attempt = (alertId: number, kind: 'slack' | 'teams', slot?: string) =>
  handler(sqsEvent([toMessage(chatDeliveryId(alertId, kind), alertId, slot)]));
const deliveryNow = async (alertId: number, kind: 'slack' | 'teams') => {
  const delivery = await getDelivery(chatDeliveryId(alertId, kind));
  if (!delivery) throw new Error('there is no such delivery');
  return delivery;
};
const lastPost = () => {
  const request = chat.requests.at(-1);
  if (!request) throw new Error('nothing was posted');
  return { ...request, json: JSON.parse(request.body) };
};

describe('a new alert', () => {
  it('creates a message for each chat of its site, in addition to the webhook and the e-mail', async () => {
    const site = siteWithChats(1);
    const writes = newAlertNotificationWrites(chatAlert(1, site), site, receivedAt);
    const deliveries = writes.flatMap(({ Put }) =>
      Put?.Item?.['entity'] === 'DELIVERY' ? [fromDeliveryItem(Put.Item)] : [],
    );
    expect(deliveries.map(({ id, kind, state }) => [id, kind, state])).toEqual([
      ['ntf_1', 'new_alert', 'PENDING'],
      ['ntf_1_slack', 'slack', 'PENDING'],
      ['ntf_1_teams', 'teams', 'PENDING'],
    ]);
    const without = alertSite(1, merchant.url);
    expect(newAlertNotificationWrites(chatAlert(1, without), without, receivedAt)).toHaveLength(1);
  });

  it('comes to Slack as blocks of plain text, with what an analyst needs', async () => {
    await receive(2);
    clockAt('2026-05-02T10:10:00.000Z');
    await attempt(2, 'slack');
    expect(lastPost()).toMatchObject({ path: secretPath, headers: { 'content-type': 'application/json' } });
    expect(lastPost().json).toEqual({
      text: 'Fraud alert: 12.50 USD, Cardholder denies purchase, ends in 1111, DEMO SHOP, 23 h 50 min left',
      mrkdwn: false,
      unfurl_links: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Fraud alert: 12.50 USD', emoji: false } },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: '23 h 50 min left. Answer by ', style: { bold: true } },
                {
                  type: 'date',
                  timestamp: Date.parse('2026-05-03T10:00:00Z') / 1000,
                  format: '{date_short_pretty} at {time}',
                  fallback: '3 May 2026, 10:00 UTC',
                  style: { bold: true },
                },
              ],
            },
          ],
        },
        {
          type: 'section',
          fields: [
            'Reason\nCardholder denies purchase',
            'Amount\n12.50 USD',
            'Card\nends in 1111',
            'Descriptor\nDEMO SHOP',
            'What to do\nfind the transaction, then refund it or decline',
            'Site\nShop',
            'Alert\n2',
          ].map((text) => ({ type: 'plain_text', text, emoji: false })),
        },
        {
          type: 'actions',
          elements: [
            {
              type: 'button',
              text: { type: 'plain_text', text: 'Open the alert', emoji: false },
              url: 'https://forewarn.example/dashboard#/alerts/2',
            },
          ],
        },
      ],
    });
    expect(await deliveryNow(2, 'slack')).toMatchObject({
      state: 'DELIVERED',
      attempts: [{ status: 200, error: null }],
    });
  });

  it('comes to Teams as an Adaptive Card of text runs', async () => {
    answer = respond(202, '');
    await receive(3);
    await attempt(3, 'teams');
    const { type, attachments } = lastPost().json;
    expect([type, attachments[0].contentType]).toEqual(['message', 'application/vnd.microsoft.card.adaptive']);
    const { body, actions, type: card, version } = attachments[0].content;
    expect([card, version]).toEqual(['AdaptiveCard', '1.4']);
    expect(body.map(({ type: block }: { type: string }) => block)).toEqual([
      ...['RichTextBlock', 'TextBlock'],
      ...Array(7).fill('RichTextBlock'),
    ]);
    expect(body[1].text).toBe(
      '24 h left. Answer by {{DATE(2026-05-03T10:00:00Z,SHORT)}} at {{TIME(2026-05-03T10:00:00Z)}}',
    );
    expect(body[5].inlines.map(({ text }: { text: string }) => text)).toEqual(['Descriptor: ', 'DEMO SHOP']);
    expect(actions).toEqual([
      { type: 'Action.OpenUrl', title: 'Open the alert', url: 'https://forewarn.example/dashboard#/alerts/3' },
    ]);
    expect((await deliveryNow(3, 'teams')).state).toBe('DELIVERED');
  });

  it("has no link where the dashboard's address is not configured", () => {
    const alert = chatAlert(4, siteWithChats(4));
    for (const kind of ['slack', 'teams'] as const)
      expect(chatBody(kind, alert, { at: receivedAt, dashboard: null })).not.toMatch(/Open the alert|"url"/);
  });

  it('reports in a late message that it was already answered or has passed its deadline', () => {
    const alert = chatAlert(5, siteWithChats(5));
    const late = chatBody('slack', alert, { at: '2026-05-04T10:00:00.000Z', dashboard: null });
    expect(late).toMatch(/The deadline passed 24 h ago\. It was .*3 May 2026, 10:00 UTC/);
    const done = chatBody(
      'slack',
      { ...alert, status: 'RESOLVED', action: 'RESOLVED' },
      { at: receivedAt, dashboard: null },
    );
    expect(done).toContain('nothing: the alert is answered');
    expect(done).not.toMatch(/Answer by|rich_text/);
  });
});

/** Every text of a message that is not of type `plain_text`, a text run or the text next to a structured date. */
const markupIn = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(markupIn);
  const { type, text, ...rest } = value as { type?: unknown; text?: unknown };
  const own = typeof text === 'string' && type !== 'plain_text' && type !== 'TextRun' && type !== 'text' ? [text] : [];
  return [...own, ...(typeof text === 'object' ? markupIn(text) : []), ...Object.values(rest).flatMap(markupIn)];
};

describe('what an issuer writes as descriptor', () => {
  const descriptors = [
    '<!channel> <https://evil.example|Refund here> <@U0>',
    '*bold* _i_ ~s~ `c` &lt;!here&gt; [link](https://evil.example) **b** <at>all</at>',
    ':rotating_light: line\r\nbreak \u202eright to left',
    `4111111111111111 ${'x'.repeat(400)}`,
  ];

  it.each(descriptors)('is text and nothing else: %j', (descriptor) => {
    const alert = chatAlert(6, siteWithChats(6), { descriptor });
    for (const kind of ['slack', 'teams'] as const) {
      const body = chatBody(kind, alert, { at: receivedAt, dashboard: 'https://forewarn.example/dashboard' });
      expect(body).not.toMatch(/[<>\u202e]|\\r/);
      expect(body).not.toContain('4111111111111111');
      const [first, ...others] = markupIn(JSON.parse(body));
      expect(others).toEqual([]);
      const isOwn = first?.startsWith('24 h left. Answer by {{DATE(') === true;
      expect(isOwn).toBe(kind === 'teams');
      const summary = isOwn ? undefined : first;
      expect(summary ?? '').not.toMatch(/[*_~`]|&(?!amp;)/);
      const longest = Math.max(...[...body.matchAll(/"text":"([^"]*)"/g)].map(([, text = '']) => text.length));
      expect(longest).toBeLessThanOrEqual(kind === 'slack' && summary ? 400 : 170);
    }
  });
});

describe("a chat's address", () => {
  it('is nowhere to be read: neither in the delivery nor in its reply, its request, its details or the log', async () => {
    answer = (socket, request) => respond(200, `you called ${chatUrl()} or ${request.path}`)(socket, request);
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => Boolean(lines.push(String(line))));
    await receive(7);
    await attempt(7, 'slack').finally(() => spy.mockRestore());
    const delivery = await deliveryNow(7, 'slack');
    const caller = { scope: 'merchant', subject: 'demo', mid: 1 } as never;
    const [details, request] = [
      await deliveryDetailsForCaller(delivery.id, caller),
      await prepareRequest(delivery, receivedAt),
    ];
    expect(lines.join('')).toContain('delivery_attempt');
    expect(JSON.stringify([delivery, details, request, lines])).not.toContain('aSecretOfTheChannel');
    expect(details.url).toBe(`http://127.0.0.1:${chat.port}/…`);
    expect(request).toMatchObject({ url: details.url, token_set: false, body: details.body });
    expect(details.attempts[0]?.response).toBe('you called [redacted] or [redacted]');
  });

  it('is nowhere to be read by its parts either, as they are or decoded', async () => {
    const parts = (path: string) => [...path.split(/[/?&=]/), decodeURIComponent(path)].join(' nor ');
    answer = (socket, request) => respond(404, `there is neither ${parts(request.path)}`)(socket, request);
    await receive(78);
    await attempt(78, 'slack');
    const [made] = (await deliveryNow(78, 'slack')).attempts;
    expect(made?.response).toMatch(/^there is neither /);
    expect(made?.response).not.toContain('aSecretOfTheChannel');
  });

  it("gets nothing of the site's: no signature and no token", async () => {
    await receive(8);
    await attempt(8, 'slack');
    const { headers, body } = lastPost();
    expect(Object.keys(headers).filter((name) => /^(webhook|authorization)/.test(name))).toEqual([]);
    expect(JSON.stringify([headers, body])).not.toMatch(new RegExp(`${token}|${signingSecret.slice(6)}`));
  });
});

describe('a chat that does not work', () => {
  it('is tried again soon, for a day, and the merchant is notified', async () => {
    answer = respond(404, 'no_service');
    await receive(9);
    let next: string | null = receivedAt;
    const slots: string[] = [];
    while (next !== null) {
      slots.push(next);
      clockAt(next);
      await attempt(9, 'slack', next);
      next = (await deliveryNow(9, 'slack')).nextAttemptAt;
    }
    expect(slots.slice(0, 6).map((slot) => slot.slice(11, 16))).toEqual([
      '10:00',
      '10:01',
      '10:05',
      '10:10',
      '10:30',
      '11:30',
    ]);
    expect(slots.at(-1)).toBe('2026-05-03T09:30:00.000Z');
    expect(await deliveryNow(9, 'slack')).toMatchObject({ state: 'EXPIRED' });
    const halfDay = Math.floor(Date.parse('2026-05-02T10:30:00Z') / 43_200_000);
    const mail = await getItem(keys.mail(`eml_failing_chat_9_${halfDay}`));
    expect(mail && fromMailItem(mail)).toMatchObject({ to: ['analyst@shop.example'], kind: 'notification_failing' });
    expect(mail && letterText(fromMailItem(mail).letter).text).toMatch(/Kind: +slack[\s\S]*answered 404/);
  });

  it('does not hold up the webhook of the same alert, in one batch with it', async () => {
    const { promise: hung, resolve: hang } = Promise.withResolvers<() => void>();
    answer = (socket, request) => hang(() => respond(200, 'ok')(socket, request));
    await receive(10);
    const batch = handler(sqsEvent([toMessage('ntf_10_slack', 10), toMessage(newAlertDeliveryId(10), 10)]));
    const release = await hung;
    await vi.waitFor(async () => expect((await getDelivery('ntf_10'))?.state).toBe('DELIVERED'), patiently);
    expect((await deliveryNow(10, 'slack')).state).toBe('PENDING');
    release();
    await batch;
    expect((await deliveryNow(10, 'slack')).state).toBe('DELIVERED');
  });

  it("has a backlog of its own in the queue, apart from the site's webhooks", async () => {
    const slot = receivedAt;
    await sendAll(
      ['ntf_10', 'ntf_10_slack', 'ntf_10_teams'].map((deliveryId) =>
        deliveryDue.message({ deliveryId, slot, sid: 10 }),
      ),
    );
    expect(queues.sent.map(({ group }) => group)).toEqual(['S10', 'C10', 'C10']);
  });
});
