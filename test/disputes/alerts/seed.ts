import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import { toRetailerItem } from '#accounts/merchants/merchant/merchant-row.ts';
import type { Site } from '#accounts/merchants/site/site.ts';
import { toRcodeItem, toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { hmacSha256, sha256 } from '#core/kernel/crypto.ts';
import type { ClaimRule } from '#core/kernel/descriptor.ts';
import { newAlertMailId } from '#core/platform/mail/mail.ts';
import { fromMailItem } from '#core/platform/mail/mail-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, putItem, queryItems, updateItem } from '#core/platform/table/table.ts';
import { fromAlertItem } from '#disputes/alerts/alert-row.ts';
import { outcomeIdOf } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { type Claimant, toClaimsItem } from '#disputes/enrollments/claims/claim-row.ts';
import { newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import type { Answer } from '#test/support/gateway-event.ts';
import { ask, beforeTransactions } from '#test/support/operations.ts';
import { aSite, bodyA, bodyB, bodyRdr, settings } from './samples.ts';

// Beyond the security codes of the tests' cards, for which every row is searched.
let lastNumber = 200;
/** A number that no other test of the file has. */
export const fresh = (): number => {
  lastNumber += 1;
  return lastNumber;
};

export const makeRcode = (sid: number) => `rcode-of-site-${sid}-0123456789abcdef`;

/** Writes a site of its own merchant and retailer, with an rcode, unless told otherwise. */
export const seedSite = async (change: Partial<Site> = {}): Promise<Site> => {
  const sid = change.sid ?? fresh();
  const rcode = { digest: sha256(makeRcode(sid)), sealed: '', validUntil: null };
  const site = aSite({ sid, mid: 1000 + sid, rid: 2000 + sid, rcodes: [rcode], ...change });
  await putItem(toSiteItem(site));
  await putItem(toRcodeItem(site, rcode));
  await putItem(
    toRetailerItem({
      rid: site.rid,
      mid: site.mid,
      name: 'Retailer',
      merchantName: 'Merchant',
      createdAt: site.createdAt,
      profile: {},
    }),
  );
  return site;
};

/** Writes who claims a text, all of them enrolled. */
export const seedClaims = async (
  provider: string,
  rule: ClaimRule,
  text: string,
  ...sites: readonly (Pick<Site, 'sid' | 'mid' | 'rid'> & { enrolledAt?: string })[]
): Promise<void> => {
  const claimants = sites.map(
    ({ sid, mid, rid, enrolledAt = '2026-01-01T00:00:00.000Z' }): Claimant => ({
      sid,
      mid,
      rid,
      enrollmentId: sid,
      itemNumber: 0,
      descriptor: rule === 'PREFIX' ? `${text}` : text,
      matchType: rule === 'PREFIX' ? 'Starts with' : 'Exact',
      enrolledAt,
    }),
  );
  await putItem(toClaimsItem({ provider, rule, text, claimants, version: 1 }));
};

/** An alert site of a merchant that has enrolled `SHOP <sid>` at provider_a. Its number is none of a payment site's. */
export const seedEnrolledSite = async (mid: number, change: Parameters<typeof settings>[0] = {}): Promise<Site> => {
  const site = await seedSite({ sid: 5000 + fresh(), mid, alert: settings(change) });
  await seedClaims('provider_a', 'EXACT', `SHOP ${site.sid}`, site);
  return site;
};

const intakes = {
  provider_a: { operation: 'alerts/receive-provider-a', secret: 'provider-a', body: bodyA },
  provider_b: { operation: 'alerts/receive-provider-b', secret: 'provider-b', body: bodyB },
  rdr: { operation: 'alerts/receive-rdr', secret: 'rdr', body: bodyRdr },
} as const;

export const signBody = (secret: string, body: unknown, milliseconds = nowMilliseconds()): string => {
  const seconds = Math.floor(milliseconds / 1000);
  return `t=${seconds},v1=${hmacSha256(`the ${secret} secret of this test`, `${seconds}.${JSON.stringify(body)}`)}`;
};

/** Sends exactly this body as a provider does, signed. */
export const sendBody = (provider: keyof typeof intakes, body: unknown): Promise<Answer> => {
  const { operation, secret } = intakes[provider];
  return ask(operation, { as: 'nobody', body, headers: { 'x-signature': signBody(secret, body) } });
};

/** Sends a provider's sample, changed as told. */
export const send = (provider: keyof typeof intakes, change: Record<string, unknown> = {}): Promise<Answer> =>
  sendBody(provider, intakes[provider].body(change));

type IntakeResult = { alert_id: number; is_duplicate: boolean; matched: boolean };

/** The same, when it must be taken. */
export const take = async (
  provider: keyof typeof intakes,
  change: Record<string, unknown> = {},
): Promise<IntakeResult> => {
  const answer = await send(provider, change);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body as IntakeResult;
};

/** An alert of provider_a about the card of the sandbox's sample charges, for a site that has enrolled `SHOP <sid>`; its number. */
export const disputeAt = async (
  { sid }: Pick<Site, 'sid'>,
  amount: string,
  change: Record<string, unknown> = {},
): Promise<number> => {
  const sent = {
    alertId: `A${fresh()}`,
    type: 'CUSTOMER_DISPUTE',
    merchantDescriptor: `SHOP ${sid}`,
    ...{ arn: '', authCode: '', cardBin: '411111', cardLast4: '1111' },
    amount: { value: amount, currencyCode: 'USD' },
    transactionTimestamp: '2026-05-02T01:00:00Z',
    ...change,
  };
  return (await take('provider_a', sent)).alert_id;
};

export const alertAt = async (alertId: number) => fromAlertItem((await getItem(keys.alert(alertId))) ?? {});

/** The alert's first notification and its e-mail; undefined where there is none. */
export const noticesAt = async (alertId: number) => {
  const delivery = await getItem(keys.delivery(newAlertDeliveryId(alertId)));
  const mail = await getItem(keys.mail(newAlertMailId(alertId)));
  return { delivery: delivery && fromDeliveryItem(delivery), mail: mail && fromMailItem(mail) };
};

/** Returns the outcomes of an alert's updates, in order. */
export const outcomesAt = async (alertId: number) => {
  const { outcomes, providerAlert } = await alertAt(alertId);
  const provider = providerAlert.provider === 'provider_b' ? 'provider_b' : 'provider_a';
  const ids = Array.from({ length: outcomes }, (_, index) => outcomeIdOf(provider, alertId, index + 1));
  const rows = await Promise.all(ids.map((id) => getItem(keys.outcome(id))));
  return rows.flatMap((row) => (row ? [fromOutcomeItem(row)] : []));
};

/** All deliveries about an alert, oldest first, as lists show them. */
export const deliveriesAt = async (alertId: number) => {
  const { items } = await queryItems({
    IndexName: 'list3',
    KeyConditionExpression: 'list3Pk = :list',
    ExpressionAttributeValues: { ':list': `DELIVERY#A${alertId}` },
  });
  const rows = await Promise.all(
    items.map(({ summary }) => getItem(keys.delivery(String((summary as { id: string }).id)))),
  );
  return rows.flatMap((row) => (row ? [fromDeliveryItem(row)] : []));
};

/** A form's fields; of a name that comes more than once, the last. */
export const formFields = (body = ''): Record<string, string> => Object.fromEntries(new URLSearchParams(body));

/** Counts the calls of DynamoDB that some work makes. For test files that use `useOperations`. */
export const callsDuring = async (run: () => Promise<unknown>): Promise<number> => {
  const { mock } = vi.mocked(DynamoDBDocumentClient.prototype.send);
  const before = mock.calls.length;
  await run();
  return mock.calls.length - before;
};

/** Counts the items that queries read during some work, shown or not. For test files that use `useOperations`. */
export const itemsReadDuring = async (run: () => Promise<unknown>): Promise<number> => {
  const { mock } = vi.mocked(DynamoDBDocumentClient.prototype.send);
  const before = mock.results.length;
  await run();
  const answers = await Promise.all(mock.results.slice(before).map(({ value }): Promise<unknown> => value));
  return answers.reduce<number>((sum, answer) => sum + Number(Object(answer).ScannedCount ?? 0), 0);
};

/** Lets another process always write an alert a moment before, while something runs. */
export const whileContended = async <T>(alertId: number, run: () => Promise<T>): Promise<T> => {
  beforeTransactions(() =>
    updateItem({
      Key: keys.alert(alertId),
      UpdateExpression: 'ADD #version :one',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );
  try {
    return await run();
  } finally {
    beforeTransactions();
  }
};
