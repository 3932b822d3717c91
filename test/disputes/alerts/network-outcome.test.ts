import { describe, expect, it } from 'vitest';
import { transact } from '#core/platform/table/table.ts';
import type { Alert } from '#disputes/alerts/alert.ts';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import {
  createOutcome,
  outcomeIdsOf,
  outcomeSweptFrom,
  toldProvider,
} from '#disputes/alerts/answer/network-outcome.ts';
import { newOutcomeWrite } from '#disputes/alerts/answer/network-outcome-row.ts';
import { useTable } from '#test/support/table.ts';
import { anAlert, start } from './samples.ts';

useTable();

const resolved: AlertUpdate = { status: 'RESOLVED', reason_code: '100.001' };
const answered: Alert = { ...anAlert(), status: 'RESOLVED', update: resolved, outcomes: 2 };
const outcome = () => createOutcome(answered, resolved, false, start) ?? expect.fail('It has no outcome');

describe('the outcomes of an alert', () => {
  it('are sent to no provider for a test alert and for a decision of the network', () => {
    expect(toldProvider(anAlert())).toBe('provider_a');
    expect(toldProvider(anAlert({ test: true }))).toBeNull();
    expect(toldProvider(anAlert({ type: 'DISPUTE_RDR' }))).toBeNull();
  });

  it('are named by their provider, the alert and their number', () => {
    const { alertId } = answered;
    expect(outcomeIdsOf(answered)).toEqual([`out_a_${alertId}_1`, `out_a_${alertId}_2`]);
    expect(outcomeIdsOf({ ...answered, owner: null })).toEqual([]);
  });
});

describe('a new outcome', () => {
  it('states everything that the merchant has said, but not who made the refund', () => {
    const said = { ...resolved, comments: 'Refunded by us' };
    const alert: Alert = { ...answered, update: { ...said, refunded_by: 'merchant' } };
    expect(createOutcome(alert, resolved, false, start)).toMatchObject({ update: said, sent: resolved });
    expect(createOutcome(alert, resolved, false, start)?.update).not.toHaveProperty('refunded_by');
  });

  it('is tried for three days, and is late shortly before the deadline or after it was created', () => {
    expect(outcome()).toMatchObject({ expiresAt: '2026-05-05T10:00:00.250Z', lateAt: '2026-05-03T08:00:00.000Z' });
    const afterwards = createOutcome(answered, resolved, false, '2026-05-03T09:00:00.000Z');
    expect(afterwards?.lateAt).toBe('2026-05-03T09:15:00.000Z');
    expect(outcomeSweptFrom({ ...outcome(), nextAttemptAt: null })).toBe('2026-05-03T00:00:00.000Z');
  });

  it('does not replace one that is stored under the same identifier', async () => {
    await transact({ outcome: newOutcomeWrite(outcome()) });
    await expect(transact({ outcome: newOutcomeWrite(outcome()) })).rejects.toThrow('outcome');
  });
});
