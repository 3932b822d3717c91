import { describe, expect, it, vi } from 'vitest';
import { allowedCodes, needsAmount, needsComments, needsDuplicate } from '#disputes/alerts/answer/reason-codes.ts';
import { ingestMessage } from '#disputes/alerts/intake/ingest-store.ts';
import { ingestAlert } from '#disputes/alerts/intake/intake-store.ts';
import { type AlertProvider, providerSecrets, type SigningProvider } from '#disputes/providers/providers.ts';
import { registeredProviders } from '#disputes/providers/registered.ts';
import { decideAlert } from '#disputes/rules/decide/decide-store.ts';
import { aProviderAlert, settings } from '#test/disputes/alerts/samples.ts';
import { alertAt, fresh, makeRcode, seedSite } from '#test/disputes/alerts/seed.ts';
import { amountBelow, noProcessor } from '#test/disputes/rules/samples.ts';
import { ask, useOperations } from '#test/support/operations.ts';

/** A provider that only this test knows: it is registered, and nothing else is done for it. */
const fourth = vi.hoisted(() => ({ name: 'fourth_network' }));
vi.mock('#disputes/providers/registered.ts', async (original) => {
  const { defineProvider } = await import('#disputes/providers/provider.ts');
  const { blankProviderAlert, maskedCard, withdrawnCase } = await import('#disputes/providers/provider-alert.ts');
  const { anyResult, reason } = await import('#disputes/providers/reasons.ts');
  const { registeredProviders: ours, readers } = await original<typeof import('#disputes/providers/registered.ts')>();
  const added = defineProvider({
    name: fourth.name,
    secret: 'fourth-network',
    enrolledBy: 'descriptor',
    reasons: [
      reason('200', 'RESOLVED', anyResult, 'settled with the payer'),
      reason('300', 'DECLINED', anyResult, 'not settled'),
    ],
    codesWithAmount: [],
    ruleable: true,
    outcomes: null,
    withdraws: true,
  });
  const readFourth = ({ id, gone, descriptor, amount }: Record<'id' | 'gone' | 'descriptor' | 'amount', string>) =>
    gone
      ? { withdrawn: withdrawnCase(id) }
      : {
          alert: {
            ...blankProviderAlert,
            ...{ provider: fourth.name, caseId: id, type: 'DISPUTE', descriptor, amount, currency: 'USD' },
            ...{ card: maskedCard('411111', '1111'), transactionAt: '2026-04-30T08:15:00.000Z' },
          },
        };
  return { registeredProviders: [...ours, added], readers: { ...readers, [fourth.name]: readFourth } };
});

useOperations();

const okBody = async (answer: ReturnType<typeof ask>): Promise<Record<string, unknown>> => {
  const { status, body } = await answer;
  expect(body, `answered ${status}`).toMatchObject({});
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Record<string, unknown>;
};

/** A site whose alerts of this provider find it, by an enrollment that a person has carried out. */
const enrolledSite = async (name: string, enrolledBy: 'descriptor' | 'network' | null) => {
  const site = await seedSite({ alert: settings() });
  const own = {
    descriptor: `SHOP ${site.sid}`,
    ...(enrolledBy === 'network' && { bin: '423223', caid: `CAID${site.sid}` }),
  };
  const names = enrolledBy === 'network' ? { network_bin: own.bin, network_caid: own.caid } : {};
  const item = { provider: name, descriptor: own.descriptor, ...names };
  const created = await okBody(
    ask('enrollments/create-enrollment', {
      body: { sid: site.sid, enrollment_items: [{ ...item, provider: [name], match_type: 'Exact' }] },
    }),
  );
  const id = Number(created['enrollment_request_id']);
  await okBody(ask('enrollments/set-enrollment-item', { params: { id }, body: { ...item, status: 'ENROLLED' } }));
  expect(await okBody(ask('enrollments/enrollment-status', { params: { id } }))).toMatchObject({
    products: name,
    enrollment_request_items: { [name]: [{ descriptor: own.descriptor, status: 'ENROLLED' }] },
  });
  return { site, own };
};

/** The codes that can be sent without other fields. */
const plainCode = (provider: AlertProvider, status: 'RESOLVED' | 'DECLINED'): string =>
  allowedCodes(provider, status).find(
    (code) => !needsAmount(provider, code) && !needsComments(code) && !needsDuplicate(code),
  ) ?? 'none';

describe.each(registeredProviders.filter(({ enrolledBy }) => enrolledBy !== null))(
  'alerts of $name',
  ({ name, enrolledBy, ruleable, reasons, outcomes }) => {
    it('find the site that has enrolled, are decided by its rules, and take its answer', async () => {
      const { site, own } = await enrolledSite(name, enrolledBy);
      const take = async (amount: string) => {
        const sent = { ...own, provider: name, caseId: `C${fresh()}`, arn: '', authCode: '', amount };
        const taken = await ingestAlert(
          { enrolledBy },
          aProviderAlert({ ...sent, type: reasons.length > 0 ? 'DISPUTE' : 'DISPUTE_RDR' }),
        );
        expect(taken).toMatchObject({ matched: true, is_duplicate: false });
        expect(await alertAt(taken.alert_id)).toMatchObject({
          owner: { sid: site.sid },
          providerAlert: { provider: name },
        });
        return taken.alert_id;
      };

      const rule = await ask('rules/create-rule', {
        body: {
          ...{ sid: site.sid, name: 'Small ones', providers: [name], conditions: amountBelow(10) },
          action: { type: 'decline', reason_code: plainCode(name, 'DECLINED') },
        },
      });
      expect(rule).toMatchObject(
        ruleable ? { status: 200 } : { status: 400, body: { details: expect.stringContaining('providers') } },
      );

      const small = await take('5.00');
      await decideAlert(small, noProcessor, false);
      if (ruleable) expect((await alertAt(small)).status).toBe('DECLINED');

      const large = await take('500.00');
      const answer = await ask('alerts/update-alert', {
        as: 'nobody',
        headers: { rcode: makeRcode(site.sid) },
        body: { alert_id: String(large), status: 'RESOLVED', reason_code: plainCode(name, 'RESOLVED') },
      });
      expect(answer.status).toBe(reasons.length > 0 ? 200 : 400);
      // Its outcomes are rows, one for each update, where it receives any.
      expect((await alertAt(large)).outcomes).toBe(reasons.length > 0 && outcomes !== null ? 1 : 0);
    });
  },
);

it('takes the messages of one that has just been registered, and lets it take a case back', async () => {
  const { site, own } = await enrolledSite(fourth.name, 'descriptor');
  const provider = fourth.name as SigningProvider;
  const taken = await ingestMessage(provider, { id: `C${site.sid}`, amount: '12.00', descriptor: own.descriptor });
  expect(taken).toMatchObject({ matched: true, is_duplicate: false });
  expect(await alertAt(Number(taken.alert_id))).toMatchObject({ owner: { sid: site.sid }, withdrawnAt: null });
  expect(await ingestMessage(provider, { id: `C${site.sid}`, gone: 'yes' })).toEqual(taken);
  expect(await alertAt(Number(taken.alert_id))).toMatchObject({ withdrawnAt: expect.any(String) });
});

it('gives each that signs its alerts a secret of its own', () => {
  const names = providerSecrets.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(providerSecrets).toContainEqual({
    name: 'fourth-network',
    purpose: 'fourth_network signs its alerts with it',
  });
});
