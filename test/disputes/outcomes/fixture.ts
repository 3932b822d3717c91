import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, vi } from 'vitest';
import { toSiteItem } from '#accounts/merchants/site/site-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import { getItem, type Item, putItem, queryItems } from '#core/platform/table/table.ts';
import { type Alert, createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { type NetworkOutcome, outcomeIdOf } from '#disputes/alerts/answer/network-outcome.ts';
import { fromOutcomeItem } from '#disputes/alerts/answer/network-outcome-row.ts';
import { recordReplyUpdate } from '#disputes/alerts/answer/update-store.ts';
import { fromHistoryItem } from '#disputes/alerts/history/history-row.ts';
import type { ProviderAlert } from '#disputes/providers/providers.ts';
import { fromDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { aProviderAlert, aSite } from '#test/disputes/alerts/samples.ts';
import { type PlayedNetworks, playNetworks } from './networks.ts';

/**
 * The common part of tests of sending: a site, its alerts, both networks, and every write of an outcome as the stream reports it.
 */

export const site = aSite();

let played: PlayedNetworks | undefined;
/** Both networks, while a test file that uses them runs. */
export const networks = (): PlayedNetworks => {
  if (!played) throw new Error('useNetworks was not called');
  return played;
};

/** The secrets of the connections; the networks' own until changed. */
export const secrets = new Map<string, string>();

/** Every write of an outcome, before and after, until a test takes it. */
export const changes: { before: Item | undefined; after: Item }[] = [];

const outcomeItemsIn = (input: { Item?: Item; TransactItems?: { Put?: { Item?: Item } }[] }): Item[] =>
  [input.Item, ...(input.TransactItems ?? []).map(({ Put }) => Put?.Item)].flatMap((item) =>
    item?.['entity'] === 'OUTCOME' ? [item] : [],
  );

/** Gives a test file networks, secrets and a site; to be called at its top level, after useTable and before useMortality. */
export const useNetworks = (): void => {
  const rows = new Map<string, Item>();
  beforeAll(async () => {
    Object.assign(process.env, {
      ALLOW_LOOPBACK_HTTP: 'true',
      OPERATIONS_MAIL: 'operations@service.example',
      OUTCOME_PROVIDER_A_SECRET_ID: 'outcome-provider-a',
      OUTCOME_PROVIDER_B_SECRET_ID: 'outcome-provider-b',
    });
    played = await playNetworks();
    const network = { 'outcome-provider-a': 'provider_a', 'outcome-provider-b': 'provider_b' } as const;
    mockClient(SecretsManagerClient)
      .on(GetSecretValueCommand)
      .callsFake(({ SecretId }: { SecretId: keyof typeof network }) => ({
        SecretString: secrets.get(SecretId) ?? networks().secret(network[SecretId]),
      }));
    const send = DynamoDBDocumentClient.prototype.send;
    DynamoDBDocumentClient.prototype.send = async function (this: DynamoDBDocumentClient, ...given: unknown[]) {
      const answer: unknown = await Reflect.apply(send, this, given);
      const [{ input }] = given as [{ input: Parameters<typeof outcomeItemsIn>[0] }];
      for (const after of outcomeItemsIn(input)) {
        changes.push({ before: rows.get(String(after['id'])), after });
        rows.set(String(after['id']), after);
      }
      return answer;
    } as typeof send;
    await putItem(toSiteItem(site));
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterAll(() => {
    played?.[Symbol.dispose]();
    vi.restoreAllMocks();
  });
};

let lastId = 1_700_000_000_000_000;

/** Writes a new alert of the site, open, whose case the networks know. */
export const seedAlert = async (receivedAt: string, providerAlert: Partial<ProviderAlert> = {}): Promise<Alert> => {
  lastId += 1;
  const caseId = `CASE${String(lastId).padStart(21, '0')}`;
  const alert = createAlert(lastId, aProviderAlert({ caseId, ...providerAlert }), receivedAt, {
    site,
    matchedDescriptor: 'SHOP*',
  });
  await putItem(toAlertItem(alert));
  return alert;
};

/** A merchant's update, taken as any other; answers whether it was. */
export const answer = async (alertId: number, update: Record<string, unknown>, at: string): Promise<boolean> =>
  (await recordReplyUpdate({ alertId, sid: site.sid, update, at })).accepted;

/** An outcome as the table has it. */
export const outcomeAt = async (
  alertId: number,
  number = 1,
  provider: NetworkOutcome['provider'] = 'provider_a',
): Promise<NetworkOutcome> => {
  const item = await getItem(keys.outcome(outcomeIdOf(provider, alertId, number)));
  if (!item) throw new Error(`Alert ${alertId} has no outcome ${number}`);
  return fromOutcomeItem(item);
};

/** The status updates of an alert that go, or went, to its merchant: their forms, oldest first. */
export const statusUpdatesOf = async (alertId: number): Promise<Record<string, string>[]> => {
  const { items } = await queryItems({
    IndexName: 'list3',
    KeyConditionExpression: 'list3Pk = :list',
    ExpressionAttributeValues: { ':list': `DELIVERY#A${alertId}` },
  });
  const ids = items.map(({ summary }) => String((summary as { id: string }).id));
  const rows = await Promise.all(ids.map((id) => getItem(keys.delivery(id))));
  return rows.flatMap((row) => {
    if (!row) return [];
    const { kind, body } = fromDeliveryItem(row);
    return kind === 'status_update' ? [Object.fromEntries(new URLSearchParams(body))] : [];
  });
};

/** Returns the events of an alert, in the words of its history. */
export const readHistory = async (alertId: number) => {
  const { items } = await queryItems({
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': keys.alert(alertId).pk },
  });
  return items.filter(({ entity }) => entity === 'HISTORY').map(fromHistoryItem);
};
