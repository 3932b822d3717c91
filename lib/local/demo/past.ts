import { setTimeout as wait } from 'node:timers/promises';
import { GetItemCommand, TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Site } from '#accounts/merchants/site/site.ts';
import { fromSiteItem } from '#accounts/merchants/site/site-row.ts';
import { iso, milliseconds } from '#core/kernel/clock.ts';
import type { KeyRing } from '#core/kernel/crypto.ts';
import { keys } from '#core/platform/table/keys.ts';
import type { Item, Write } from '#core/platform/table/table.ts';
import type { AlertPrice } from '#disputes/costs/price.ts';
import { pricesWrite } from '#disputes/costs/price-row.ts';
import type { Tables } from '../aws/tables.ts';
import type { Clock } from '../clock.ts';
import type { State } from '../state.ts';
import { errorText } from '../user-error.ts';
import { type DemoCredentials, pastKey } from './demo-tenant.ts';
import { pastAlert } from './past-alerts.ts';
import { disputedPayment, pastPayment } from './past-payments.ts';
import { presentSteps } from './present.ts';
import { createChance } from './seeded-chance.ts';

/**
 * The last 60 days of the demo merchant: alerts with their results, notifications that failed, payments and refunds. Operations cannot
 * create a past, so these are rows, written as the service's own functions write them; what can be created today, such as orders and rules,
 * goes through operations. All of it is created in steps while the person uses the stack, and a start that was cut off continues where the
 * one before stopped.
 */
export type Past = {
  /** Begins, or goes on, in the background. */
  begin(): void;
  /** Settles when it is made, or was stopped. */
  whenMade(): Promise<void>;
  /** Ends it after the step that is under way. */
  stop(): Promise<void>;
};

export type PastParts = {
  state: State;
  clock: Clock;
  tables: Tables;
  url: string;
  credentials: () => DemoCredentials | undefined;
  encryption: () => KeyRing;
  report: (sentence: string) => void;
};

const maxAlerts = 300;
const maxPayments = 120;
const perStep = 10;
/** Between two steps, so that callers waiting for an answer get it first. */
const pauseMilliseconds = 20;

export const createPast = (parts: PastParts): Past => {
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  return {
    begin: () => {
      isStopped = false;
      running = running
        .then(() => make(parts, () => isStopped))
        .catch((error: unknown) => parts.report(`The demo merchant's past is not whole: ${errorText(error)}`));
    },
    whenMade: () => running,
    stop: () => {
      isStopped = true;
      return running;
    },
  };
};

type Step = () => Promise<void>;

const make = async (parts: PastParts, isStopped: () => boolean): Promise<void> => {
  const { state } = parts;
  const steps = await pastSteps(parts);
  for (let next = Number(state.get(pastKey) ?? 0); next < steps.length; next += 1) {
    if (isStopped()) return;
    await steps[next]?.();
    state.set(pastKey, String(next + 1));
    await wait(pauseMilliseconds);
  }
};

const pastSteps = async (parts: PastParts): Promise<Step[]> => {
  const { tables, clock } = parts;
  const credentials = parts.credentials();
  if (!credentials) return [];
  const [site, paymentSite] = await Promise.all(
    [credentials.site.sid, credentials.payment_site.sid].map((sid) => readSite(tables, sid)),
  );
  if (!site || !paymentSite) return [];
  const ring = parts.encryption();
  const now = clock.now();
  const paymentPlace = (number: number) => ({
    number,
    site: paymentSite,
    chance: createChance(10_000 + number),
    ring,
    now,
  });
  const alerts = (number: number) =>
    pastAlert(number, site, createChance(number), now, (alert) => disputedPayment(paymentPlace(2000 + number), alert));
  return [
    () => writeOnce(tables, [pricesWrite(site.mid, { list: prices(iso(now - 90 * milliseconds.day)), version: 1 })]),
    ...presentSteps({ url: parts.url, credentials }),
    ...portions(maxAlerts, (number) => writeOnce(tables, alerts(number))),
    ...portions(maxPayments, (number) => writeOnce(tables, pastPayment(paymentPlace(number)))),
  ];
};

/** The prices of alerts, as resellers publish them. `from`: ISO; operations can only set those of the future. */
const prices = (from: string): AlertPrice[] =>
  (
    [
      ['provider_a', '29.00'],
      ['provider_b', '15.00'],
      ['rdr', '15.00'],
    ] as const
  ).map(([provider, price]) => ({
    ...{ provider, tier: null, alertType: null, price, currency: 'USD' },
    ...{ from, setAt: from, setBy: 'demo' },
  }));

/** Several numbers to a step, one after the other. */
const portions = (count: number, write: (number: number) => Promise<void>): Step[] =>
  Array.from({ length: Math.ceil(count / perStep) }, (_, portion) => async () => {
    const last = Math.min(count, (portion + 1) * perStep);
    for (let number = portion * perStep + 1; number <= last; number += 1) await write(number);
  });

/** Through this stack's own client, for the stores' would stay with the first of several stacks in one process. */
const readSite = async ({ client }: Tables, sid: number): Promise<Site | undefined> => {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: process.env['TABLE_NAME'], Key: marshall(keys.site(sid)) }),
  );
  return Item && fromSiteItem(unmarshall(Item));
};

/** Writes one transaction; one that an earlier start has written fails on its condition, and is left. */
const writeOnce = async ({ client }: Tables, writes: readonly Write[]): Promise<void> => {
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems: writes.map(marshallWrite) }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
  }
};

const options = { removeUndefinedValues: true } as const;
const values = (given: Item | undefined) => given && marshall(given, options);

const marshallWrite = ({ Put, Update }: Write) => {
  const TableName = process.env['TABLE_NAME'];
  if (Put) {
    const { Item: item, ExpressionAttributeValues, ...rest } = Put;
    return {
      Put: { ...rest, TableName, Item: values(item), ExpressionAttributeValues: values(ExpressionAttributeValues) },
    };
  }
  if (!Update) throw new Error('A past consists of new rows and of sums.');
  const { Key, ExpressionAttributeValues, ...rest } = Update;
  return {
    Update: { ...rest, TableName, Key: values(Key), ExpressionAttributeValues: values(ExpressionAttributeValues) },
  };
};
