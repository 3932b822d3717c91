import * as v from 'valibot';
import { isFields, isObject } from '#core/kernel/is-object.ts';
import { secretText } from '#core/platform/secrets/secrets.ts';
import { providerA } from '#disputes/providers/provider-a.ts';
import { secretFieldsOf } from '../connection-client.ts';
import type { Exchanged } from '../network-exchange-client.ts';
import { callProviderA, ProviderAConnection } from '../provider-a-connection-client.ts';

/** A network from which alerts are fetched. */
export type AlertSource = {
  /** Lists alerts that are not acknowledged yet, `size` at most. Throws PullError. */
  list(size: number): Promise<Record<string, unknown>[]>;
  /** Acknowledges alerts by their ids. Throws PullError. */
  acknowledge(alertIds: readonly string[]): Promise<void>;
};

/** The network could not be asked, or not all alerts were stored. */
export class PullError extends Error {
  override readonly name: string = 'PullError';
  /** The pause that the network asks for, in seconds. */
  readonly pauseSeconds: number | null;
  constructor(message: string, pauseSeconds: number | null = null) {
    super(message);
    this.pauseSeconds = pauseSeconds;
  }
}

/** Throws PullError unless the call was answered with 200. */
const okBody = (exchanged: Exchanged, path: string): unknown => {
  if (exchanged.kind !== 'answered') throw new PullError(`${path}: ${exchanged.words}`);
  const { status, body, pauseSeconds } = exchanged;
  if (status !== 200) throw new PullError(`${path}: it answered ${status}`, pauseSeconds);
  return body;
};

/**
 * provider_a's Pull API. The pages name the operations, the parameter `size` and the order of the calls; the bodies follow those of the
 * Outcome API, whose document is public: see docs/ethoca.md.
 * @see https://developer.mastercard.com/ethoca-alerts-for-merchants/documentation/tutorials-and-guides/pull-api-tutorial/
 */
export const providerAAlertSource = (connection: ProviderAConnection): AlertSource => ({
  list: async (size) => {
    const path = `/alerts?size=${size}`;
    const body = okBody(await callProviderA(connection, { method: 'GET', path }), path);
    const alerts = isFields(body) ? body['alerts'] : body;
    if (!Array.isArray(alerts)) throw new PullError(`${path}: its answer has no list of alerts`);
    return alerts.filter(isObject);
  },
  acknowledge: async (alertIds) => {
    const path = '/alerts/acknowledges';
    const acknowledges = alertIds.map((alertId) => ({ alertId, status: 'SUCCESS' }));
    okBody(await callProviderA(connection, { method: 'POST', path, body: JSON.stringify({ acknowledges }) }), path);
  },
});

/** Returns provider_a as this deployment reaches it. Throws PullError if its connection is missing or wrong. */
export const connectAlertSource = async (): Promise<AlertSource> => {
  const connection = v.safeParse(ProviderAConnection, secretFieldsOf(await secretText(providerA.outcomes.secret)));
  if (!connection.success) throw new PullError('The connection to it is not set up correctly');
  return providerAAlertSource(connection.output);
};
