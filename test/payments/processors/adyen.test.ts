import { inspect } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { nowIso, nowMilliseconds, setClock } from '#core/kernel/clock.ts';
import { adyenProcessor } from '#payments/processors/adyen/adyen-client.ts';
import type { AdyenCredentials } from '#payments/processors/adyen/adyen-exchange-client.ts';
import { adyenMemory } from '#payments/processors/adyen/adyen-store.ts';
import { type AdyenMemory, adyenSignature } from '#payments/processors/adyen/adyen-webhook.ts';
import { merchantReferenceOf } from '#payments/processors/merchant-reference.ts';
import type { PayCommand, Processor } from '#payments/processors/ports/processor.ts';
import { type FakeAdyen, type Notice, startFakeAdyen } from '#test/support/fake-adyen.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { useTable } from '#test/support/table.ts';
import { useServer } from '#test/support/use-server.ts';
import { describeProcessor, followUp, paidAt, payCommand, threeDsResult, toQuery } from './contract.ts';

useTable();

const minute = 60_000;
const hour = 60 * minute;

const processorAt = (
  fake: FakeAdyen,
  scope: string,
  change: Partial<AdyenCredentials> = {},
  memory: AdyenMemory = adyenMemory(scope),
): Processor =>
  adyenProcessor(
    {
      api_key: fake.apiKey,
      merchant_account: fake.merchantAccount,
      hmac_key: fake.hmacKey,
      environment: 'test',
      base_url: fake.url,
      ...change,
    },
    memory,
  );

const move = (milliseconds: number) => {
  const then = nowMilliseconds() + milliseconds;
  setClock(() => then);
};

const deliver = async (fake: FakeAdyen, adyen: Processor) => {
  for (const call of fake.takeWebhooks()) expect(await adyen.readWebhook(call)).toBeDefined();
};

const pays = /POST \/v71\/payments$/;
const modifications = /POST \/v71\/payments\/\w+\/(captures|cancels|refunds)$/;

let contracted: FakeAdyen;
/** True if a payment goes on by itself once time does. */
let isPending = false;
describeProcessor('adyen', {
  start: async () => {
    contracted = await startFakeAdyen();
    const adyen = processorAt(contracted, '1');
    const begun: { command: PayCommand; startedAt: string }[] = [];
    // One after another: a caller who asks for the webhooks waits for those that another is delivering.
    let delivering: Promise<void> = Promise.resolve();
    const settle = () => {
      delivering = delivering.then(() => deliver(contracted, adyen));
      return delivering;
    };
    return {
      processor: {
        ...adyen,
        pay: async (command) => {
          const startedAt = nowIso();
          const outcome = await adyen.pay(command);
          if (outcome.outcome === 'UNKNOWN') begun.push({ command, startedAt });
          return outcome;
        },
        // Adyen's webhooks are there within seconds: before anybody asks.
        query: async (query) => {
          if (query.kind === 'pay' && query.reference === null) await settle();
          return adyen.query(query);
        },
      },
      // While time goes on, what is in doubt is asked for now and then, as the ledger does.
      move: async (milliseconds) => {
        move(milliseconds);
        for (const { command, startedAt } of begun) await adyen.query(toQuery('pay', command, { startedAt }));
      },
      settle: async () => {
        if (isPending) contracted.finishPending();
        isPending = false;
        await settle();
      },
      completeRedirect: async (url, answer) => ({
        authType: 'redirect',
        authValue: contracted.authenticate(url, answer),
      }),
      performed: async () => ({ ...contracted.performed }),
      webhook: async (pspReference, txid) =>
        contracted.sign([
          {
            ...{ eventCode: 'AUTHORISATION', success: true, pspReference },
            merchantReference: merchantReferenceOf({ txid, idempotencyKey: 'any' }),
          },
        ]),
    };
  },
  stop: async () => {
    setClock();
    await contracted[Symbol.asyncDispose]();
  },
  approve: {},
  declines: {
    card_declined: { number: '4000000000000002' },
    insufficient_funds: { number: '4000000000009995' },
    expired_card: { number: '4000000000000069' },
    incorrect_cvc: { number: '4000000000000127' },
    incorrect_number: { number: '4242424242424241' },
    issuer_unavailable: { number: '4000000000000119' },
    limit_exceeded: { number: '4000000000006975' },
    suspected_fraud: { number: '4100000000000019' },
    authentication_required: { number: '4000002500001001' },
  },
  pending: {
    number: '4000000000000077',
    after: minute,
    arrange: () => {
      isPending = true;
    },
  },
  lost: { arrange: () => contracted.fail('lost', pays) },
  neverArrives: { arrange: () => contracted.fail('never', pays), certainAfter: 15 * minute },
  lostFollowUp: { arrange: () => contracted.fail('lost', modifications) },
  slow: { arrange: () => contracted.fail('slow', pays) },
  refundFails: { number: '4000000000005126' },
  redirect: { number: '4000002760003184' },
  abandonedAfter: hour,
  currencies: { none: 'JPY', three: 'KWD', unsupported: 'AFN' },
  webhook: { hasTime: false },
});

describe('adyen: when Adyen fails or sends an unusual reply', async () => {
  const fake = await useServer(startFakeAdyen());
  const adyen = processorAt(fake, '2');
  afterEach(() => setClock());

  const paid = (capture = true) => paidAt(adyen, capture);
  /** A payment whose answer is lost and whose webhooks are held back. */
  const inDoubt = async (fault: 'lost' | 'never', change: { capture?: boolean } = {}) => {
    await deliver(fake, adyen);
    fake.fail(fault, pays);
    const command = payCommand(change);
    const query = toQuery('pay', command, { startedAt: nowIso() });
    expect(await adyen.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
    const held = fake.takeWebhooks();
    return { command, query, held };
  };
  const left = (command: PayCommand) => {
    const payment = fake.payments.find(({ reference }) => reference === merchantReferenceOf(command));
    return payment && { state: payment.state, kept: payment.captured - payment.refunded };
  };

  it('tells the authorisation code of a payment', async () => {
    expect((await paid()).outcome).toMatchObject({ authCode: '065696' });
  });

  describe('of an authentication that took place before', () => {
    const asked = { number: '4000002760003184' };
    const sent = () => JSON.parse(fake.requests.findLast(({ path }) => path.endsWith('/payments'))?.body ?? '{}');
    const values = { threeDSVersion: '2.2.0', cavv: 'AAABBBCCCDDD', dsTransID: 'd-1', eci: '05' };

    it('tells the status of the ARes, and of no challenge where there was none', async () => {
      expect(await adyen.pay({ ...payCommand(asked), threeDs: threeDsResult() })).toMatchObject({ outcome: 'OK' });
      expect(sent()).toMatchObject({ authenticationData: { attemptAuthentication: 'never' } });
      expect(sent().mpiData).toEqual({ ...values, directoryResponse: 'Y' });
    });

    it('reports how a challenge ended', async () => {
      const challenge = {
        aresTransStatus: 'C',
        challengeTransStatus: 'Y',
        transStatusReason: '15',
        challengeCancel: '01',
      };
      const outcome = await adyen.pay({ ...payCommand(asked), threeDs: threeDsResult(challenge) });
      expect(outcome).toMatchObject({ outcome: 'OK' });
      const { transStatusReason, challengeCancel } = challenge;
      const statuses = { directoryResponse: 'C', authenticationResponse: 'Y' };
      expect(sent().mpiData).toEqual({ ...values, ...statuses, transStatusReason, challengeCancel });
      await adyen.pay({ ...payCommand(asked), threeDs: threeDsResult({ ...challenge, challengeTransStatus: null }) });
      expect(sent().mpiData).toMatchObject(statuses);
    });

    it.each([
      ['tra', 'transactionRiskAnalysis'],
      ['trusted', 'trustedBeneficiary'],
    ] as const)('tells of the exemption %s, with values or without', async (exemption, scaExemption) => {
      for (const cavv of ['AAABBBCCCDDD', null]) {
        const threeDs = threeDsResult({ transStatus: 'I', aresTransStatus: 'I', exemption, cavv });
        expect(await adyen.pay({ ...payCommand(asked), threeDs })).toMatchObject({ outcome: 'OK' });
        expect(sent().authenticationData).toEqual({ attemptAuthentication: 'never' });
        expect(sent().additionalData).toEqual({ scaExemption });
        await adyen.pay({ ...payCommand(asked), capture: false, threeDs });
        expect(sent().additionalData).toEqual({ scaExemption, manualCapture: 'true' });
        expect('mpiData' in sent()).toBe(cavv !== null);
      }
    });

    it('sends the browser of the payer where an authentication is possible, and none where it is not', async () => {
      const browser = {
        ...{ acceptHeader: 'text/html', userAgent: 'Mozilla/5.0 (X11)', language: 'de-CH', colorDepth: 24 },
        ...{ screenHeight: 800, screenWidth: 1280, timeZoneOffset: -60, javaEnabled: false, javaScriptEnabled: true },
      };
      expect(await adyen.pay({ ...payCommand(asked), browser })).toMatchObject({ outcome: 'PEND' });
      expect(sent().browserInfo).toEqual(browser);
      await adyen.pay({ ...payCommand(asked), browser, threeDs: threeDsResult() });
      expect(sent()).not.toHaveProperty('browserInfo');
    });

    it('has the payer authenticated where nothing proves it', async () => {
      const threeDs = threeDsResult({ cavv: null, exemption: 'sca_done' });
      expect(await adyen.pay({ ...payCommand(asked), threeDs })).toMatchObject({ outcome: 'PEND' });
      const again = { ...payCommand({ authenticate: true }), threeDs: threeDsResult({ exemption: 'tra' }) };
      expect(await adyen.pay(again)).toMatchObject({ outcome: 'PEND' });
      expect(sent().authenticationData).toEqual({
        attemptAuthentication: 'always',
        threeDSRequestData: { nativeThreeDS: 'disabled' },
      });
    });
  });

  it.each(['lost', 'cut', 'done500', 500, 503, 408, 409] as const)('%s: unknown', async (fault) => {
    fake.fail(fault, pays);
    expect(await adyen.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    const { command, reference } = await paid();
    fake.fail(fault, modifications);
    expect(await adyen.refund(followUp(command, reference))).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('retries after one broken connection and pays once', async () => {
    const before = fake.performed.pay;
    for (const fault of ['lost', 'never'] as const) {
      fake.fail(fault, pays, 1);
      expect(await adyen.pay(payCommand()), fault).toMatchObject({ outcome: 'OK' });
    }
    expect(fake.performed.pay - before).toBe(2);
  });

  it('no listener, asked to wait, wrong credentials: nothing was done', async () => {
    const nobody = processorAt(fake, '2', { base_url: await deadUrl() });
    expect(await nobody.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    fake.fail(429, pays);
    expect(await adyen.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    const refused = processorAt(fake, '2', { api_key: 'wrong' });
    expect(await refused.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
    const elsewhere = processorAt(fake, '2', { merchant_account: 'Another' });
    expect(await elsewhere.pay(payCommand())).toMatchObject({ outcome: 'EXC', code: 'processor_credentials' });
  });

  it('follows no redirect', async () => {
    fake.fail(307, pays);
    expect(await adyen.pay(payCommand())).toMatchObject({ outcome: 'UNKNOWN' });
    expect(fake.requests.filter(({ path }) => path === '/elsewhere')).toEqual([]);
  });

  it('a key that comes with another amount is left open', async () => {
    const { command } = await paid();
    const other = { ...command, money: { ...command.money, minor: 2100n } };
    expect(await adyen.pay(other)).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it('a payment in doubt is unknown until its webhook comes', async () => {
    const { query, held } = await inDoubt('lost');
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    for (const call of held) await adyen.readWebhook(call);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'OK', reference: fake.payments.at(-1)?.psp });
  });

  it.each(['4000000000000002', '4000000000009995'])(
    'a refused payment is no payment when its webhook comes: %s',
    async (card) => {
      const command = payCommand({ number: card });
      const { reference } = (await adyen.pay(command)) as { reference: string };
      await deliver(fake, adyen);
      const query = { ...toQuery('pay', command, { startedAt: nowIso() }), reference };
      expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', reference });
    },
  );

  it('an authorisation in doubt without a webhook is cancelled, and then surely not there', async () => {
    const { command, query } = await inDoubt('lost', { capture: false });
    move(15 * minute);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(left(command)).toMatchObject({ state: 'cancelled' });
    await deliver(fake, adyen);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
  });

  it('a payment that was ended is given back when its webhook comes late, and is never OK', async () => {
    const { command, query, held } = await inDoubt('lost');
    move(15 * minute);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    const before = fake.reversed;
    for (const call of [...held, ...held]) await adyen.readWebhook(call);
    expect(fake.reversed - before).toBe(1);
    expect(left(command)?.kept).toBe(0);
    await deliver(fake, adyen);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' });
    expect(fake.reversed - before).toBe(1);
  });

  /** Creates Adyen's notice of a dispute of the last payment. */
  const disputed = (command: PayCommand, eventCode: string) =>
    fake.sign([
      {
        ...{ eventCode, success: true, pspReference: `DISPUTE${command.txid}` },
        ...{ originalReference: fake.payments.at(-1)?.psp ?? '', merchantReference: merchantReferenceOf(command) },
      },
    ]);

  it('a dispute proves that a payment in doubt was made, though its own webhook never came', async () => {
    const { command, query } = await inDoubt('lost');
    await adyen.readWebhook(disputed(command, 'CHARGEBACK'));
    const made = { outcome: 'OK', reference: fake.payments.at(-1)?.psp };
    expect(await adyen.query(query)).toEqual(made);
    move(hour);
    expect(await adyen.query(query)).toEqual(made);
  });

  it('a payment that was ended after its money was taken is given back as soon as Adyen names it', async () => {
    const { command, query } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    fake.fail(503, /reversals$/);
    await deliver(fake, adyen);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
    expect(left(command)?.kept).toBe(0);
  });

  it('a payment that was ended is not given back while an issuer has its money', async () => {
    const { command, query, held } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    fake.takeWebhooks();
    const before = fake.reversed;
    const news = await adyen.readWebhook(disputed(command, 'NOTIFICATION_OF_CHARGEBACK'));
    for (const call of [...held, disputed(command, 'CHARGEBACK')]) await adyen.readWebhook(call);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' });
    expect([fake.reversed - before, left(command)?.kept]).toEqual([0, 2000]);
    await adyen.readWebhook(disputed(command, 'CHARGEBACK_REVERSED'));
    expect([fake.reversed - before, left(command)?.kept]).toEqual([1, 0]);
    // That it was given back changes what its disputes come to.
    const [told] = fake.takeWebhooks();
    const again = told && (await adyen.readWebhook(told));
    const named = [`DISPUTE${command.txid}`];
    expect([news, again].map((events) => [...new Set(events?.flatMap(({ dispute }) => dispute ?? []))])).toEqual([
      named,
      named,
    ]);
  });

  it('a payment that was ended and cannot be given back stands, once it is known not to be cancelled', async () => {
    const { query, held } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    const cancelled = fake.takeWebhooks();
    // A part of it was refunded by hand.
    Object.assign(fake.payments.at(-1) ?? {}, { refunded: 1 });
    for (const call of held) await adyen.readWebhook(call);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' });
    await deliver(fake, adyen);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    for (const call of cancelled) await adyen.readWebhook(call);
    const standing = { outcome: 'OK', reference: fake.payments.at(-1)?.psp };
    expect(await adyen.query(query)).toEqual(standing);
    // It was reported as paid: a notice that is repeated, when its idempotency key is forgotten, refunds nothing.
    const before = fake.requests.length;
    move(8 * 24 * hour);
    for (const call of held) await adyen.readWebhook(call);
    expect(fake.requests).toHaveLength(before);
    expect(await adyen.query(query)).toEqual(standing);
  });

  /** A payment that was ended and then found to be there, while an issuer has its money. */
  const endedAndDisputed = async () => {
    const { command, query } = await inDoubt('lost');
    fake.takeWebhooks();
    move(40 * minute);
    await adyen.query(query);
    fake.takeWebhooks();
    const cancel = { eventCode: 'TECHNICAL_CANCEL', success: false, pspReference: `CANCEL${command.txid}` };
    await adyen.readWebhook(fake.sign([{ ...cancel, merchantReference: merchantReferenceOf(command) }]));
    expect(await adyen.query(query)).toMatchObject({ outcome: 'NOT_FOUND' });
    await adyen.readWebhook(disputed(command, 'CHARGEBACK'));
    return { command, query };
  };
  const toldOnTheWay = async (act: () => Promise<unknown>) => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await act();
    const lines = written.mock.calls.flat().join('\n');
    written.mockRestore();
    return lines;
  };

  it('notifies an operator of a payment that Adyen neither cancels, naming it, nor reverses', async () => {
    const { command, query } = await inDoubt('lost');
    fake.takeWebhooks();
    move(40 * minute);
    await adyen.query(query);
    fake.takeWebhooks();
    const about = {
      merchantReference: merchantReferenceOf(command),
      originalReference: fake.payments.at(-1)?.psp ?? '',
    };
    const cancel = { eventCode: 'TECHNICAL_CANCEL', success: false, pspReference: `CANCEL${command.txid}`, ...about };
    await adyen.readWebhook(fake.sign([cancel]));
    fake.fail(422, /reversals$/);
    const lines = await toldOnTheWay(async () =>
      expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' }),
    );
    expect(lines).toContain('"reversal_refused"');
    expect(lines).toContain('"ContradictedOutcomes":1');
  });

  it('a reversal that Adyen refuses permanently blocks no webhook and no query, and an operator is notified', async () => {
    const { command, query } = await endedAndDisputed();
    fake.fail(422, /reversals$/);
    let news: readonly { dispute?: string }[] | undefined;
    const lines = await toldOnTheWay(async () => {
      news = await adyen.readWebhook(disputed(command, 'CHARGEBACK_REVERSED'));
    });
    expect(news?.map(({ dispute }) => dispute)).toContain(`DISPUTE${command.txid}`);
    expect(lines).toContain('"reversal_refused"');
    expect(lines).toContain('"ContradictedOutcomes":1');
    fake.fail(422, /reversals$/);
    expect(
      await toldOnTheWay(async () => expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' })),
    ).toContain('"ContradictedOutcomes":1');
  });

  it.each([429, 401, 503])('retries a reversal that Adyen answers with %s', async (status) => {
    const { command, query } = await endedAndDisputed();
    fake.fail(status, /reversals$/);
    await expect(adyen.readWebhook(disputed(command, 'CHARGEBACK_REVERSED'))).rejects.toThrow('reversed');
    fake.fail(status, /reversals$/);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    await adyen.readWebhook(disputed(command, 'CHARGEBACK_REVERSED'));
    expect(left(command)?.kept).toBe(0);
  });

  it('a payment whose money was taken is not said to be gone while Adyen takes no more requests', async () => {
    const { command, query } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    await deliver(fake, adyen);
    fake.fail(429, /reversals$/);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' });
    expect(left(command)?.kept).toBe(0);
  });

  it('a payment that was given back is not given back again, though its idempotency key is forgotten', async () => {
    const { command, query, held } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    for (const call of held) await adyen.readWebhook(call);
    await deliver(fake, adyen);
    const reversals = () => fake.requests.filter(({ path }) => path.endsWith('/reversals')).length;
    const before = reversals();
    move(8 * 24 * hour);
    for (const code of ['CHARGEBACK', 'CHARGEBACK_REVERSED']) await adyen.readWebhook(disputed(command, code));
    for (const call of held) await adyen.readWebhook(call);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC' });
    expect(reversals()).toBe(before);
  });

  it('an authorisation that was cancelled before it could be reversed is gone, however late that is reported', async () => {
    const { query, held } = await inDoubt('lost', { capture: false });
    move(15 * minute);
    await adyen.query(query);
    const cancelled = fake.takeWebhooks();
    for (const call of held) await adyen.readWebhook(call);
    await deliver(fake, adyen);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    for (const call of cancelled) await adyen.readWebhook(call);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', code: 'processor_unavailable' });
  });

  it('refuses a webhook that it could not process, so that Adyen sends it again', async () => {
    const { command, query, held } = await inDoubt('lost');
    move(15 * minute);
    await adyen.query(query);
    fake.fail(503, /reversals$/);
    await expect(adyen.readWebhook(held[0] ?? { headers: {}, rawBody: '' })).rejects.toThrow('reversed');
    expect(left(command)?.kept).toBe(2000);
    for (const call of held) await adyen.readWebhook(call);
    expect(left(command)?.kept).toBe(0);
  });

  it('whether it is kept or ended is decided once, however it is asked for at the same time', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { command, query, held } = await inDoubt('lost');
      move(15 * minute);
      await Promise.all([
        adyen.query(query),
        ...held.map((call) => adyen.readWebhook(call)),
        adyen.query(query),
        adyen.query(query),
      ]);
      await deliver(fake, adyen);
      const outcomes = await Promise.all([adyen.query(query), adyen.query(query)]);
      const isKept = left(command)?.kept === 2000;
      for (const { outcome } of outcomes) expect(outcome).toBe(isKept ? 'OK' : 'EXC');
    }
  });

  it.each(['before remember', 'after remember', 'after recall'] as const)(
    'a webhook that comes while a query gives up (%s) leaves what the query says',
    async (point) => {
      const { command, query, held } = await inDoubt('lost');
      move(15 * minute);
      const outcomes: unknown[] = [];
      const giveUp = async () => {
        await adyen.query(query);
        await deliver(fake, adyen);
        outcomes.push((await adyen.query(query)).outcome);
      };
      const memory = adyenMemory('2');
      const meanwhile = processorAt(
        fake,
        '2',
        {},
        {
          ...memory,
          remember: async (notices) => {
            if (point === 'before remember') await giveUp();
            await memory.remember(notices);
            if (point === 'after remember') await giveUp();
          },
          recall: async (reference) => {
            const known = await memory.recall(reference);
            if (point === 'after recall') await giveUp();
            return known;
          },
        },
      );
      for (const call of held) await meanwhile.readWebhook(call);
      const isKept = left(command)?.kept === 2000;
      expect(outcomes).toEqual([isKept ? 'OK' : 'EXC']);
      await deliver(fake, adyen);
      expect((await adyen.query(query)).outcome).toBe(isKept ? 'OK' : 'EXC');
    },
  );

  it('a query that found the authorisation does not return OK once another process has given up', async () => {
    const { command, query, held } = await inDoubt('lost');
    for (const call of held) await adyen.readWebhook(call);
    const memory = adyenMemory('2');
    let isFirst = true;
    const late = processorAt(
      fake,
      '2',
      {},
      {
        ...memory,
        recall: async (reference) => {
          const known = await memory.recall(reference);
          if (isFirst) await memory.decide(reference, 'end');
          isFirst = false;
          return known;
        },
      },
    );
    expect(await late.query(query)).toMatchObject({ outcome: 'EXC' });
    expect(left(command)?.kept).toBe(0);
  });

  it('a payer who returns after the payment was ended pays nothing', async () => {
    const command = payCommand({ number: '4000002760003184' });
    const startedAt = nowIso();
    const outcome = await adyen.pay(command);
    if (outcome.outcome !== 'PEND' || outcome.nextAction?.type !== 'redirect') throw new Error('No redirect');
    const authValue = fake.authenticate(outcome.nextAction.url, 'approve');
    move(hour);
    const { reference } = outcome;
    expect(await adyen.query(toQuery('pay', command, { reference, startedAt }))).toMatchObject({ outcome: 'EXC' });
    const answer = { idempotencyKey: 'k-late', reference, authType: 'redirect', authValue, miscData: null };
    expect(await adyen.continueAuth(answer)).toMatchObject({ outcome: 'EXC', code: 'authentication_abandoned' });
    expect(left(command)).toMatchObject({ state: 'waiting', kept: 0 });
  });

  it('the result of another payment does not count, however it is brought, and settles that one', async () => {
    const [dear, cheap] = [payCommand({ number: '4000002760003184' }), payCommand({ number: '4000002760003184' })];
    const startedAt = nowIso();
    const [begun, other] = [await adyen.pay(dear), await adyen.pay(cheap)];
    if (begun.outcome !== 'PEND' || other.outcome !== 'PEND' || other.nextAction?.type !== 'redirect') {
      throw new Error('No redirect');
    }
    const { reference } = begun;
    const authValue = fake.authenticate(other.nextAction.url, 'approve');
    const answer = { idempotencyKey: 'k-others', reference, authType: 'redirect', authValue, miscData: null };
    expect(await adyen.continueAuth(answer)).toEqual({ outcome: 'PEND', reference });
    await deliver(fake, adyen);
    const asked = async (command: PayCommand, known: string) =>
      (await adyen.query(toQuery('pay', command, { reference: known, startedAt }))).outcome;
    expect([await asked(dear, reference), await asked(cheap, other.reference)]).toEqual(['PEND', 'OK']);
    expect([left(dear)?.kept, left(cheap)?.kept]).toEqual([0, 2000]);
  });

  it('a payer who waits still has their page when Adyen is asked', async () => {
    const command = payCommand({ number: '4000002760003184' });
    const startedAt = nowIso();
    const outcome = await adyen.pay(command);
    const reference = outcome.outcome === 'PEND' ? outcome.reference : null;
    expect(await adyen.query(toQuery('pay', command, { reference, startedAt }))).toEqual({
      outcome: 'PEND',
      reference,
    });
  });

  it('a wrong redirect result leaves the payment open for the right one', async () => {
    const command = payCommand({ number: '4000002760003184' });
    const outcome = await adyen.pay(command);
    if (outcome.outcome !== 'PEND' || outcome.nextAction?.type !== 'redirect') throw new Error('No redirect');
    const answer = { reference: outcome.reference, authType: 'redirect', miscData: null };
    const wrong = await adyen.continueAuth({ ...answer, idempotencyKey: 'k-wrong', authValue: 'X-nothing' });
    expect(wrong).toMatchObject({ outcome: 'PEND' });
    const authValue = fake.authenticate(outcome.nextAction.url, 'approve');
    expect(await adyen.continueAuth({ ...answer, idempotencyKey: 'k-right', authValue })).toMatchObject({
      outcome: 'OK',
    });
  });

  it.each(['capture', 'void', 'refund'] as const)('a %s that never arrived is sent again by a query', async (kind) => {
    const { command, reference } = await paid(kind === 'refund');
    fake.fail('never', modifications);
    const order = followUp(command, reference);
    const query = toQuery(kind, order, { paymentReference: reference, startedAt: nowIso() });
    const before = fake.performed[kind];
    expect(await adyen[kind](order)).toMatchObject({ outcome: 'UNKNOWN' });
    const [one, other] = await Promise.all([adyen.query(query), adyen.query(query)]);
    expect(one).toMatchObject({ outcome: 'PEND' });
    expect(other).toEqual(one);
    expect(fake.performed[kind] - before).toBe(1);
    move(8 * 24 * hour);
    const unasked = toQuery(kind, { ...order, idempotencyKey: 'never-sent' }, { ...query, reference: null });
    expect(await adyen.query(unasked)).toMatchObject({ outcome: 'UNKNOWN' });
  });

  it.each([401, 403, 429, 'never', 'nobody'] as const)(
    'a refund in doubt stays in doubt when it cannot be sent again (%s)',
    async (fault) => {
      const { command, reference } = await paid();
      fake.fail('lost', modifications);
      const order = followUp(command, reference);
      const query = toQuery('refund', order, { paymentReference: reference, startedAt: nowIso() });
      expect(await adyen.refund(order)).toMatchObject({ outcome: 'UNKNOWN' });
      fake.takeWebhooks();
      const asked = fault === 'nobody' ? processorAt(fake, '1', { base_url: await deadUrl() }) : adyen;
      if (fault !== 'nobody') fake.fail(fault, modifications);
      expect(await asked.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
      expect(await adyen.query(query)).toMatchObject({ outcome: 'PEND' });
    },
  );

  it('a returned refund has failed, though it was reported as done', async () => {
    const { command, reference } = await paid();
    const order = followUp(command, reference);
    const begun = await adyen.refund(order);
    if (begun.outcome !== 'PEND') throw new Error(begun.outcome);
    await deliver(fake, adyen);
    const query = toQuery('refund', order, { reference: begun.reference, startedAt: nowIso() });
    expect(await adyen.query(query)).toMatchObject({ outcome: 'OK' });
    const merchantReference = merchantReferenceOf(order);
    const back: Notice = {
      ...{ eventCode: 'REFUNDED_REVERSED', success: true, pspReference: begun.reference, merchantReference },
      originalReference: reference,
    };
    await adyen.readWebhook(fake.sign([back]));
    expect(await adyen.query(query)).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
  });

  it('believes a webhook only with every item signed, for its own account, and keeps it to its own site', async () => {
    const { command, query } = await inDoubt('never');
    const merchantReference = merchantReferenceOf(command);
    const forged: Notice = {
      ...{ eventCode: 'AUTHORISATION', success: true, pspReference: 'FORGED0000000001', merchantReference },
    };
    const other: Notice = { ...forged, pspReference: 'FORGED0000000002' };
    expect(await adyen.readWebhook(fake.sign([forged], { hmacKey: 'ab'.repeat(32) }))).toBeUndefined();
    const one = fake.sign([forged, other]).rawBody;
    expect(
      await adyen.readWebhook({ headers: {}, rawBody: one.replace('FORGED0000000002', 'FORGED0000000003') }),
    ).toBeUndefined();
    expect(await adyen.readWebhook({ headers: {}, rawBody: one.replaceAll('"true"', '"false"') })).toBeUndefined();
    expect(await adyen.readWebhook(fake.sign([forged], { merchantAccount: 'Another' }))).toEqual([]);
    expect(await processorAt(fake, '3').readWebhook(fake.sign([forged]))).toHaveLength(1);
    expect(await adyen.query(query)).toMatchObject({ outcome: 'UNKNOWN' });
    const keyless = processorAt(fake, '2', { hmac_key: '' });
    expect(await keyless.readWebhook(fake.sign([forged], { hmacKey: '' }))).toBeUndefined();
  });

  it('signs as the example of the documentation', () => {
    const item = {
      pspReference: '7914073381342284',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { value: 1130, currency: 'EUR' },
      eventCode: 'AUTHORISATION',
      success: 'true',
    };
    const key = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
    expect(adyenSignature(item, key)).toBe('coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=');
  });

  it.each([
    ['ISK', 500n, 50_000],
    ['CLP', 500n, 50_000],
    ['IDR', 50_000n, 500],
    ['CVE', 50_000n, 500],
    ['JPY', 500n, 500],
    ['KWD', 5124n, 5124],
  ])('writes %s %s as %s', async (currency, minor, value) => {
    await adyen.pay(payCommand({ currency, minor }));
    expect(JSON.parse(fake.requests.at(-1)?.body ?? '{}')).toMatchObject({ amount: { currency, value } });
  });

  it('refuses what it could only round, before anything is sent', async () => {
    const before = fake.requests.length;
    const outcome = await adyen.pay(payCommand({ currency: 'IDR', minor: 50_050n }));
    expect(outcome).toMatchObject({ outcome: 'EXC', code: 'amount_invalid' });
    expect(fake.requests.length).toBe(before);
  });

  it('calls no host but Adyen, whatever a live prefix says', async () => {
    const change = { environment: 'live', base_url: undefined, live_url_prefix: 'evil.example/' } as const;
    const astray = processorAt(fake, '2', change);
    await expect(astray.pay(payCommand())).rejects.toThrow('prefix');
  });

  it('shows card data in nothing that it throws, answers, logs or keeps, and sends it to one address', async () => {
    const shown: string[] = [];
    const streams = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        shown.push(String(chunk));
        return true;
      }),
    );
    const numbers = ['4242424242424242', '4242424242424241', '4000000000000002'];
    const faults = [undefined, 'lost', 'cut', 500, 429, 400, 422, 403] as const;
    const outcomes: unknown[] = [];
    for (const number of numbers) {
      for (const fault of faults) {
        if (fault !== undefined) fake.fail(fault, pays);
        outcomes.push(await adyen.pay(payCommand({ number })).catch((error: unknown) => error));
      }
    }
    for (const stream of streams) stream.mockRestore();
    const all = `${JSON.stringify(outcomes)}${inspect(outcomes, { depth: null, showHidden: true })}${shown.join('')}`;
    for (const secret of [...numbers, 'ADA LOVELACE', '737', fake.apiKey]) expect(all).not.toContain(secret);
    const told = fake.requests.filter(({ body }) => numbers.some((number) => body.includes(number)));
    expect(new Set(told.map(({ path }) => path))).toEqual(new Set(['/v71/payments']));
  });
});
