import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '#payments/threeds/server/base64url.ts';
import { type BegunOverHttp, callAsPage } from '#test/support/authentications.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { makeOtherTenant } from '#test/support/other-tenant.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop } from '#test/support/storefront.ts';
import { useServer } from '#test/support/use-server.ts';
import { visaNumbers } from './contract.ts';
import {
  authenticateIn,
  issuerIn,
  secretsKept,
  startMerchant,
  untilInPage,
  untilLoaded,
  visit,
} from './merchant-page.ts';

/** The failures between a payer, their browser and others, and the attacks of others. */

const service = await useStack();
const merchant = await useServer(startMerchant(service));

const coded = visaNumbers[2072];
const codeIn = (page: Page) => issuerIn(page).getByLabel('Code by SMS');

/** A payer who is asked for a code. */
const challenged = async (page: Page, begun?: BegunOverHttp, options = {}) => {
  await visit(page, merchant);
  const known = begun ?? (await merchant.begin());
  const running = authenticateIn(page, known, coded, options);
  await codeIn(page).waitFor();
  return { begun: known, running };
};
const pass = async (page: Page): Promise<void> => {
  await codeIn(page).fill('123456');
  await codeIn(page).press('Enter');
};
const press = (page: Page, name: string) => issuerIn(page).getByRole('button', { name, exact: true }).click();

/** The transaction of a challenge, as whoever stands between may see it. */
const readIds = async (begun: BegunOverHttp): Promise<{ threeDSServerTransID: string; acsTransID: string }> => {
  const { value } = await callAsPage(service, begun, 'frame', { kind: 'challenge' }, new URL(service.url).origin);
  return JSON.parse(Buffer.from(String(value), 'base64url').toString());
};
const postCres = (fields: object) =>
  service.call('/3ds/challenge', {
    body: new URLSearchParams({ cres: toBase64Url(fields) }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describeInBrowser('native 3-D Secure, when things go wrong', (open) => {
  describe('a step that is not answered', () => {
    /** A payer whose browser gets no answer at a step. */
    const hanging = async (page: Page, step: string, urls: string) => {
      await page.route(urls, () => undefined);
      await visit(page, merchant);
      const begun = await merchant.begin();
      const running = authenticateIn(page, begun, coded);
      await untilInPage(page, `globalThis.lastStep === '${step}'`);
      return { begun, running };
    };

    it.each([
      ['start', '**/api/v3/3ds/*/start'],
      ['method', '**/3ds/frame'],
      ['authenticate', '**/api/v3/3ds/*/authenticate'],
    ])('ends as canceled when the page aborts at %s', async (step, urls) => {
      const { page } = await open();
      const { begun, running } = await hanging(page, step, urls);
      await page.evaluate('globalThis.stopper.abort()');
      const { result, steps } = await running;
      expect([result?.outcome, steps.at(-2), steps.at(-1)]).toEqual(['canceled', step, 'done']);
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'canceled', reason: 'abort' });
    });

    it.each(['start', 'authenticate'])('ends after half a minute at %s', async (step) => {
      const { page } = await open();
      await page.clock.install();
      const { running } = await hanging(page, step, `**/api/v3/3ds/*/${step}`);
      await page.clock.fastForward(31_000);
      expect((await running).code).toBe('network');
    });
  });

  describe('a challenge', () => {
    it('that the payer cancels at their bank', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      await press(page, 'Cancel');
      expect((await running).result).toMatchObject({ outcome: 'canceled', transStatus: 'N', liabilityShift: false });
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'canceled', challengeCancel: '01' });
    });

    it('that is failed by three wrong codes', async () => {
      const { page } = await open();
      const { running } = await challenged(page);
      for (const left of ['2 tries are', 'One try is']) {
        await codeIn(page).fill('000000');
        await press(page, 'Confirm');
        await issuerIn(page).getByText(`${left} left`).waitFor();
      }
      await codeIn(page).fill('000000');
      await press(page, 'Confirm');
      expect((await running).result).toMatchObject({ outcome: 'not_authenticated', transStatus: 'N' });
    });

    it('whose bank tells the 3DS server late: the page waits for it', async () => {
      const { page } = await open();
      const { running } = await challenged(page);
      const returned = page.waitForResponse((response) => response.url().endsWith('/3ds/challenge'));
      await press(page, 'Confirm, answer late');
      await returned;
      await service.clock.advance('PT6S');
      expect((await running).result).toMatchObject({ outcome: 'authenticated', transStatus: 'Y' });
    });

    it('whose bank never answers: it is over when its time is', async () => {
      const { page } = await open();
      await page.clock.install();
      const { begun, running } = await challenged(page, undefined, { challengeSeconds: 300 });
      await press(page, 'Never answer');
      await issuerIn(page).getByText('This issuer says nothing').waitFor();
      await page.clock.fastForward(301_000);
      expect((await running).result).toMatchObject({ outcome: 'timed_out', transStatus: 'U' });
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'timed_out', reason: 'timeout' });
    });

    it('for which the page names no time: the payer has ten minutes', async () => {
      const { page } = await open();
      await page.clock.install();
      const { begun, running } = await challenged(page);
      await page.clock.fastForward(595_000);
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged' });
      expect(await page.getByRole('dialog').count()).toBe(1);
      await page.clock.fastForward(6_000);
      expect((await running).result).toMatchObject({ outcome: 'timed_out', transStatus: 'U' });
    });

    it('that the page itself stops', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      await page.evaluate('globalThis.stopper.abort()');
      expect((await running).result).toMatchObject({ outcome: 'canceled' });
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'canceled', reason: 'abort' });
    });

    it('in two tabs: the later one goes on, and both get its result', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      const second = await page.context().newPage();
      const { running: later } = await challenged(second, begun);
      // The first tab's challenge was given up: whatever its payer does there changes nothing.
      await pass(page);
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged', outcome: null });
      await pass(second);
      expect((await later).result).toMatchObject({ outcome: 'authenticated' });
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'authenticated' });
    });

    it('continues when the payer goes back and returns', async () => {
      const { page } = await open();
      await page.goto(`${merchant.origin}/basket`);
      const { begun } = await challenged(page);
      await page.goBack();
      await page.getByRole('heading', { name: 'Basket' }).waitFor();
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged' });
      await page.goForward();
      await untilLoaded(page);
      const again = authenticateIn(page, begun, coded);
      await pass(page);
      expect((await again).result).toMatchObject({ outcome: 'authenticated' });
    });

    it('from whose second page the payer goes back, and begins again', async () => {
      const { page, provoked } = await open();
      provoked.push(/form-action 'none'/);
      const { begun } = await challenged(page);
      await codeIn(page).fill('000000');
      await press(page, 'Confirm');
      await issuerIn(page).getByText('2 tries are left').waitFor();
      await page.evaluate('history.back()');
      // Browsers differ in what that does to a frame within a frame. Wherever it leads, nothing has ended.
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged' });
      await visit(page, merchant);
      const again = authenticateIn(page, begun, coded);
      await pass(page);
      expect((await again).result).toMatchObject({ outcome: 'authenticated' });
    });

    it('after which the tab is closed: the merchant still learns that it was passed', async () => {
      const { page } = await open();
      const { begun } = await challenged(page);
      await page.route('**/3ds/challenge', (route) => route.abort());
      const cut = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/3ds/challenge'));
      await pass(page);
      await cut;
      await page.close();
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged' });
      await service.clock.advance('PT2M');
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'authenticated', transStatus: 'Y' });
    });

    it('in which the tab is closed: it is over after half an hour', async () => {
      const { page } = await open();
      const { begun } = await challenged(page);
      await page.close();
      await service.clock.advance('PT32M');
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'timed_out', transStatus: 'U' });
    });
  });

  describe('is never trusted', () => {
    it('a forged message of the issuer', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      const ids = await readIds(begun);
      // Both at once: each waits two seconds for what the 3DS server may report a moment later.
      const forged = await Promise.all(['Y', 'A'].map((transStatus) => postCres({ ...ids, transStatus })));
      expect(forged.map(({ status }) => status)).toEqual([200, 200]);
      // The 3DS server knows of no end, and the page goes on waiting.
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'challenged', outcome: null });
      await press(page, 'Cancel');
      expect((await running).result).toMatchObject({ outcome: 'canceled', transStatus: 'N' });
      expect((await postCres({ ...ids, transStatus: 'Y' })).status).toBe(200);
      expect(await merchant.detailsOf(begun)).toMatchObject({ outcome: 'canceled' });
    });

    it('a message of the issuer that was sent before', async () => {
      const { page } = await open();
      const first = await challenged(page);
      const ids = await readIds(first.begun);
      await pass(page);
      expect((await first.running).result).toMatchObject({ outcome: 'authenticated' });
      const second = await challenged(page);
      await postCres({ ...ids, transStatus: 'Y' });
      expect(await merchant.detailsOf(second.begun)).toMatchObject({ status: 'challenged' });
      await press(page, 'Cancel');
      expect((await second.running).result).toMatchObject({ outcome: 'canceled' });
    });

    it('signals that do not come from our frame', async () => {
      const { page } = await open();
      const { begun, running } = await challenged(page);
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(request.url()));
      const signal = { forewarn: '3ds', id: String(begun.id), kind: 'challenge', signal: 'done' };
      await page.evaluate(`postMessage(${JSON.stringify(signal)}, '*')`);
      await page.evaluate(
        `new Promise((resolve) => { addEventListener('message', ({ data }) => data === 'last' && resolve()); postMessage('last', '*'); })`,
      );
      expect(asked.filter((address) => address.endsWith('/status'))).toEqual([]);
      // An issuer who says that it is done, and is not: our frame hears it, and the service is asked.
      const looked = page.waitForResponse((response) => response.url().endsWith('/status'));
      const issuer = page.frames().find((frame) => frame.url().endsWith('/sandbox/acs/challenge'));
      await issuer?.evaluate(`parent.postMessage({ forewarn: '3ds', signal: 'returned' }, '*')`);
      expect(await (await looked).json()).toMatchObject({ step: 'challenge' });
      await pass(page);
      expect((await running).result).toMatchObject({ outcome: 'authenticated' });
    });

    it('a result that is another’s, or was used: the payment is refused', async () => {
      const { page } = await open();
      await visit(page, merchant);
      const { result } = await authenticateIn(page, await merchant.begin(), visaNumbers[2103]);
      const { threeDSecure = '' } = result ?? {};
      const shop = openShop(service);
      const send = (card_no: string, from = shop) =>
        from.send(`${from.path}/singletx`, from.orderOf('10.00', { card_no, threeDSecure }), 'form');
      const other = await makeOtherTenant(service);
      const token = await service.tokenOf('admin');
      const path = `/api/v3/site/mid/${other.mid}/rid/${other.rid}`;
      const { body: made } = await service.call(`${path}/create`, { token, body: { name: 'Theirs', currency: 'USD' } });
      expect((await service.call(`${path}/sid/${made['sid']}/payment`, { token, body: {} })).status).toBe(200);
      const theirs = openShop(service, { sid: Number(made['sid']), rcode: String(made['rcode']) });
      expect(await send(visaNumbers[2103], theirs)).toMatchObject({
        ...{ status: 404, body: { error_code: 'authentication_not_found' } },
      });
      expect(await send(visaNumbers[2003])).toMatchObject({
        status: 409,
        body: { error_code: 'authentication_mismatch' },
      });
      expect(await send(visaNumbers[2103])).toMatchObject({ status: 200, body: { status: 'OK' } });
      expect(await send(visaNumbers[2103])).toMatchObject({
        status: 409,
        body: { error_code: 'authentication_mismatch' },
      });
    });

    it('a result that failed, whatever the page makes of it', async () => {
      const { page } = await open();
      await visit(page, merchant);
      const begun = await merchant.begin();
      expect((await authenticateIn(page, begun, visaNumbers[2113])).result).toMatchObject({ transStatus: 'N' });
      const threeDSecure = JSON.stringify({ authentication_id: begun.id, transStatus: 'Y', eci: '05', cavv: 'AAABBB' });
      expect(await openShop(service).pay('10.00', { card_no: visaNumbers[2113], threeDSecure }, 'form')).toMatchObject({
        ...{ status: 'EXC', error_code: 'authentication_failed', three_ds: { transStatus: 'N' } },
      });
    });
  });

  describe('a page that may not', () => {
    it('calls from another origin: it can read nothing, and the authentication stands as it stood', async () => {
      const { page, provoked } = await open();
      provoked.push(/ERR_FAILED/, /CORS policy/);
      await using otherShop = await startMerchant(service, merchant.site, 'localhost');
      await visit(page, otherShop);
      const begun = await merchant.begin();
      const ran = await authenticateIn(page, begun, visaNumbers[2103]);
      expect(ran).toMatchObject({ code: 'network', message: expect.stringContaining('page_origin') });
      expect(await merchant.detailsOf(begun)).toMatchObject({ status: 'created' });
    });

    it('opens our frame with a token that is not for it: nothing is posted to the issuer', async () => {
      const { page } = await open();
      const begun = await merchant.begin();
      const card = { card_no: visaNumbers[2003], card_exp_month: '12', card_exp_year: '2030' };
      await callAsPage(service, begun, 'start', card, merchant.origin);
      await using otherShop = await startMerchant(service, merchant.site, 'localhost');
      await visit(page, otherShop);
      const asked: string[] = [];
      page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
      const answered = page.waitForResponse((response) => response.url().endsWith(`/${begun.id}/frame`));
      const handed = { forewarn: '3ds', id: String(begun.id), client_token: begun.token, kind: 'method' };
      await page.evaluate(`(() => {
        const frame = document.createElement('iframe');
        frame.onload = () => frame.contentWindow.postMessage(${JSON.stringify(handed)}, '*');
        frame.src = '${service.url}/3ds/frame';
        document.body.append(frame);
      })()`);
      expect(await (await answered).json()).toMatchObject({ page_origin: merchant.origin });
      await page.evaluate(`fetch('${service.url}/sdk/3ds/integrity.json').then((reply) => reply.json())`);
      expect(asked.filter((path) => path.startsWith('/sandbox/acs'))).toEqual([]);
    });

    it('has the token of another authentication, or none that is whole', async () => {
      const { page } = await open();
      await visit(page, merchant);
      const [own, other] = [await merchant.begin(), await merchant.begin()];
      const crossed = other.token.replace(/^\d+/, String(own.id));
      expect(await authenticateIn(page, { ...own, token: crossed }, visaNumbers[2103])).toMatchObject({
        code: 'client_token_wrong',
      });
      expect(await authenticateIn(page, { ...own, token: 'x' }, visaNumbers[2103])).toMatchObject({
        code: 'bad_option',
      });
      expect(await merchant.detailsOf(own)).toMatchObject({ status: 'created' });
    });

    it('has a token that has ended', async () => {
      const { page } = await open();
      await visit(page, merchant);
      const begun = await merchant.begin();
      await service.clock.advance('PT16M');
      expect(await authenticateIn(page, begun, visaNumbers[2103])).toMatchObject({ code: 'client_token_wrong' });
    });

    it.each([
      ['a number that is none', { card: { number: '4242424242424241', expMonth: 12, expYear: 2030 } }, 'card.number'],
      ['a month that is none', { card: { number: '4242424242424242', expMonth: 13, expYear: 2030 } }, 'card.expMonth'],
      ['a size that is none', { windowSize: '06' }, 'windowSize'],
      ['a time that is too short', { challengeSeconds: 299 }, 'challengeSeconds'],
      ['a service that is nowhere', { baseUrl: 'javascript:alert(1)' }, 'baseUrl'],
      ['a time that is too long', { challengeSeconds: 1801 }, 'challengeSeconds'],
    ])('calls with %s', async (_, options, words) => {
      const { page } = await open();
      await visit(page, merchant);
      const ran = await authenticateIn(page, await merchant.begin(), visaNumbers[2103], options);
      expect(ran).toMatchObject({ code: 'bad_option', message: expect.stringContaining(words) });
      expect(ran.message).not.toContain('4242');
    });

    it('tries out cards: the fourth is not asked about', async () => {
      const { page } = await open();
      await visit(page, merchant);
      const begun = await merchant.begin();
      for (const ends of [2072, 2070, 3072] as const) {
        await callAsPage(
          service,
          begun,
          'start',
          {
            ...{ card_no: visaNumbers[ends], card_exp_month: '12', card_exp_year: '2030' },
          },
          merchant.origin,
        );
      }
      expect(await authenticateIn(page, begun, visaNumbers[2103])).toMatchObject({ code: 'client_token_wrong' });
    });
  });

  it('starts again by itself where the card was named too long ago', async () => {
    const { page, errors } = await open();
    await page.clock.install();
    await visit(page, merchant);
    const begun = await merchant.begin();
    await page.evaluate(
      `forewarn.prepare(${JSON.stringify({ clientToken: begun.token, card: { number: visaNumbers[2103], expMonth: '12', expYear: '2030' } })})`,
    );
    await page.clock.fastForward(80_000);
    await service.clock.advance('PT80S');
    const { result, steps } = await authenticateIn(page, begun, visaNumbers[2103]);
    expect([result?.outcome, steps]).toEqual(['authenticated', ['start', 'authenticate', 'done']]);
    expect(errors).toEqual([]);
  });

  it('has left no token and no value that proves anything in a log, a queue or a row', async () => {
    expect(merchant.secrets.size).toBeGreaterThan(10);
    expect(await secretsKept(service, merchant)).toEqual([]);
  });

  it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
});
