import { expect, it } from 'vitest';
import { deadlineForm, newAlertForm, statusUpdateForm } from '../../functions/alerts/outbox/payload.ts';
import type { Enrollment } from '../../functions/enrollments/enrollment.ts';
import { statusUpdatePayload } from '../../functions/enrollments/payload.ts';
import { deadlineFields, enrollmentFields, newAlertFields, statusUpdateFields } from '../../lib/openapi/webhooks.ts';
import { alertOf, start } from '../alerts/samples.ts';

/** The document names exactly the fields that are sent. */
const names = (form: string): string[] => [...new Set(new URLSearchParams(form).keys())].sort();
const declared = (fields: object): string[] => Object.keys(fields).sort();

it('of a new alert', () => {
  expect(declared(newAlertFields)).toEqual(names(newAlertForm(alertOf())));
});

it('of a status update that says all that one can', () => {
  const update = {
    status: 'RESOLVED',
    reason_code: '101.001',
    alert_outcome_amount: '5.00',
    alert_outcome_currency: 'USD',
    alert_outcome_action_date: start,
    comments: 'a',
    merchant_notes: 'b',
    tx_details: [{ userid: '7' }],
  } as const;
  const form = statusUpdateForm(7, update as never, start, { acceptedAt: start, why: null });
  expect(declared(statusUpdateFields)).toEqual(names(form));
});

it('of the warning before a deadline', () => {
  expect(declared(deadlineFields)).toEqual(names(deadlineForm(alertOf())));
});

it('of a change of an enrollment', () => {
  const enrollment = {
    enrollmentId: 1,
    createdAt: start,
    updatedAt: start,
    merchantName: 'M',
    siteName: 'S',
    items: [],
  };
  expect(declared(enrollmentFields)).toEqual(
    Object.keys(statusUpdatePayload(enrollment as unknown as Enrollment)).sort(),
  );
});
