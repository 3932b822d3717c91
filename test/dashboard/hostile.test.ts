import { beforeAll, expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { receive } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openAs, signInAs } from './people.ts';

/** Text of networks, merchants, colleagues and merchants' endpoints is shown as text, and runs nowhere. */
const corpus = [
  '<script>window.stolen=1</script>',
  '<img src=x onerror=window.stolen=2>',
  '"><svg onload=window.stolen=3>',
  "' autofocus onfocus=window.stolen=4 x='",
  '</title><style>*{display:none}</style>',
  '<a href="javascript:window.stolen=5">here</a>',
  '{{constructor.constructor("window.stolen=6")()}}',
  '<iframe srcdoc="<script>parent.stolen=7</script>">',
] as const;

const service = await useStack();
beforeAll(async () => {
  const [admin, { mid, rid, sid }] = [await service.tokenOf('admin'), service.credentials.site];
  const call = async (path: string, body: unknown) => {
    const reply = await service.call(`/api/v3${path}`, { token: admin, body });
    expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text]);
    return reply.body;
  };
  // Changes the answer of the merchant's endpoint.
  service.sinks.answer('demo', { status: 500, body: corpus.join('\n') });
  for (const [index, hostile] of corpus.entries()) {
    await receive(service, {
      type: 'CUSTOMER_DISPUTE',
      amount: { value: `${index + 1}.00`, currencyCode: 'USD' },
      issuer: `${hostile} Bank`,
      merchantDescriptor: `DEMO*${hostile}`.slice(0, 60),
    });
    await call(`/site/mid/${mid}/rid/${rid}/create`, { name: `${hostile} Shop` });
    await call('/users/create', { username: `user-${index}`, name: `${hostile} Name`, role: 'analyst', mid });
    const conditions = { all: [{ fact: 'descriptor', operator: 'equal', value: hostile }] };
    const rule = { sid, name: `${hostile} Rule`, enabled: false, conditions, action: { type: 'notify' } };
    await call('/service_alerts/rules/create', rule);
  }
  await service.untilIdle();
});

const screens = [
  '/',
  '/queue',
  '/deliveries',
  '/settings',
  '/users',
  '/rules?sid=1',
  '/audit',
  '/enrollments',
  '/reports',
];

describeInBrowser('what others wrote', (open) => {
  it('is text on every screen that shows it', async () => {
    const { page } = await openAs(open, service);
    let shown = '';
    for (const path of screens) {
      await page.goto(`${service.url}/dashboard#${path}`);
      await page
        .locator('table tbody tr, .row, .entry, .empty, main figure')
        .filter({ visible: true })
        .first()
        .waitFor();
      shown += await page.getByRole('main').textContent();
    }
    for (const path of ['/queue', '/deliveries', '/rules?sid=1']) {
      await page.goto(`${service.url}/dashboard#${path}`);
      await page.locator('tbody th a, .row a').first().click();
      await page.locator('main .card, main .timeline').first().waitFor();
      for (const summary of await page.locator('main summary').all()) await summary.click();
      shown += await page.getByRole('main').textContent();
    }
    for (const kind of ['Bank', 'Shop', 'Name', 'Rule']) expect(shown).toContain(` ${kind}`);
    for (const hostile of corpus) expect(shown).toContain(hostile);
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    expect(await page.locator('iframe, main script, main style').count()).toBe(0);
  });
});

describeInBrowser('a deadline', (open) => {
  it('passes by the service’s time, whatever the browser’s clock says', async () => {
    const admin = await service.tokenOf('admin');
    const { mid, rid, sid } = service.credentials.site;
    const path = `/api/v3/site/mid/${mid}/rid/${rid}/sid/${sid}/alert`;
    const deadline_hours = { FRAUD: 2, DISPUTE: 72, CANCEL: 72 };
    expect((await service.call(path, { token: admin, body: { deadline_hours } })).status).toBe(200);
    const id = await receive(service, { type: 'CONFIRMED_FRAUD', amount: { value: '77.00', currencyCode: 'USD' } });
    await service.untilIdle();
    const { page } = await open();
    // Years ahead: the service's time is what counts.
    await page.clock.install({ time: new Date('2031-01-01T00:00:00Z') });
    await signInAs(page, service);
    await page.goto(`${service.url}/dashboard#/alerts/${id}`);
    const left = page.locator('.pane-head time .unseen');
    await expect.poll(() => left.textContent(), { timeout: 20_000 }).toMatch(/^Due soon: (1 h 5\d min|2 h)$/);
    const pass = async (minutes: number) => {
      await service.clock.advance(`PT${minutes}M`);
      await page.clock.runFor(minutes * 60_000);
    };
    /**
     * Returns the time left, as soon as an answer of the service has reported its time; a page that is not touched for long stops
     * asking.
     */
    const leftNow = async () => {
      await page.keyboard.press('Shift');
      await page.clock.runFor(20_000);
      return left.textContent();
    };
    // A message goes away after some seconds, which pass at once here: all that was said is kept.
    await page.evaluate(`
      window.said = [];
      const note = ({ addedNodes }) => window.said.push(...[...addedNodes].map(({ textContent }) => textContent));
      new MutationObserver((changes) => changes.forEach(note))
        .observe(document.querySelector('.messages'), { childList: true });`);
    await pass(61);
    await expect.poll(leftNow, { timeout: 20_000 }).toMatch(/^Due soon: 5\d min$/);
    for (let minute = 0; minute < 3; minute += 1) {
      await pass(1);
      await leftNow();
    }
    // Once, and not every minute.
    const said = (await page.evaluate('window.said')) as string[];
    expect(said.filter((text) => text.includes(`Alert ${id} is due in less than an hour.`))).toHaveLength(1);
    await pass(59);
    await expect.poll(leftNow, { timeout: 20_000 }).toMatch(/^Late by \d min$/);
  });
});
