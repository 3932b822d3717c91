import { expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { groupActs, hasAuditWords } from '#lib/dashboard/screens/audit-words.ts';
import { findSettingLabel, settingLabel, settingText } from '#lib/dashboard/screens/setting-words.ts';

const audited = operations.filter(({ audit }) => audit);

it('the audit log has words for each audited call, and for each field whose values it shows', () => {
  const names = audited.map(({ area, name }) => `${area}/${name}`);
  expect(names.filter((name) => !hasAuditWords(name))).toEqual([]);
  const fields = audited.flatMap(({ auditValues = {} }) =>
    Object.keys({ ...auditValues.sent, ...auditValues.changed }),
  );
  expect(fields.filter((field) => findSettingLabel(field) === undefined)).toEqual([]);
});

it.each([
  ['deadline_hours.FRAUD', 6, 'Hours to answer fraud', '6'],
  ['settings.mcc', '5732', 'Merchant category', '5732'],
  ['block.emails', 3, 'Always refused (E-mail addresses)', '3'],
  ['connections.Main shop.active', false, 'In use (Main shop)', 'No'],
  ['skip_ccv', 1, 'Security code not needed', 'Yes'],
  ['role', 'analyst', 'Role', 'Analyst'],
  ['name', 'refund_small', 'Name', 'refund_small'],
  ['permissions', ['alerts:read', 'refunds'], 'Permissions', 'Read alerts, Refund payments and alerts'],
  ['alertapiurl', null, 'New alerts go to', ''],
  ['some_field', 'x', 'Some field', 'x'],
])('the audit log says %s, %j as %s, %s', (field, value, label, text) => {
  expect([settingLabel(field), settingText(field, value)]).toEqual([label, text]);
});

it('the audit log puts repeated calls together, but not those from another address, site or day', () => {
  const row = {
    operation: 'auth/sign-in',
    by: 'ann',
    source_ip: '203.0.113.1',
    result: 'REFUSED',
    code: null,
    ids: {},
  };
  const at = '2026-05-02T10:00:00.000Z';
  const rows = [
    ...[{}, {}, { source_ip: '203.0.113.2' }, { by: 'eve' }, { by: 'eve', ids: { sid: 1 } }],
    { by: 'eve', ids: { sid: 1 }, at: '2026-05-01T10:00:00.000Z' },
  ].map((change) => ({ ...row, at, ...change }) as never);
  expect(groupActs(rows, 'utc').map(({ length }) => length)).toEqual([2, 1, 1, 1, 1]);
});
