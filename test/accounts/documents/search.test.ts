import { readFile } from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';
import { explainedCodes } from '#accounts/documents/error-help.ts';
// @ts-expect-error: a script of the site, which is sent as it is.
import { createSearch } from '#accounts/documents/site/browser/search.js';
import { siteSources } from '#accounts/documents/site/catalog.ts';
import { siteText } from '#accounts/documents/site/documentation.ts';
import type { SearchEntry } from '#accounts/documents/site/search-index.ts';
import { operations } from '#functions/operations.ts';

type Found = { entry: SearchEntry; terms: string[] };
let entries: SearchEntry[];
let find: (asked: string, most?: number) => Found[];
beforeAll(async () => {
  const place = { base: '', extension: '', home: 'index.html', dashboard: null };
  const text = await siteText('search.json', (name) => readFile(siteSources[name] ?? '', 'utf8'), place);
  entries = JSON.parse(text);
  find = createSearch(MiniSearch, entries);
});

/** What people ask, and where the first result leads: the page, or the section of it. */
const questions: [asked: string, href: RegExp][] = [
  ['alert_closed', /^error-codes#alert_closed$/],
  ['file_not_accepted', /^error-codes#file_not_accepted$/],
  ['tid_reused', /^error-codes#tid_reused$/],
  ['refund_first', /^error-codes#refund_first$/],
  ['statusupdate_url', /^(receive-alerts|webhooks)#/],
  ['alert_action', /^(receive-alerts|test-alerts)#/],
  ['is_duplicate', /^receive-alerts#/],
  ['alert_email', /^(receive-alerts|onboarding)#/],
  ['reservedConcurrency', /^settings#limits$/],
  ['cors', /^faq#/],
  ['gdpr', /^privacy#/],
  ['postman', /^faq#/],
  ['testcard', /^(faq|sandbox)#/],
  ['test card', /^(test-alerts|sandbox)#/],
  ['refnud', /^refunds#/],
  ['allowlist', /^faq#/],
  ['ngrok', /^faq#/],
  ['webhook retry', /^webhooks#/],
  ['retrying', /^retries#/],
  ['verify signature', /^receive-alerts#verify-it$/],
  ['webhook-signature', /^webhooks#headers$/],
  ['idempotency', /^errors#idempotency-keys$/],
  ['pagination', /^faq#/],
  ['rotate secret', /^runbook#secrets$/],
  ['capture', /^payments#authorise-now-capture-later$/],
  ['compelling evidence', /^chargebacks#/],
  ['order insight', /^(orders|import-history)#/],
  ['consumer clarity', /^orders#/],
  ['ethoca', /^ethoca#/],
  ['woocommerce', /^import-history#/],
  ['passkey', /^dashboard#sign-in-with-a-passkey$/],
  ['single sign-on', /^(settings|dashboard)#/],
  ['reason code 952', /^reason-codes#/],
  ['900.002', /^reason-codes#/],
  ['dead letter', /^runbook#drain-a-dead-letter-queue$/],
  ['backup restore', /^(settings#backups|runbook#restore)/],
  ['descriptor enrollment', /^enrollment#/],
  ['create rule', /^reference#\/rules\/rules-create-rule$/],
  ['back-test', /^back-test#/],
  ['mcp', /^(reference#\/agents|agents#)/],
  ['slack', /^receive-alerts#in-slack-and-teams$/],
  ['submit evidence', /^chargebacks#submit-it$/],
  ['processrefund', /^reference#\/transactions\/transactions-processrefund$/],
  ['singletx', /^reference#\/transactions\/transactions-singletx$/],
  ['payment hash', /^payments#the-older-hash$/],
  ['postback vrfy', /^postbacks#/],
  ['sandbox amounts', /^sandbox#amounts$/],
  ['card number pci', /^pci#/],
  ['erase personal data', /^privacy#/],
  ['retention', /^privacy#/],
  ['upgrade', /^upgrade#/],
  ['rollback', /^operations#upgrade-and-rollback$/],
  ['cdk deploy', /^runbook#deploy$/],
  ['python client', /^client-python#/],
  ['typescript sdk', /^client-typescript#/],
  ['vamp', /^faq#/],
];

describe('the search of the documentation', () => {
  it.each(questions)('finds %s first where it is explained', (asked, href) => {
    expect(find(asked)[0]?.entry.href ?? 'nothing').toMatch(href);
  });

  it('has every operation and every error code', () => {
    const found = new Set(entries.map(({ href }) => href));
    for (const { tag, area, auth, name } of operations) {
      const heading = auth === 'provider' ? 'providers' : (tag ?? area);
      expect(found).toContain(`reference#/${heading}/${heading}-${name}`);
    }
    for (const code of explainedCodes) expect(found).toContain(`error-codes#${code}`);
  });

  it('shows words as readers see them', () => {
    const marks = /\]\(|<!--|<\/?(?:em|code|details|table)\b/;
    expect(entries.flatMap(({ text, heading }) => marks.exec(`${heading} ${text}`) ?? [])).toEqual([]);
  });

  it('says so where nothing is found', () => {
    expect(find('xyzzyquux')).toEqual([]);
  });
});
