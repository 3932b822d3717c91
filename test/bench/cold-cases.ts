import type { APIGatewayProxyEvent } from 'aws-lambda';
import { toRcodeItem } from '#accounts/merchants/site/site-row.ts';
import { nowMilliseconds } from '#core/kernel/clock.ts';
import { sha256 } from '#core/kernel/crypto.ts';
import type { Operation } from '#core/platform/operation/operation.ts';
import type { Item } from '#core/platform/table/table.ts';
import { toAlertItem } from '#disputes/alerts/alert-row.ts';
import { updateAlertOperation } from '#disputes/alerts/api/update-alert/operation.ts';
import { formType, newAlertForm } from '#disputes/alerts/outbox/alert-payload.ts';
import { lookupProviderBOperation } from '#disputes/lookups/api/lookup-provider-b/operation.ts';
import { createDelivery, newAlertDeliveryId } from '#messaging/webhooks/delivery/delivery.ts';
import { toDeliveryItem } from '#messaging/webhooks/delivery/delivery-row.ts';
import { toOrderItem } from '#payments/orders/order-row.ts';
import { singleTxOperation } from '#payments/transactions/api/singletx/operation.ts';
import { anAlert, aSite, start } from '#test/disputes/alerts/samples.ts';
import { gatewayEvent } from '#test/support/gateway-event.ts';
import { benchClientRow, benchOrder, lookupEvent } from './lookup-samples.ts';
import { makeShop, orderEvent, rowOfShop } from './payment-samples.ts';

/** An operation whose cold start is compared with that of `update-alert` written by hand. */
export type ColdCase = {
  operation: Operation;
  /** The title that distinguishes it from other cases of the same operation. */
  title: string;
  /** Returns the content of the table. */
  rows: () => Item[];
  /** Made for each call, as some are signed with the time. */
  event: () => APIGatewayProxyEvent;
  environment: Readonly<Record<string, string>>;
  /** The calls of AWS that it makes, in order. */
  sent: readonly string[];
  /** The maximum of its CPU, as a multiple of the baseline's. */
  maxCpu: number;
};

/** 0.85 of what `singletx` and `lookup-provider-b` by hand took (see docs/performance.md). */
const maxCpuOfOthers = 1.02;

const rcode = 'an-rcode-of-32-random-characters';
const site = aSite({ rcodes: [{ digest: sha256(rcode), sealed: '', validUntil: null }] });
const alert = anAlert({}, site);
const { alertId } = alert;

/** Returns the rows that update-alert reads: the site's rcode, its alert, and the pending notification of it. */
export const rowsOfUpdate = (): Item[] => [
  toAlertItem(alert),
  ...site.rcodes.map((one) => toRcodeItem(site, one)),
  toDeliveryItem(
    createDelivery({
      id: newAlertDeliveryId(alertId),
      kind: 'new_alert',
      sid: site.sid,
      mid: site.mid,
      rid: site.rid,
      alertId,
      contentType: formType,
      body: newAlertForm(alert),
      at: start,
    }),
  ),
];

/** A merchant's answer: it closes the alert, cancels the pending notification, and creates the outcome for the provider. */
export const updateEvent = gatewayEvent({
  path: updateAlertOperation.path,
  headers: { 'Content-Type': 'application/json', rcode },
  body: Buffer.from(
    JSON.stringify({
      alert_id: String(alertId),
      status: 'RESOLVED',
      reason_code: '100.001',
      alert_outcome_amount: '361.56',
      alert_outcome_currency: 'USD',
      alert_outcome_action_date: '2026-05-02T12:00:00Z',
      comments: 'Refunded in full',
      tx_details: [{ userid: '17', username: 'someone' }],
    }),
  ).toString('base64'),
  isBase64Encoded: true,
});

export const coldUpdate: ColdCase = {
  operation: updateAlertOperation,
  title: updateAlertOperation.name,
  rows: rowsOfUpdate,
  event: () => updateEvent,
  environment: {},
  sent: ['DynamoDB_20120810.BatchGetItem', 'DynamoDB_20120810.TransactWriteItems'],
  maxCpu: 0.7,
};

const payment = {
  operation: singleTxOperation,
  environment: { ALLOW_SANDBOX: 'true' },
  maxCpu: maxCpuOfOthers,
} as const;
const order = { tid: 'order-1', device_info: { ip: '8.8.8.8', device_id: 'd-17', bin_country: 'US' } };
const [plainShop, checkedShop] = [makeShop(12), makeShop(12, { ftid: 1 })];

/** A card payment that the sandbox approves. */
const coldPayment: ColdCase = {
  ...payment,
  title: singleTxOperation.name,
  rows: () => [rowOfShop(plainShop)],
  event: () => orderEvent(plainShop, order),
  sent: [
    'secretsmanager.GetSecretValue',
    'DynamoDB_20120810.BatchGetItem',
    'DynamoDB_20120810.TransactWriteItems',
    'DynamoDB_20120810.TransactWriteItems',
  ],
};

/** The same where a fraud template says whether it may be made. */
const coldCheckedPayment: ColdCase = {
  ...payment,
  title: `${singleTxOperation.name} with a fraud template`,
  rows: () => [rowOfShop(checkedShop)],
  event: () => orderEvent(checkedShop, order),
  sent: [
    'secretsmanager.GetSecretValue',
    'DynamoDB_20120810.BatchGetItem',
    'DynamoDB_20120810.BatchGetItem',
    'DynamoDB_20120810.TransactWriteItems',
    'DynamoDB_20120810.TransactWriteItems',
  ],
};

const soldOrder = benchOrder(2, 1, nowMilliseconds());

/** A cardholder's bank asks for an order by its acquirer's number, and is shown it. */
const coldLookup: ColdCase = {
  operation: lookupProviderBOperation,
  title: lookupProviderBOperation.name,
  rows: () => [benchClientRow, toOrderItem(soldOrder)],
  event: () => lookupEvent(soldOrder, 'arn', 'cold'),
  environment: {},
  sent: [
    'secretsmanager.GetSecretValue',
    'DynamoDB_20120810.BatchGetItem',
    'DynamoDB_20120810.Query',
    'AmazonSQS.SendMessageBatch',
  ],
  maxCpu: maxCpuOfOthers,
};

export const coldCases: readonly ColdCase[] = [coldUpdate, coldPayment, coldCheckedPayment, coldLookup];
