import { expect, it } from 'vitest';
import type { AlertUpdate } from '#disputes/alerts/answer/alert-update.ts';
import { deadlineForm, newAlertForm, statusUpdateForm } from '#disputes/alerts/outbox/alert-payload.ts';
import type { Enrollment } from '#disputes/enrollments/enrollment.ts';
import { statusUpdatePayload } from '#disputes/enrollments/enrollment-payload.ts';
import { deadlineFields, enrollmentFields, newAlertFields, statusUpdateFields } from '#lib/openapi/webhooks.ts';
import { anAlert, start } from '#test/disputes/alerts/samples.ts';

/** The document names exactly the fields that are sent. */
const names = (form: string): string[] => [...new Set(new URLSearchParams(form).keys())].sort();
const declared = (fields: object): string[] => Object.keys(fields).sort();

it('of a new alert', () => {
  expect(declared(newAlertFields)).toEqual(names(newAlertForm(anAlert())));
});

it('of a status update that says all that one can', () => {
  const update: AlertUpdate = {
    status: 'RESOLVED',
    reason_code: '101.001',
    alert_outcome_amount: '5.00',
    alert_outcome_currency: 'USD',
    alert_outcome_action_date: start,
    comments: 'a',
    merchant_notes: 'b',
    tx_details: [{ userid: '7' }],
  };
  const form = statusUpdateForm(7, update, start, { acceptedAt: start, why: null });
  expect(declared(statusUpdateFields)).toEqual(names(form));
});

it('of the warning before a deadline', () => {
  expect(declared(deadlineFields)).toEqual(names(deadlineForm(anAlert())));
});

it('of a change of an enrollment', () => {
  const enrollment: Enrollment = {
    ...{ enrollmentId: 1, sid: 1, mid: 1, rid: 1, merchantName: 'M', siteName: 'S' },
    ...{ emailCcList: [], providedBy: 'sandbox', createdAt: start, updatedAt: start, items: [], version: 1 },
  };
  expect(declared(enrollmentFields)).toEqual(Object.keys(statusUpdatePayload(enrollment)).sort());
});
