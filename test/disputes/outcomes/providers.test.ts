import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setClock } from '#core/kernel/clock.ts';
import { networkUrl } from '#disputes/outcomes/network-exchange-client.ts';
import type { OutcomeProvider, OutgoingOutcome } from '#disputes/outcomes/outcome-provider.ts';
import { providerAOutcomes } from '#disputes/outcomes/provider-a-client.ts';
import { ProviderAConnection } from '#disputes/outcomes/provider-a-connection-client.ts';
import { ProviderBConnection, providerBOutcomes } from '#disputes/outcomes/provider-b-client.ts';
import type { NetworkName } from '#lib/local/networks/network.ts';
import { deadUrl } from '#test/support/fake-processor.ts';
import { type PlayedNetworks, playNetworks } from './networks.ts';

/** One contract for every provider of outcomes, held against the network that is as strict as the real one. */

let networks: PlayedNetworks;
beforeAll(async () => {
  process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
  networks = await playNetworks();
});
afterAll(() => networks[Symbol.dispose]());

const makers: Readonly<Record<NetworkName, (secret: string, timeout?: number) => OutcomeProvider>> = {
  provider_a: (secret, timeout) => providerAOutcomes(v.parse(ProviderAConnection, JSON.parse(secret)), timeout),
  provider_b: (secret, timeout) => providerBOutcomes(v.parse(ProviderBConnection, JSON.parse(secret)), timeout),
};

let count = 0;
/** A case of which the networks know nothing yet. */
const newCase = (prefix = 'CASE'): string => {
  count += 1;
  return `${prefix}${String(count).padStart(25 - prefix.length, '0')}`;
};

const outgoing = (change: Partial<OutgoingOutcome> = {}): OutgoingOutcome => {
  const caseId = change.caseId ?? newCase();
  return {
    id: `out_${caseId}`,
    caseId,
    alertType: 'DISPUTE',
    isFinal: true,
    update: { status: 'RESOLVED', reason_code: '100.001' },
    createdAt: '2026-05-02T10:00:00.000Z',
    amount: '361.56',
    currency: 'USD',
    firstCaseId: null,
    refundReference: null,
    ...change,
  };
};

const declined = { status: 'DECLINED', reason_code: '902.002' } as const;
const waiting = { isFinal: false, update: { status: 'WIP', reason_code: '999.002' } } as const;

describe.each(['provider_a', 'provider_b'] as const)('%s', (name) => {
  const provider = (timeout?: number) => makers[name](networks.secret(name), timeout);
  const send = async (outcome: OutgoingOutcome, to = provider()) => (await to.send([outcome])).get(outcome.id);
  beforeEach(() => {
    networks.clear(name);
    networks.calls.length = 0;
  });

  it('accepts a signed outcome', async () => {
    const outcome = outgoing();
    expect(await send(outcome)).toMatchObject({ result: 'accepted', status: 200 });
    expect(networks.listTold(name)).toMatchObject([{ caseId: outcome.caseId, accepted: true }]);
  });

  it('takes the same final outcome twice', async () => {
    const outcome = outgoing();
    await send(outcome);
    expect(await send(outcome)).toMatchObject({ result: 'accepted' });
  });

  it('permanently refuses a second final outcome', async () => {
    const outcome = outgoing();
    await send(outcome);
    expect(await send({ ...outcome, update: declined })).toMatchObject({ result: 'refused' });
    expect(networks.listTold(name).map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it('takes that something is in progress, again and again, and then the final outcome; nothing after that', async () => {
    const outcome = outgoing();
    for (const one of [{ ...outcome, ...waiting }, { ...outcome, ...waiting }, outcome]) {
      expect(await send(one)).toMatchObject({ result: 'accepted' });
    }
    expect(await send({ ...outcome, ...waiting })).toMatchObject({ result: 'refused' });
  });

  it('permanently refuses an unknown case', async () => {
    expect(await send(outgoing({ caseId: newCase('UNKNOWN') }))).toMatchObject({ result: 'refused' });
  });

  it('takes later what it recoverably refused', async () => {
    const outcome = outgoing();
    networks.hurt(name, { times: 1, recoverable: true });
    expect((await send(outcome))?.result).toMatch(/^(failed|unknown)$/);
    expect(await send(outcome)).toMatchObject({ result: 'accepted' });
  });

  it('permanently refuses an outcome if its reply says that a retry is useless', async () => {
    networks.hurt(name, { times: 1, recoverable: false });
    expect(await send(outgoing())).toMatchObject({
      result: 'refused',
      error: expect.stringContaining('Told to fail'),
    });
  });

  it('answers each of a mixed batch for itself', async () => {
    const [good, bad, unknown, twice] = [outgoing(), outgoing(), outgoing({ caseId: newCase('UNKNOWN') }), outgoing()];
    await send(twice);
    networks.hurt(name, { recoverable: true, cases: [bad.caseId] });
    const answers = await provider().send([good, bad, unknown, { ...twice, update: declined }]);
    expect([good, bad, unknown, twice].map(({ id }) => answers.get(id)?.result)).toEqual([
      'accepted',
      name === 'provider_a' ? 'failed' : 'unknown',
      'refused',
      'refused',
    ]);
  });

  it('is asked later when it has too much to do, as late as it says', async () => {
    networks.hurt(name, { status: 429, times: 1, headers: { 'retry-after': '120' } });
    expect(await send(outgoing())).toMatchObject({ result: 'failed', status: 429, pauseSeconds: 120 });
  });

  it('is asked later when it names a date', async () => {
    const soon = new Date(Date.now() + 90_000).toUTCString();
    networks.hurt(name, { status: 503, times: 1, headers: { 'retry-after': soon } });
    const answer = await send(outgoing());
    const pause = answer && 'pauseSeconds' in answer ? answer.pauseSeconds : null;
    expect(answer).toMatchObject({ result: 'unknown', status: 503 });
    expect(pause).toBeGreaterThan(60);
    expect(pause).toBeLessThanOrEqual(90);
  });

  it.each([0, 1000])('is asked as usual if the date that it names passed %i ms ago', async (milliseconds) => {
    const date = Math.floor(Date.now() / 1000) * 1000;
    networks.hurt(name, { status: 503, times: 1, headers: { 'retry-after': new Date(date).toUTCString() } });
    const outcome = outgoing();
    const asked = provider();
    setClock(() => date + milliseconds);
    expect(await send(outcome, asked)).toMatchObject({ result: 'unknown', pauseSeconds: null });
    setClock();
  });

  it.each([401, 403])('says that the credentials are wrong if it answers %i', async (status) => {
    networks.answerWith(status, '{}');
    expect(await send(outgoing())).toMatchObject({
      ...{ result: 'failed', status, isOurFault: true, error: `It answered ${status}` },
    });
  });

  it('reads an answer of 256 KB, and no more', async () => {
    const explained = (message: string) =>
      JSON.stringify({ message, Errors: { Error: [{ Description: message, Recoverable: false }] } });
    const room = 256 * 1024 - explained('').length;
    const longest = 'x'.repeat(Math.floor(room / 2));
    const exact = `${explained(longest)}${' '.repeat(256 * 1024 - explained(longest).length)}`;
    networks.answerWith(500, exact);
    expect(await send(outgoing())).toMatchObject({ error: 'x'.repeat(500) });
    networks.answerWith(500, `${exact} `);
    expect(await send(outgoing())).toMatchObject({ error: 'It answered 500' });
  });

  it('may have taken what it does not answer in time', async () => {
    const outcome = outgoing();
    networks.hurt(name, { delayMs: 60_000, times: 1 });
    expect(await send(outcome, provider(100))).toMatchObject({
      ...{ result: 'unknown', status: null, error: 'It did not answer within 0.1 seconds' },
    });
    expect(networks.listTold(name)).toMatchObject([{ accepted: true }]);
    expect(await send(outcome)).toMatchObject({ result: 'accepted' });
  });

  it('may have taken what it breaks off at', async () => {
    const outcome = outgoing();
    networks.hurt(name, { lost: true, times: 1 });
    expect(await send(outcome)).toMatchObject({ result: 'unknown', status: null });
    expect(await send(outcome)).toMatchObject({ result: 'accepted' });
  });

  it('is reported as failed, not as unknown, when it cannot be reached', async () => {
    const nobody = makers[name](networks.secret(name, { base_url: await deadUrl() }));
    expect(await send(outgoing(), nobody)).toMatchObject({ result: 'failed', status: null });
  });

  it.each([
    [200, 'not JSON'],
    [200, '[]'],
    [302, ''],
    [500, '<html>'],
  ])('an answer of %i %s says nothing, and it is told again', async (status, body) => {
    networks.answerWith(status, body, status === 302 ? { location: '/elsewhere' } : {});
    const expected = name === 'provider_b' && status === 200 ? 'accepted' : 'unknown';
    expect(await send(outgoing())).toMatchObject({ result: expected });
    expect(networks.calls).toHaveLength(1);
  });

  it('does not read an endless answer', async () => {
    networks.answerWith(500, 'x'.repeat(1_000_000));
    expect(await send(outgoing())).toMatchObject({ result: 'unknown' });
  });

  it('is not told over a plain connection to another machine', async () => {
    const make = () => makers[name](networks.secret(name, { base_url: 'http://network.example' })).send([outgoing()]);
    await expect((async () => make())()).rejects.toThrow('https');
  });

  it('is not told over a plain connection on this machine either, except in the local stack', async () => {
    process.env['ALLOW_LOOPBACK_HTTP'] = 'false';
    await expect((async () => send(outgoing()))()).rejects.toThrow('https');
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    expect(await send(outgoing())).toMatchObject({ result: 'accepted' });
  });

  it('tells no secret in what it answers', async () => {
    networks.answerWith(401, JSON.stringify({ message: 'no', Errors: { Error: [{ Description: 'no' }] } }));
    const answer = await send(outgoing());
    expect(answer).toMatchObject({ result: 'failed', status: 401, isOurFault: true });
    for (const secret of Object.values(JSON.parse(networks.secret(name)))) {
      if (String(secret).length > 12) expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});

describe('provider_a', () => {
  const send = (outcomes: readonly OutgoingOutcome[], secret = networks.secret('provider_a')) =>
    makers.provider_a(secret).send(outcomes);
  const told = async (outcome: OutgoingOutcome) => {
    await send([outcome]);
    const [sent] = JSON.parse(networks.calls.at(-1)?.body ?? '').outcomes;
    return sent;
  };
  beforeEach(() => {
    networks.clear('provider_a');
    networks.calls.length = 0;
  });

  it('receives 25 outcomes in one call', async () => {
    const outcomes = Array.from({ length: 25 }, () => outgoing());
    const answers = await send(outcomes);
    expect(outcomes.map(({ id }) => answers.get(id)?.result)).toEqual(Array(25).fill('accepted'));
    expect(networks.calls).toHaveLength(1);
  });

  it('receives each outcome separately after it refused the whole batch', async () => {
    const [good, bad] = [outgoing(), outgoing({ caseId: 'short' })];
    const answers = await send([good, bad]);
    expect(answers.get(good.id)).toMatchObject({ result: 'accepted' });
    expect(answers.get(bad.id)).toMatchObject({ result: 'refused', status: 400 });
    expect(networks.calls).toHaveLength(3);
  });

  it.each([
    ['another key', { consumer_key: 'another' }],
    ['no key, where one is wanted', { consumer_key: undefined, private_key: undefined }],
  ])('refuses %s', async (_, change) => {
    const outcome = outgoing();
    const answers = await send([outcome], networks.secret('provider_a', change));
    expect(answers.get(outcome.id)).toMatchObject({ result: 'failed', status: 401, isOurFault: true });
  });

  // The whole table of closing the loop, reason by reason.
  it.each([
    ['100.001', 'STOPPED', 'RESOLVED'],
    ['101.001', 'PARTIALLY_STOPPED', 'RESOLVED'],
    ['102.003', 'OTHER', 'OTHER'],
    ['103.002', 'ACCOUNT_SUSPENDED', 'RESOLVED'],
    ['900.002', 'OTHER', 'OTHER'],
    ['901.002', 'NOT_FOUND', 'NOT_FOUND'],
    ['902.002', 'NOT_FOUND', 'NOT_FOUND'],
    ['940.001', 'OTHER', 'OTHER'],
    ['950.002', 'OTHER', 'OTHER'],
    ['951.001', 'PREVIOUSLY_CANCELLED', 'RESOLVED_PREVIOUSLY_REFUNDED'],
    ['952.002', 'OTHER', 'UNRESOLVED_DISPUTE'],
    ['953.002', 'OTHER', 'OTHER'],
    ['954.002', 'OTHER', 'OTHER'],
    ['956.003', 'MISSED', 'UNRESOLVED_DISPUTE'],
    ['957.002', 'OTHER', 'UNRESOLVED_DISPUTE'],
  ])('%s is %s of a fraud and %s of a dispute, and it takes both', async (reason_code, fraud, dispute) => {
    const update = { status: 'RESOLVED', reason_code } as const;
    expect(await told(outgoing({ alertType: 'FRAUD', update }))).toMatchObject({ outcome: fraud });
    expect(await told(outgoing({ alertType: 'DISPUTE', update }))).toMatchObject({ outcome: dispute });
    expect(networks.listTold('provider_a').map(({ accepted }) => accepted)).toEqual([true, true]);
  });

  it.each([
    ['100.001', 'FRAUD', 'IN_PROGRESS'],
    ['999.002', 'DISPUTE', 'IN_PROGRESS'],
    ['998.001', 'FRAUD', 'SHIPPER_CONTACTED'],
    ['998.001', 'DISPUTE', 'IN_PROGRESS'],
  ] as const)('%s of an open %s alert is in transit: %s', async (reason_code, alertType, outcome) => {
    const open = outgoing({ alertType, isFinal: false, update: { status: 'WIP', reason_code } });
    expect(await told(open)).toMatchObject({ outcome });
  });

  describe('that enforces its specification', () => {
    beforeEach(() => networks.hurt('provider_a', { strict: true }));
    const values = async (outcome: OutgoingOutcome) => {
      const answer = (await send([outcome])).get(outcome.id);
      const [sent] = JSON.parse(networks.calls.at(-1)?.body ?? '').outcomes;
      const { refund, amountStopped, comments } = sent;
      return [answer?.result, refund.amount.value, amountStopped.value, comments];
    };

    it.each([
      ['nothing refunded', { update: declined }, 361.56, 361.56, 'Refunded: 0.00 USD. Stopped: 0.00 USD'],
      ['less than one', { amount: '0.34' }, 1, 1, 'Refunded: 0.34 USD. Stopped: 0.34 USD'],
      ['nothing of less than one', { amount: '0.34', update: declined }, 1, 1, 'Refunded: 0.00 USD. Stopped: 0.00 USD'],
      [
        'more than is allowed',
        { amount: '45000000', currency: 'JPY' },
        999_999,
        999_999,
        'Refunded: 45000000 JPY. Stopped: 45000000 JPY',
      ],
      [
        'no decimals',
        { amount: '500', currency: 'JPY', update: declined },
        500,
        500,
        'Refunded: 0 JPY. Stopped: 0 JPY',
      ],
    ] as const)(
      'accepts %s with allowed amounts, and the true ones in words',
      async (_, change, refund, stopped, words) => {
        expect(await values(outgoing(change))).toEqual(['accepted', refund, stopped, words]);
      },
    );

    it('receives allowed amounts at once, without other words', async () => {
      expect(await values(outgoing())).toEqual(['accepted', 361.56, 361.56, undefined]);
      expect(networks.calls).toHaveLength(1);
    });

    it('receives an interim answer once, and final ones of the same call all the same', async () => {
      const provider = makers.provider_a(networks.secret('provider_a'));
      const [interim, final] = [outgoing(waiting), outgoing()];
      const answers = await provider.send([interim, final]);
      expect([answers.get(interim.id), answers.get(final.id)]).toMatchObject([
        { result: 'refused' },
        { result: 'accepted' },
      ]);
      networks.calls.length = 0;
      const next = outgoing(waiting);
      expect((await provider.send([next])).get(next.id)).toMatchObject({ result: 'refused', status: null });
      expect(networks.calls).toEqual([]);
    });
  });

  it.each([
    ['another field', 'outcomes[0].comments is too long', 3],
    ['nothing in particular', 'The request is wrong', 3],
    ['the outcome', 'outcomes[0].outcome: not an allowed value', 2],
    ['the word', 'IN_PROGRESS is unknown', 2],
  ])('receives interim answers of other alerts after a refusal that names %s', async (_, Description, sent) => {
    const fault = { ReasonCode: 'VALIDATION_FAILURE', Description, Recoverable: true };
    const provider = makers.provider_a(networks.secret('provider_a'));
    // Sent as it is, and with the amounts that are allowed.
    for (let count = 0; count < 2; count += 1) networks.answerWith(400, JSON.stringify({ Errors: { Error: [fault] } }));
    networks.calls.length = 0;
    for (let count = 0; count < 2; count += 1) await provider.send([outgoing(waiting)]);
    expect(networks.calls.filter(({ body }) => body.includes('IN_PROGRESS'))).toHaveLength(sent);
    await provider.send([
      outgoing({ alertType: 'FRAUD', isFinal: false, update: { status: 'WIP', reason_code: '998.002' } }),
    ]);
    expect(networks.calls.at(-1)?.body).toContain('SHIPPER_CONTACTED');
  });

  it('receives amounts with the decimals of their currency, and the refunded amount', async () => {
    const named = { status: 'RESOLVED', reason_code: '101.001', alert_outcome_amount: '300.50' } as const;
    await told(outgoing({ update: { ...named, alert_outcome_currency: 'EUR' } }));
    const money = (text: string, currency: string) => `{"value":${text},"currencyCode":"${currency}"}`;
    expect(networks.calls.at(-1)?.body).toContain(`"refund":{"amount":${money('300.50', 'EUR')}`);
    expect(networks.calls.at(-1)?.body).toContain(`"amountStopped":${money('300.50', 'EUR')}`);
    await told(outgoing({ amount: '250', currency: 'JPY', update: { status: 'RESOLVED', reason_code: '100.003' } }));
    expect(networks.calls.at(-1)?.body).toContain(`"refund":{"amount":${money('0', 'JPY')}`);
    expect(networks.calls.at(-1)?.body).toContain(`"amountStopped":${money('250', 'JPY')}`);
    await told(outgoing({ amount: '1250.125', currency: 'KWD', update: { ...declined } }));
    expect(networks.calls.at(-1)?.body).toContain(`"refund":{"amount":${money('0.000', 'KWD')}`);
    expect(networks.calls.at(-1)?.body).toContain(`"amountStopped":${money('0.000', 'KWD')}`);
    expect(networks.listTold('provider_a').every(({ accepted }) => accepted)).toBe(true);
  });

  it('receives the amount of the alert if the answer names only a currency', async () => {
    await told(outgoing({ update: { status: 'RESOLVED', reason_code: '100.001', alert_outcome_currency: 'EUR' } }));
    expect(networks.calls.at(-1)?.body).toContain('"amountStopped":{"value":361.56,"currencyCode":"USD"}');
  });

  it.each([
    ['the merchant’s words', { comments: 'Sent yesterday' }, null, 'Sent yesterday'],
    ['what the reason means', {}, null, 'not refunded for other reasons'],
  ])('is told with OTHER %s', async (_, change, firstCaseId, comments) => {
    const update = { status: 'DECLINED', reason_code: '900.002', ...change } as const;
    expect(await told(outgoing({ update, firstCaseId }))).toMatchObject({ outcome: 'OTHER', comments });
  });

  it('receives the ID of the alert that this one duplicates', async () => {
    const update = { status: 'DECLINED', reason_code: '940.001' } as const;
    const sent = await told(outgoing({ update, firstCaseId: 'A4IM9K2MIYL9F2BPF9TWUIXTU' }));
    expect(sent.comments).toBe('Duplicate of alert A4IM9K2MIYL9F2BPF9TWUIXTU. duplicate alert');
  });

  it('receives comments cut to its maximum length, without splitting a character', async () => {
    const comments = `${'x'.repeat(1023)}😀 and more`;
    const sent = await told(outgoing({ update: { ...declined, comments } }));
    expect(sent.comments).toHaveLength(1024);
    expect(sent.comments.isWellFormed()).toBe(true);
    expect(networks.listTold('provider_a')).toMatchObject([{ accepted: true }]);
  });

  it('is not misled by a comment that looks like an amount', async () => {
    const comments = '"value":"12" and {"value":"13"}';
    expect(await told(outgoing({ update: { ...declined, comments } }))).toMatchObject({ comments });
  });

  it('receives the action date, and the refund reference if it accepts that form', async () => {
    const update = { status: 'RESOLVED', reason_code: '100.001' } as const;
    const at = '2026-05-01T08:00:00.000Z';
    const sent = await told(
      outgoing({ update: { ...update, alert_outcome_action_date: at }, refundReference: '23aer5432' }),
    );
    expect(sent).toMatchObject({ actionTimestamp: at, refund: { timestamp: at, transactionId: '23aer5432' } });
    expect((await told(outgoing({ update, refundReference: 're_1' }))).refund).not.toHaveProperty('transactionId');
    const kept = outgoing({ update: declined, refundReference: '23aer5432' });
    expect((await told(kept)).refund).not.toHaveProperty('transactionId');
  });

  it('receives an unknown code as OTHER, not refunded', async () => {
    const update = { status: 'DECLINED', reason_code: '555.009' } as const;
    expect(await told(outgoing({ update }))).toMatchObject({ outcome: 'OTHER', refundStatus: 'NOT_REFUNDED' });
  });

  it('gives no reason if its error has no words', async () => {
    const outcome = outgoing();
    networks.answerWith(400, JSON.stringify({ Errors: { Error: [{}] } }));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result: 'refused', error: 'It gave no reason' });
  });

  it('receives no comment where nothing needs one', async () => {
    expect(await told(outgoing())).not.toHaveProperty('comments');
  });

  it.each([
    [400, 'failed'],
    [404, 'failed'],
    [500, 'unknown'],
  ])('may be asked again if it answers %i without a reason', async (status, result) => {
    const outcome = outgoing();
    networks.answerWith(status, JSON.stringify({ Errors: { Error: [] } }));
    const answers = await send([outcome]);
    expect(answers.get(outcome.id)).toMatchObject({ result, status, error: `It answered ${status}` });
  });

  it('counts it as taken when the alert has the same outcome already', async () => {
    const outcome = outgoing();
    const already = (details: string) => ({
      outcomeResponses: [
        {
          alertId: outcome.caseId,
          status: 'FAILURE',
          errors: { Error: [{ ReasonCode: 'OUTCOME_ALREADY_PROVIDED', Recoverable: false, Details: details }] },
        },
      ],
    });
    networks.answerWith(200, JSON.stringify(already('RESOLVED')));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result: 'accepted' });
    networks.answerWith(200, JSON.stringify(already('NOT_FOUND')));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result: 'refused' });
    const other = JSON.stringify(already('RESOLVED')).replace('OUTCOME_ALREADY_PROVIDED', 'ALERT_NOT_FOUND');
    networks.answerWith(200, other);
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result: 'refused', error: 'ALERT_NOT_FOUND' });
  });

  it('accepts the status in lower case, as the pages of codes write it', async () => {
    const outcome = outgoing();
    networks.answerWith(200, JSON.stringify({ outcomeResponses: [{ alertId: outcome.caseId, status: 'success' }] }));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result: 'accepted' });
  });

  it.each([
    ['refused', { ReasonCode: 'ALERT_NOT_FOUND', Recoverable: false }],
    ['refused', { ReasonCode: 'ALERT_NOT_FOUND' }],
    ['refused', { ReasonCode: 'VALIDATION_FAILURE', Recoverable: true }],
    ['failed', { ReasonCode: 'SYSTEM_ERROR', Recoverable: true }],
  ])('is %s for the error %j, in an answer for each outcome and for the whole request', async (result, error) => {
    const outcome = outgoing();
    const errors = { Error: [{ Source: 'alerts', Description: 'words', ...error }] };
    const each = { outcomeResponses: [{ alertId: outcome.caseId, status: 'FAILURE', errors }] };
    networks.answerWith(200, JSON.stringify(each));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result });
    networks.answerWith(400, JSON.stringify({ Errors: errors }));
    expect((await send([outcome])).get(outcome.id)).toMatchObject({ result });
  });

  it('has an unknown result for an outcome that its reply omits', async () => {
    const [first, second] = [outgoing(), outgoing()];
    const body = { outcomeResponses: [{ alertId: first.caseId, status: 'SUCCESS' }] };
    networks.answerWith(200, JSON.stringify(body));
    const answers = await send([first, second]);
    expect([first, second].map(({ id }) => answers.get(id)?.result)).toEqual(['accepted', 'unknown']);
  });
});

describe('provider_b', () => {
  const told = async (outcome: OutgoingOutcome) => {
    const answers = await makers.provider_b(networks.secret('provider_b')).send([outcome]);
    return { ...JSON.parse(networks.calls.at(-1)?.body ?? ''), answer: answers.get(outcome.id)?.result };
  };
  beforeEach(() => {
    networks.clear('provider_b');
    networks.calls.length = 0;
  });

  it('receives code, result, amount and date under the ID of the case', async () => {
    const outcome = outgoing({ caseId: '32838/001 ä' });
    expect(await told(outcome)).toEqual({
      answer: 'accepted',
      statusCode: '100',
      result: 'REFUNDED',
      amount: '361.56',
      currency: 'USD',
      actionDate: '2026-05-02T10:00:00.000Z',
    });
    expect(networks.calls[0]).toMatchObject({
      method: 'PUT',
      path: `/provider_b/partners/cases/${encodeURIComponent('32838/001 ä')}`,
    });
    expect(networks.listTold('provider_b')).toMatchObject([{ caseId: '32838/001 ä' }]);
  });

  it.each(['100', '101', '102', '900', '901', '902', '940', '950', '951', '952', '953', '954', '956', '957'])(
    'takes reason %s',
    async (reason) => {
      const result = reason === '102' ? '003' : Number(reason) < 900 || reason === '951' ? '001' : '002';
      const update = { status: 'RESOLVED', reason_code: `${reason}.${result}` } as const;
      expect(await told(outgoing({ update }))).toMatchObject({ answer: 'accepted', statusCode: reason });
    },
  );

  it('receives no amount if nothing was refunded', async () => {
    const sent = await told(outgoing({ update: declined }));
    expect(sent).toMatchObject({ answer: 'accepted', result: 'NOT_REFUNDED' });
    expect(sent).not.toHaveProperty('amount');
  });

  it('receives the comment, the case that this one duplicates, and the date of the action', async () => {
    const actionDate = '2026-05-01T08:00:00.000Z';
    const update = { ...declined, comments: 'It was sent', alert_outcome_action_date: actionDate };
    const sent = await told(outgoing({ update, firstCaseId: 'CASE7' }));
    expect(sent).toMatchObject({ comments: 'Duplicate of case CASE7. It was sent', actionDate });
    expect(await told(outgoing({ update }))).toMatchObject({ comments: 'It was sent' });
  });

  it('receives an unknown result as not refunded', async () => {
    const update = { status: 'DECLINED', reason_code: '902.009' } as const;
    expect(await told(outgoing({ update }))).toMatchObject({ result: 'NOT_REFUNDED' });
  });

  it('receives that an answer is in progress, whatever its reason', async () => {
    const update = { status: 'OTHER', reason_code: '902.002' } as const;
    expect(await told(outgoing({ isFinal: false, update }))).toMatchObject({ statusCode: '999' });
  });

  it.each([
    ['failed', [408, 425, 429]],
    ['refused', [400, 404, 499]],
    ['unknown', [302, 500, 599]],
  ] as const)('makes an outcome %s if it answers %j', async (answer, statuses) => {
    for (const status of statuses) {
      networks.answerWith(status, '{}');
      expect(await told(outgoing())).toMatchObject({ answer });
    }
  });

  it('counts an outcome as accepted if its case is closed with the same code', async () => {
    networks.answerWith(409, JSON.stringify({ status: 'CLOSED', statusCode: '100' }));
    expect(await told(outgoing())).toMatchObject({ answer: 'accepted' });
    networks.answerWith(409, JSON.stringify({ status: 'CLOSED', statusCode: '902' }));
    expect(await told(outgoing())).toMatchObject({ answer: 'refused' });
  });

  it.each([
    ['a wrong password', { password: 'another' }],
    ['a wrong signature', { secret: 'another' }],
  ])('refuses %s', async (_, change) => {
    const outcome = outgoing();
    const answers = await makers.provider_b(networks.secret('provider_b', change)).send([outcome]);
    expect(answers.get(outcome.id)).toMatchObject({ result: 'failed', status: 401, isOurFault: true });
  });

  it('does not know what a closed case has that does not say it', async () => {
    networks.answerWith(409, '{}');
    expect(await told(outgoing())).toMatchObject({ answer: 'unknown' });
  });
});

it('reaches a network over https, below its address', () => {
  expect(networkUrl('https://network.example/v1//', '/cases').href).toBe('https://network.example/v1/cases');
});
