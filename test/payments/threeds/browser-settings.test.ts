import { expect, it } from 'vitest';
import type { ThreeDsSite } from '#test/support/authentications.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { expectNoErrors } from '#test/support/personas.ts';
import { useStack } from '#test/support/stack.ts';
import { openShop } from '#test/support/storefront.ts';
import { visaNumbers } from './contract.ts';
import { authenticateIn, issuerIn, startMerchant, visit } from './merchant-page.ts';
import { siteSettings } from './samples.ts';

/** The effects of a 3DS site's settings in the payer's browser. */

const service = await useStack();

/** Another 3DS site of the demo merchant. */
const newSite = async (settings: object): Promise<ThreeDsSite> => {
  const token = await service.tokenOf('admin');
  const { mid, rid } = service.credentials.three_ds_site;
  const path = `/api/v3/site/mid/${mid}/rid/${rid}`;
  const { body } = await service.call(`${path}/create`, { token, body: { name: 'Another site' } });
  const set = await service.call(`${path}/sid/${body['sid']}/3ds`, {
    token,
    body: { settings: { ...siteSettings, ...settings }, servicesettings: { three_ds_provider: 'sandbox' } },
  });
  expect(set.status).toBe(200);
  return { sid: Number(body['sid']), rcode: String(body['rcode']) };
};

describeInBrowser('a 3DS site', (open) => {
  it('of mode inline shows the issuer where the page has a place for it', async () => {
    const { page, errors } = await open();
    await using merchant = await startMerchant(service, await newSite({ clientMode: 'inline' }));
    await visit(page, merchant);
    await page.evaluate("document.getElementById('bank').setAttribute('data-forewarn-3ds', '')");
    const running = authenticateIn(page, await merchant.begin(), visaNumbers[2072]);
    const code = issuerIn(page).getByLabel('Code by SMS');
    await code.fill('123456');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.locator('#bank iframe[title="Your bank"]').count()).toBe(1);
    await code.press('Enter');
    expect((await running).result).toMatchObject({ outcome: 'authenticated' });
    expect(errors).toEqual([]);
  });

  it('that is verbose has the SDK say its steps, and nothing else', async () => {
    const { page } = await open();
    await using merchant = await startMerchant(service, await newSite({ verbose: 1 }));
    const said: string[] = [];
    page.on('console', (message) => void said.push(message.text()));
    await visit(page, merchant);
    await authenticateIn(page, await merchant.begin(), visaNumbers[2003]);
    expect(said).toEqual(['method', 'authenticate', 'done'].map((step) => `forewarn 3ds: ${step}`));
  });

  it('that wants the result told gives the page the values, for an outside processor', async () => {
    const { page } = await open();
    await using merchant = await startMerchant(service, await newSite({ enableResult: '1' }));
    await visit(page, merchant);
    const begun = await merchant.begin();
    const { result } = await authenticateIn(page, begun, visaNumbers[2103]);
    const { authenticationValue, dsTransID, eci } = await merchant.detailsOf(begun);
    const told = { authentication_id: begun.id, transStatus: 'Y', authenticationValue, dsTransID, eci };
    expect(JSON.parse(result?.threeDSecure ?? '')).toMatchObject(told);
    // They are still read here.
    const threeDSecure = JSON.stringify({ ...told, transStatus: 'N', eci: '07' });
    expect(await openShop(service).pay('10.00', { card_no: visaNumbers[2103], threeDSecure }, 'form')).toMatchObject({
      ...{ status: 'OK', three_ds: { source: 'verified', transStatus: 'Y', eci: '05' } },
    });
  });

  it('that takes no challenge never shows the issuer', async () => {
    const { page } = await open();
    await using merchant = await startMerchant(service, await newSite({ disableChallenge: '1' }));
    await visit(page, merchant);
    const begun = await merchant.begin();
    const { result, steps } = await authenticateIn(page, begun, visaNumbers[2072]);
    expect([result?.outcome, steps.includes('challenge')]).toEqual(['unavailable', false]);
    expect(await merchant.detailsOf(begun)).toMatchObject({ reason: 'challenge_disabled' });
  });

  it('goes by without a complaint of the stack or an error of a function', () => expectNoErrors(service));
});
