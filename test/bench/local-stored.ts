import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item } from '#core/platform/table/table.ts';
import { createAlert } from '#disputes/alerts/alert.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { formType, newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { openEmulatorFile } from '#lib/local/aws/emulator-file.ts';
import { startTableEmulator } from '#lib/local/aws/emulator-process.ts';
import { createDelivery, deliveryAfterAttempt, newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { anAlert } from '#test/disputes/alerts/samples.ts';
import { countRowsOf, writeRows } from '#test/support/many-rows.ts';

/** Alerts in the data folder of a stopped stack, whose webhooks failed once and are due at the next slot. */

const firstId = 1_300_000_000_000_000;

/** An alert's row and its notification's. */
const nthRows = (n: number, site: Site, at: string): [Item, Item] => {
  const { providerAlert } = anAlert();
  const ownership = { site, matchedDescriptor: 'DEMO*' };
  const alert = createAlert(firstId + n, { ...providerAlert, caseId: `BENCH${n}` }, at, ownership);
  const { sid, mid, rid } = site;
  const told = { kind: 'new_alert', contentType: formType, body: newAlertForm(alert), at } as const;
  const delivery = createDelivery({
    ...{ ...told, id: newAlertDeliveryId(alert.alertId), sid, mid, rid, alertId: alert.alertId },
  });
  const failed = deliveryAfterAttempt(delivery, {
    ...{ id: randomUUID(), at, slot: delivery.nextAttemptAt ?? at, url: site.alert?.alertapiurl ?? null },
    ...{ status: 503, latencyMilliseconds: 5, error: 'http_status', response: 'busy', responseTruncated: false },
    replyUpdate: null,
  });
  return [toAlertItem(alert), toDeliveryItem(failed)];
};

/** Stores them through the stack's own emulator, with the counts that the service would have made. `sid`: whose they are. */
export const storePending = async (
  dataFolder: string,
  { table, sid, count, at }: { table: string; sid: number; count: number; at: string },
  progress: (done: number) => void,
): Promise<void> => {
  const file = join(dataFolder, 'table.sqlite');
  const emulator = await startTableEmulator(file);
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const client = new DynamoDBClient({ endpoint: emulator.url, region: 'eu-west-1', credentials });
  const { Item } = await client.send(new GetItemCommand({ TableName: table, Key: marshall(keys.site(sid)) }));
  if (!Item) throw new Error('The bench expected the demo site');
  const site = fromSiteItem(unmarshall(Item));
  const rows = Array.from({ length: count }, (_, n) => nthRows(n, site, at)).flat();
  await writeRows({ client, table }, rows, (done) => progress(done / 2));
  await writeRows({ client, table }, countRowsOf(rows));
  client.destroy();
  // As if the functions had seen them long ago.
  const own = openEmulatorFile(file);
  own.forgetStream(table, Number.MAX_SAFE_INTEGER);
  own.close();
  await emulator.stop();
};
