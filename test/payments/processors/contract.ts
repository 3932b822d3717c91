import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Card, type Scheme, schemeOf } from '#core/kernel/card/card.ts';
import { milliseconds, nowIso, nowMilliseconds } from '#core/kernel/clock.ts';
import { newTimedId, randomText } from '#core/kernel/ids.ts';
import { listedCurrencies } from '#payments/payments/currency-list.ts';
import type { ThreeDsResult } from '#payments/payments/three-ds.ts';
import type { DeclineCode } from '#payments/processors/decline-codes.ts';
import type {
  FollowUpCommand,
  OperationKind,
  PayCommand,
  Processor,
  ProcessorResult,
  Query,
  QueryOutcome,
} from '#payments/processors/ports/processor.ts';
import { canPayOut } from '#payments/processors/ports/processors.ts';
import { currencyAt } from '#payments/processors/processor-currencies.ts';

/**
 * The contract of every processor, on which the ledger relies. An adapter's test gives a harness that brings its processor, or a
 * strict fake of it, into each situation; what a processor cannot do is left out of the harness, and its cases are then not
 * there.
 */

/** The trigger of a processor's behaviour: a card number, an amount in minor units, or a setting of its fake. */
type Scenario = { number?: string; minor?: bigint; arrange?: () => void | Promise<void> };

/** The operations that a processor really performed, however often it was asked. */
type Performed = Record<OperationKind, number>;

type Harness = {
  processor: Processor;
  /** Moves the time of the adapter, and of its fake, on. */
  move(milliseconds: number): void | Promise<void>;
  /** Has the processor finish what it goes on with by itself, such as sending its webhooks, before a query. */
  settle?(): Promise<void>;
  /** Plays the payer on the page at `url`. Returns the input of `continueAuth`, where the result is returned that way. */
  completeRedirect?(
    url: string,
    answer: 'approve' | 'decline',
  ): Promise<{ authType: string; authValue: string } | undefined>;
  /** Counts since the harness was started; absent where a processor keeps no count of what it simply approves. */
  performed?(): Promise<Performed>;
  /** A webhook about a reference as the processor signs it, at a time (milliseconds; now if absent). */
  webhook?(
    reference: string,
    txid: number,
    at?: number,
  ): Promise<{ headers: Record<string, string | undefined>; rawBody: string }>;
};

export type Subject = {
  start(): Promise<Harness>;
  stop?(): Promise<void>;
  approve: Scenario;
  /** Every decline that can be brought about, by our own code. */
  declines: Partial<Record<DeclineCode, Scenario>>;
  /** Stays PEND without anybody's doing, and is OK after `after` milliseconds. */
  pending?: Scenario & { after: number };
  /** The payment is made and its answer lost. */
  lost?: Scenario;
  /** The payment never arrives; a query is certain of that after `certainAfter` milliseconds. */
  neverArrives?: Scenario & { certainAfter: number };
  /** The answer of the next capture, void or refund is lost, though it was done. `minor`: of the payment. */
  lostFollowUp?: Scenario;
  slow?: Scenario;
  refundFails?: Scenario;
  redirect?: Scenario;
  otp?: Scenario & { right: string; wrong: string; tries: number };
  /** After how long a payer who does not act has abandoned the payment. */
  abandonedAfter?: number;
  payout?: Scenario;
  /** Currencies without and with three decimals, and one that is not taken. Absent ones are not tried. */
  currencies: { none?: string; three?: string; unsupported: string };
  /** `changed`: a signed body that names another reference, where the body does not contain it as it is. */
  webhook?: { hasTime: boolean; changed?(rawBody: string, reference: string): string };
};

/** The numbers that the sandbox declines, and the stand-ins too. */
export const usualDeclines = {
  card_declined: { number: '4000000000000002' },
  insufficient_funds: { number: '4000000000009995' },
  lost_card: { number: '4000000000009987' },
  stolen_card: { number: '4000000000009979' },
  expired_card: { number: '4000000000000069' },
  incorrect_cvc: { number: '4000000000000127' },
} as const satisfies Subject['declines'];

/** Those that all stand-ins but Adyen's decline. */
export const manyDeclines = {
  ...usualDeclines,
  incorrect_number: { number: '4242424242424241' },
  limit_exceeded: { number: '4000000000006975' },
  suspected_fraud: { number: '4100000000000019' },
} as const satisfies Subject['declines'];

const plainNumber = '4242424242424242';
const cvv = '737';

/** A card of a number, good for some years. */
const toCard = (number: string): Card => {
  const scheme: Scheme | undefined = schemeOf(number);
  if (!scheme) throw new Error('The number belongs to no scheme');
  return new Card({ number, cvv, expMonth: '12', expYear: '2035', holder: 'ADA LOVELACE' }, scheme);
};

/** A payment that was taken. */
export const paidAt = async (processor: Processor, capture = true) => {
  const command = payCommand({ capture });
  const outcome = await processor.pay(command);
  if (outcome.outcome !== 'OK') throw new Error(JSON.stringify(outcome));
  return { command, reference: outcome.reference, outcome };
};

type PayChange = Scenario & {
  currency?: string;
  capture?: boolean;
  idempotencyKey?: string;
  txid?: number;
  authenticate?: boolean;
  storedCard?: PayCommand['storedCard'];
};

export const payCommand = (change: PayChange = {}): PayCommand => {
  const { minor = 2000n, currency = 'USD', number = plainNumber, capture = true } = change;
  const { idempotencyKey = randomText(32), txid = newTimedId(), authenticate = false, storedCard = null } = change;
  return {
    idempotencyKey,
    txid,
    money: { minor, currency },
    capture,
    card: toCard(number),
    payer: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: null,
      ip: '192.0.2.7',
      address: { line1: '1 Main St', city: 'Springfield', state: 'IL', country: 'US', postcode: '62701' },
    },
    descriptor: 'SHOP*ONLINE',
    shopName: 'Example Shop',
    routeId: 'r1',
    returnUrl: 'https://pay.example.com/return',
    threeDs: null,
    authenticate,
    storedCard,
  };
};

/** A result of 3DS as it would be after an authentication without a challenge; changed as asked. */
export const threeDsResult = (change: Partial<ThreeDsResult> = {}): ThreeDsResult => ({
  source: 'merchant',
  version: '2.2.0',
  eci: '05',
  cavv: 'AAABBBCCCDDD',
  dsTransId: 'd-1',
  transStatus: 'Y',
  aresTransStatus: 'Y',
  challengeTransStatus: null,
  transStatusReason: null,
  challengeCancel: null,
  exemption: null,
  challengeInd: null,
  ...change,
});

/** A capture, void or refund of a payment. */
export const followUp = (payment: PayCommand, reference: string, minor = payment.money.minor): FollowUpCommand => ({
  idempotencyKey: randomText(32),
  txid: newTimedId(),
  money: { ...payment.money, minor },
  reference,
});

type Asked = Pick<PayCommand, 'txid' | 'idempotencyKey' | 'money'>;

export const toQuery = (
  kind: OperationKind,
  { txid, idempotencyKey, money }: Asked,
  known: { reference?: string | null; paymentReference?: string | null; startedAt: string },
): Query => ({ kind, txid, idempotencyKey, money, reference: null, paymentReference: null, ...known });

const getReference = (outcome: QueryOutcome): string => {
  if (!('reference' in outcome) || outcome.reference === null) {
    throw new Error(`Has no reference: ${JSON.stringify(outcome)}`);
  }
  return outcome.reference;
};

export const describeProcessor = (name: string, subject: Subject): void => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await subject.start();
  });
  afterAll(() => subject.stop?.());

  const arranged = async (scenario: Scenario, change: PayChange = {}): Promise<PayCommand> => {
    await scenario.arrange?.();
    return payCommand({ ...scenario, ...change });
  };
  /** The outcome, asked for again if the processor had only begun: some confirm what they did a little later. */
  const settled = async (
    kind: OperationKind,
    command: Asked & { reference?: string },
    outcome: QueryOutcome,
  ): Promise<QueryOutcome> => {
    const waits = outcome.outcome === 'PEND' && !outcome.nextAction;
    if (!waits) return outcome;
    await harness.settle?.();
    const known = { reference: outcome.reference, paymentReference: command.reference ?? null, startedAt: nowIso() };
    return harness.processor.query(toQuery(kind, command, known));
  };
  const does = async (kind: 'capture' | 'void' | 'refund', command: FollowUpCommand) =>
    settled(kind, command, await harness.processor[kind](command));
  const paid = async (change: PayChange = {}) => {
    const command = await arranged(subject.approve, change);
    const outcome = await settled('pay', command, await harness.processor.pay(command));
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ outcome: 'OK', reference: expect.any(String) });
    return { command, reference: getReference(outcome) };
  };
  const countOf = async (kind: OperationKind) => (await harness.performed?.())?.[kind];
  /** Counts the operations that the processor performed meanwhile; the expected number where it keeps no count. */
  const more = async (kind: OperationKind, before: number | undefined) =>
    before === undefined ? undefined : ((await countOf(kind)) ?? 0) - before;
  const once = (before: number | undefined) => (before === undefined ? undefined : 1);

  describe(`${name}: payments`, () => {
    it('says which processor it is', () => expect(harness.processor.name).toBe(name));

    it('makes a payment and finds it again', async () => {
      const { command, reference } = await paid();
      const found = await harness.processor.query(toQuery('pay', command, { reference, startedAt: nowIso() }));
      expect(found).toMatchObject({ outcome: 'OK', reference });
    });

    it('does one key once and answers the same again', async () => {
      const before = await countOf('pay');
      const command = await arranged(subject.approve);
      const first = await harness.processor.pay(command);
      expect(await harness.processor.pay(command)).toEqual(first);
      expect(await more('pay', before)).toBe(once(before));
    });

    it('makes two payments of two keys', async () => {
      const [one, other] = [await paid(), await paid()];
      expect(one.reference).not.toBe(other.reference);
    });

    it.each(Object.keys(subject.declines) as DeclineCode[])('declines with %s', async (code) => {
      const command = await arranged(subject.declines[code] ?? {});
      const outcome = await harness.processor.pay(command);
      expect(outcome).toMatchObject({ outcome: 'EXC', code });
      expect(await harness.processor.pay(command), 'the same key again').toMatchObject({ outcome: 'EXC', code });
    });

    it.each([subject.currencies.none, subject.currencies.three].filter((one) => one !== undefined))(
      'takes %s in its own decimals',
      async (currency) => {
        const { command, reference } = await paid({ currency, minor: 1230n });
        expect(harness.processor.exponentOf(currency)).toEqual(expect.any(Number));
        expect(await does('refund', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
      },
    );

    it('counts every currency as declared where no adapter is loaded', () => {
      const { name, exponentOf } = harness.processor;
      for (const { code } of listedCurrencies) expect(currencyAt(name, code)?.exponent, code).toBe(exponentOf(code));
    });

    it('refuses a currency it does not take, before anything is sent', async () => {
      const { unsupported } = subject.currencies;
      const before = await countOf('pay');
      expect(harness.processor.exponentOf(unsupported)).toBeUndefined();
      const outcome = await harness.processor.pay(await arranged(subject.approve, { currency: unsupported }));
      expect(outcome).toMatchObject({ outcome: 'EXC', code: 'currency_not_supported', reference: null });
      expect(await more('pay', before)).toBe(before === undefined ? undefined : 0);
    });

    it('answers nothing of the card', async () => {
      const outcomes = [await harness.processor.pay(await arranged(subject.approve))];
      for (const scenario of [...Object.values(subject.declines), subject.lost, subject.neverArrives]) {
        if (scenario) outcomes.push(await harness.processor.pay(await arranged(scenario)));
      }
      const shown = `${JSON.stringify(outcomes)}${inspect(outcomes, { depth: null, showHidden: true })}`;
      const numbers = [plainNumber, ...Object.values(subject.declines).flatMap((one) => one.number ?? [])];
      for (const number of numbers) expect(shown).not.toContain(number);
      expect(shown).not.toMatch(/ADA LOVELACE|"737"|'737'/);
      expect(inspect(harness.processor, { depth: null, showHidden: true })).not.toContain(plainNumber);
    });

    const { slow } = subject;
    if (slow) {
      it('waits for one that is slow', async () => {
        expect(await harness.processor.pay(await arranged(slow))).toMatchObject({ outcome: 'OK' });
      });
    }
  });

  describe(`${name}: an authorisation`, () => {
    it('is captured, and then refunded', async () => {
      const { command, reference } = await paid({ capture: false });
      expect(await does('capture', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
      expect(await does('refund', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
    });

    it('cannot be refunded before it is captured', async () => {
      const { command, reference } = await paid({ capture: false });
      expect(await does('refund', followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
    });

    it('is captured once for one key, and not again for another', async () => {
      const before = await countOf('capture');
      const { command, reference } = await paid({ capture: false });
      const capture = followUp(command, reference);
      const first = await harness.processor.capture(capture);
      expect(await harness.processor.capture(capture)).toEqual(first);
      expect(await settled('capture', capture, first)).toMatchObject({ outcome: 'OK' });
      expect(await does('capture', followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
      expect(await more('capture', before)).toBe(once(before));
    });

    it('is voided, and then not captured', async () => {
      const { command, reference } = await paid({ capture: false });
      expect(await does('void', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
      expect(await does('capture', followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
    });

    it('is voided once for one key', async () => {
      const { command, reference } = await paid({ capture: false });
      const order = followUp(command, reference);
      const first = await harness.processor.void(order);
      expect(await harness.processor.void(order)).toEqual(first);
    });

    it('is not voided once it is captured', async () => {
      const { command, reference } = await paid({ capture: false });
      expect(await does('capture', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
      expect(await does('void', followUp(command, reference))).toMatchObject({ outcome: 'EXC' });
    });

    it('is either captured or voided when both are asked for at once', async () => {
      const { command, reference } = await paid({ capture: false });
      const outcomes = await Promise.all([
        does('capture', followUp(command, reference)),
        does('void', followUp(command, reference)),
      ]);
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['EXC', 'OK']);
    });
  });

  describe(`${name}: refunds`, () => {
    it('pays back in parts up to what was captured and no more', async () => {
      const { command, reference } = await paid({ minor: 3000n });
      expect(await does('refund', followUp(command, reference, 1000n))).toMatchObject({ outcome: 'OK' });
      expect(await does('refund', followUp(command, reference, 1500n))).toMatchObject({ outcome: 'OK' });
      expect(await does('refund', followUp(command, reference, 501n))).toMatchObject({ outcome: 'EXC' });
      expect(await does('refund', followUp(command, reference, 500n))).toMatchObject({ outcome: 'OK' });
      expect(await does('refund', followUp(command, reference, 1n))).toMatchObject({ outcome: 'EXC' });
    });

    it('refuses more than the whole', async () => {
      const { command, reference } = await paid();
      const tooMuch = followUp(command, reference, command.money.minor + 1n);
      expect(await does('refund', tooMuch)).toMatchObject({ outcome: 'EXC' });
    });

    it('does one key once and answers the same again; two of the same amount are two', async () => {
      const before = await countOf('refund');
      const { command, reference } = await paid();
      const order = followUp(command, reference, 1000n);
      const first = await harness.processor.refund(order);
      expect(await harness.processor.refund(order)).toEqual(first);
      expect(await more('refund', before)).toBe(once(before));
      expect(await does('refund', followUp(command, reference, 1000n))).toMatchObject({ outcome: 'OK' });
      expect(await does('refund', followUp(command, reference, 1000n))).toMatchObject({ outcome: 'EXC' });
    });

    it('of two at once that are too much together, one is done', async () => {
      const { command, reference } = await paid();
      const outcomes = await Promise.all(
        [1, 2].map(() => does('refund', followUp(command, reference, command.money.minor - 1n))),
      );
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['EXC', 'OK']);
    });

    it('are found again by their reference, and by our key', async () => {
      const { command, reference } = await paid();
      const order = followUp(command, reference, 1000n);
      const refund = getReference(await does('refund', order));
      const known = { paymentReference: reference, startedAt: nowIso() };
      const byReference = await harness.processor.query(toQuery('refund', order, { ...known, reference: refund }));
      expect(byReference).toMatchObject({ outcome: 'OK', reference: refund });
      expect(await harness.processor.query(toQuery('refund', order, known))).toMatchObject({ outcome: 'OK' });
    });

    it('of a payment that does not exist are refused', async () => {
      const { command, reference } = await paid();
      const unknown = `${reference.slice(0, -4)}zzzz`;
      expect(await does('refund', followUp(command, unknown))).toMatchObject({ outcome: 'EXC' });
    });

    const { refundFails } = subject;
    if (refundFails) {
      it('may fail', async () => {
        const command = await arranged(refundFails);
        const payment = await settled('pay', command, await harness.processor.pay(command));
        const outcome = await does('refund', followUp(command, getReference(payment)));
        expect(outcome).toMatchObject({ outcome: 'EXC', code: 'refund_failed' });
      });
    }
  });

  describe(`${name}: answers that do not come`, () => {
    const { lost, neverArrives, pending, lostFollowUp } = subject;
    if (lost) {
      it('lost: the result is unknown, until a query finds the payment; it was made once', async () => {
        const before = await countOf('pay');
        const begun = nowIso();
        const command = await arranged(lost);
        expect(await harness.processor.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
        const found = await harness.processor.query(toQuery('pay', command, { startedAt: begun }));
        expect(found).toMatchObject({ outcome: 'OK' });
        expect(await more('pay', before)).toBe(once(before));
        expect(await does('refund', followUp(command, getReference(found)))).toMatchObject({ outcome: 'OK' });
      });
    }

    if (neverArrives) {
      it('never arrived: the result is unknown, until a query is certain that there is nothing', async () => {
        const before = await countOf('pay');
        const begun = nowIso();
        const command = await arranged(neverArrives);
        expect(await harness.processor.pay(command)).toMatchObject({ outcome: 'UNKNOWN' });
        await harness.move(neverArrives.certainAfter);
        const found = await harness.processor.query(toQuery('pay', command, { startedAt: begun }));
        expect(found).toMatchObject({ outcome: 'NOT_FOUND' });
        expect(await more('pay', before)).toBe(before === undefined ? undefined : 0);
      });
    }

    if (pending) {
      it('pending: goes on by itself until it is OK', async () => {
        const begun = nowIso();
        const command = await arranged(pending);
        const outcome = await harness.processor.pay(command);
        expect(outcome).toMatchObject({ outcome: 'PEND', nextAction: null });
        const query = toQuery('pay', command, { reference: getReference(outcome), startedAt: begun });
        expect(await harness.processor.query(query)).toMatchObject({ outcome: 'PEND' });
        await harness.move(pending.after);
        await harness.settle?.();
        expect(await harness.processor.query(query)).toMatchObject({ outcome: 'OK' });
      });
    }

    if (lostFollowUp) {
      it.each(['capture', 'void', 'refund'] as const)('a lost %s is found by a query', async (kind) => {
        const { arrange, ...scenario } = lostFollowUp;
        const command = payCommand({ ...scenario, capture: kind === 'refund' });
        const reference = getReference(await settled('pay', command, await harness.processor.pay(command)));
        const order = followUp(command, reference);
        await arrange?.();
        expect(await harness.processor[kind](order)).toMatchObject({ outcome: 'UNKNOWN' });
        const known = { paymentReference: reference, startedAt: nowIso() };
        const found = await harness.processor.query(toQuery(kind, order, known));
        expect(await settled(kind, order, found)).toMatchObject({ outcome: 'OK' });
      });
    }
  });

  const { redirect, otp, abandonedAfter } = subject;
  const describePayer = () => {
    const redirected = async (scenario: Scenario, change: PayChange = {}) => {
      const command = await arranged(scenario, change);
      const outcome = await harness.processor.pay(command);
      expect(outcome).toMatchObject({
        outcome: 'PEND',
        nextAction: { type: 'redirect', url: expect.stringMatching(/^https?:/) },
      });
      if (outcome.outcome !== 'PEND' || outcome.nextAction?.type !== 'redirect') throw new Error('No redirect');
      return { command, reference: outcome.reference, url: outcome.nextAction.url };
    };
    const complete = async (
      { command, reference, url }: Awaited<ReturnType<typeof redirected>>,
      answer: 'approve' | 'decline',
    ): Promise<QueryOutcome> => {
      const result = await harness.completeRedirect?.(url, answer);
      await harness.settle?.();
      return result
        ? harness.processor.continueAuth({ idempotencyKey: randomText(32), reference, ...result, miscData: null })
        : harness.processor.query(toQuery('pay', command, { reference, startedAt: nowIso() }));
    };

    if (redirect) {
      it('a redirect that is completed is OK, and can be refunded', async () => {
        const begun = await redirected(redirect);
        const done = await complete(begun, 'approve');
        expect(done).toMatchObject({ outcome: 'OK' });
        expect(await does('refund', followUp(begun.command, getReference(done)))).toMatchObject({ outcome: 'OK' });
      });

      it('a redirect of an authorisation leaves it to be captured', async () => {
        const begun = await redirected(redirect, { capture: false });
        const done = await complete(begun, 'approve');
        expect(await does('capture', followUp(begun.command, getReference(done)))).toMatchObject({ outcome: 'OK' });
      });

      it('has every card authenticated where requested, and goes on as usual', async () => {
        const begun = await redirected(subject.approve, { authenticate: true, capture: false });
        const { command, reference, url } = begun;
        const again = await harness.processor.pay(command);
        expect(again).toMatchObject({ outcome: 'PEND', reference, nextAction: { url } });
        const done = getReference(await complete(begun, 'approve'));
        expect(await does('capture', followUp(command, done))).toMatchObject({ outcome: 'OK' });
        expect(await does('refund', followUp(command, done))).toMatchObject({ outcome: 'OK' });
        expect(await complete(await redirected(subject.approve, { authenticate: true }), 'decline')).toMatchObject({
          outcome: 'EXC',
        });
      });

      it('a redirect that is declined there fails', async () => {
        expect(await complete(await redirected(redirect), 'decline')).toMatchObject({ outcome: 'EXC' });
      });

      it('a redirect outlives another request for the authentication', async () => {
        const begun = await redirected(redirect);
        const { reference } = begun;
        const again = await harness.processor.resendAuth({ idempotencyKey: randomText(32), reference });
        expect(again).toMatchObject({ outcome: 'PEND', reference });
        expect(await complete(begun, 'approve')).toMatchObject({ outcome: 'OK' });
      });

      it('a redirect stays what it is until the payer acts, and for the same key', async () => {
        const { command, reference, url } = await redirected(redirect);
        const query = toQuery('pay', command, { reference, startedAt: nowIso() });
        expect(await harness.processor.query(query)).toMatchObject({ outcome: 'PEND' });
        expect(await harness.processor.pay(command)).toMatchObject({ outcome: 'PEND', reference, nextAction: { url } });
      });
    }

    if (redirect && abandonedAfter !== undefined) {
      it('a redirect that the payer never follows is abandoned', async () => {
        const { command, reference } = await redirected(redirect);
        const begun = nowIso();
        await harness.move(abandonedAfter);
        const outcome = await harness.processor.query(toQuery('pay', command, { reference, startedAt: begun }));
        expect(outcome).toMatchObject({ outcome: 'EXC', code: 'authentication_abandoned' });
      });
    }

    if (otp) {
      const challenged = async () => {
        const command = await arranged(otp);
        const outcome = await harness.processor.pay(command);
        expect(outcome).toMatchObject({ outcome: 'PEND', nextAction: { type: 'otp', channel: expect.any(String) } });
        return { command, reference: getReference(outcome) };
      };
      const answer = (
        reference: string,
        authValue: string,
        idempotencyKey = randomText(32),
      ): Promise<ProcessorResult> =>
        harness.processor.continueAuth({ idempotencyKey, reference, authType: 'SMS', authValue, miscData: null });

      it('the right code is OK, also when it is sent again or after a wrong one', async () => {
        const { command, reference } = await challenged();
        expect(await answer(reference, otp.wrong)).toMatchObject({ outcome: 'PEND' });
        const again = await harness.processor.resendAuth({ idempotencyKey: randomText(32), reference });
        expect(again).toMatchObject({ outcome: 'PEND', nextAction: { type: 'otp' } });
        expect(await answer(reference, otp.right)).toMatchObject({ outcome: 'OK', reference });
        expect(await does('refund', followUp(command, reference))).toMatchObject({ outcome: 'OK' });
      });

      it('wrong codes fail it in the end, and then the right one is of no more use', async () => {
        const { reference } = await challenged();
        const outcomes: ProcessorResult[] = [];
        for (let tried = 1; tried <= otp.tries; tried += 1) outcomes.push(await answer(reference, otp.wrong));
        expect(outcomes.slice(0, -1).every(({ outcome }) => outcome === 'PEND')).toBe(true);
        expect(outcomes.at(-1)).toMatchObject({ outcome: 'EXC', code: 'authentication_failed' });
        expect(await answer(reference, otp.right)).toMatchObject({ outcome: 'EXC', code: 'authentication_failed' });
      });

      it('one try sent twice counts once', async () => {
        const { reference } = await challenged();
        const key = randomText(32);
        for (let sent = 1; sent <= otp.tries; sent += 1) await answer(reference, otp.wrong, key);
        expect(await answer(reference, otp.right)).toMatchObject({ outcome: 'OK' });
      });
    }
  };
  if (redirect || otp) describe(`${name}: what the payer has to do`, describePayer);

  describe(`${name}: the rest`, () => {
    it('does payouts, or says that it cannot', async () => {
      const { payout } = subject;
      const { payer, descriptor, card, ...command } = await arranged(payout ?? subject.approve);
      const { idempotencyKey, txid, money } = command;
      const order = { idempotencyKey, txid, money, card, payer, descriptor };
      const outcome = await harness.processor.payout(order);
      expect(harness.processor.capabilities.payout).toBe(payout !== undefined);
      expect(canPayOut(harness.processor.name)).toBe(payout !== undefined);
      if (payout) {
        expect(await settled('payout', order, outcome)).toMatchObject({ outcome: 'OK' });
        expect(await harness.processor.payout(order)).toEqual(outcome);
      } else expect(outcome).toMatchObject({ outcome: 'EXC', code: 'operation_not_supported' });
    });

    it('tells the funds, or throws where it says that it cannot', async () => {
      const funds = harness.processor.balance();
      if (!harness.processor.capabilities.balance) await expect(funds).rejects.toThrow();
      else for (const one of await funds) expect(one.available).toEqual(expect.any(BigInt));
    });

    it('reads nothing from a webhook that is not signed', async () => {
      for (const rawBody of ['', '{}', '[]', '{"id":"evt_1"}', 'x=1', '\u0000'])
        expect(await harness.processor.readWebhook({ headers: {}, rawBody })).toBeUndefined();
    });

    const { webhook } = subject;
    if (webhook) {
      const signed = async (at?: number) => {
        const { command, reference } = await paid();
        if (!harness.webhook) throw new Error('The harness makes no webhooks');
        return { command, reference, call: await harness.webhook(reference, command.txid, at) };
      };

      it('reads a webhook with a right signature', async () => {
        const { command, reference, call } = await signed();
        const events = (await harness.processor.readWebhook(call)) ?? [];
        expect(events.length).toBeGreaterThan(0);
        const isAbout = events.some(({ txid, references }) => txid === command.txid || references.includes(reference));
        expect(isAbout).toBe(true);
        expect(await harness.processor.readWebhook(call), 'and the same again').toEqual(events);
      });

      it('reads nothing from one whose body was changed', async () => {
        const { reference, call } = await signed();
        const rawBody =
          webhook.changed?.(call.rawBody, reference) ?? call.rawBody.replaceAll(reference, `${reference}x`);
        expect(rawBody).not.toBe(call.rawBody);
        expect(await harness.processor.readWebhook({ ...call, rawBody })).toBeUndefined();
      });

      if (webhook.hasTime) {
        it('reads nothing from one that was signed long ago', async () => {
          const { call } = await signed(nowMilliseconds() - milliseconds.day);
          expect(await harness.processor.readWebhook(call)).toBeUndefined();
        });
      }
    }
  });
};
