import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { type ChargeService, type DemoCharge, type DemoDispute, startChargeService } from './charge-service.ts';
import { type Client, createClient, type Playground } from './client.ts';
import type { Stage } from './stage.ts';
import { playStatement } from './statement-scene.ts';
import { hold, untilIdle } from './steps.ts';

const Connected = v.looseObject({ connections: v.tuple([v.looseObject({ id: v.string(), secret: v.string() })]) });
const Proposal = v.looseObject({
  provider: v.array(v.string()),
  descriptor: v.nullable(v.string()),
  match_type: v.nullable(v.string()),
  network_bin: v.nullable(v.string()),
  network_caid: v.nullable(v.string()),
  charges: v.number(),
});
const Import = v.looseObject({
  import_id: v.string(),
  state: v.string(),
  percent: v.number(),
  counts: v.object({ charges: v.number(), disputes: v.number(), orders: v.number(), refunds: v.number() }),
  proposals: v.optional(v.array(Proposal), []),
});
const Estimate = v.looseObject({
  disputes: v.number(),
  alerts: v.number(),
  avoided: v.number(),
  assumptions: v.array(v.string()),
  totals: v.array(v.object({ currency: v.string(), refunded: v.string(), saved: v.string() })),
  alert_cost: v.nullable(v.object({ amount: v.string(), currency: v.string() })),
});

const BackTest = v.looseObject({
  evaluated: v.number(),
  totals: v.array(v.looseObject({ submitted: v.string(), won: v.string(), uncontested: v.string() })),
  next_cursor: v.nullable(v.string()),
});

const total = 10_000;
/** One charge in this many was charged back. */
const everyDispute = 125;

const yearOfCharges = (now: string): DemoCharge[] =>
  Array.from({ length: total }, (_, n) => {
    const at = Date.parse(now) - 360 * 86_400_000 + Math.floor((n * 330 * 86_400_000) / total);
    const amount = `${9 + (n % 60)}.50`;
    const charged_back = n % everyDispute === 0;
    return {
      ...{
        reference: `shop-${n}`,
        order_reference: `R-${n}`,
        date: new Date(at).toISOString(),
        amount,
        currency: 'USD',
      },
      ...{
        card: { first6: n % 3 === 0 ? '555555' : '424242', last4: '4242', brand: n % 3 === 0 ? 'mastercard' : 'visa' },
      },
      ...{ auth_code: '71A9Q2', arn: '24000016070000622606414', caid: 'SHOP0001', captured: amount, refunded: '0.00' },
      ...{ descriptor: n % 2 === 0 ? `TEASHOP*${n}` : 'TEASHOP ONLINE', charged_back },
      charged_back_at: charged_back ? new Date(at + 20 * 86_400_000).toISOString() : null,
    };
  });

/** Every second dispute is about goods that did not arrive; of those, two of five were won. */
const toDisputes = (charges: readonly DemoCharge[]): DemoDispute[] =>
  charges.flatMap(({ reference, amount, currency, card, charged_back_at: opened_at }, n) => {
    if (opened_at === null) return [];
    const number = n / everyDispute;
    const isVisa = card.brand === 'visa';
    const [fraud, missing] = isVisa ? (['10.4', '13.1'] as const) : (['4837', '4853'] as const);
    return {
      ...{ reference: `dp-${number}`, charge: reference, amount, currency, opened_at, network: card.brand },
      status: number % 5 < 2 ? 'won' : 'lost',
      reason_code: number % 2 === 0 ? fraud : missing,
    };
  });

type Cast = { client: Client; stage: Stage; now: string; mid: number };

/**
 * A merchant's past year is imported from its own service, while a function is stopped in between; enrollments are proposed, and the
 * year is estimated; then a bill is compared. Throws at the first step that is not as it should be.
 */
export const playHistoryStory = async (
  playground: Playground & { dataFolder: string },
  stage: Stage,
): Promise<void> => {
  const client = createClient(playground);
  const { now } = await client.status();
  const cast = { client, stage, now, mid: playground.credentials.site.mid };
  let secret = '';
  const charges = yearOfCharges(now);
  const disputes = toDisputes(charges);
  await using service = await startChargeService(charges, () => secret, disputes);
  stage.scene('A merchant connects its own service, with 10,000 charges', now);
  const connections = [{ kind: 'http', label: 'Our charges', credentials: { base_url: service.url } }];
  const set = v.parse(Connected, await client.connect(connections));
  const [{ id, secret: generated }] = set.connections;
  secret = generated;
  stage.rows([['connection', id]]);
  const path = `/merchant/${cast.mid}/connections/${id}/import`;
  const done = await importYear(cast, service, path);
  await enrollProposals(cast, playground.credentials.site.sid, done);
  await estimateYear(cast, playground.credentials.site.sid);
  await backTestYear(cast, disputes);
  await playStatement({ playground, client, stage });
};

const details = async ({ client }: Cast, path: string) => v.parse(Import, await client.merchant(path, {}));

const importYear = async (cast: Cast, service: ChargeService, path: string): Promise<v.InferOutput<typeof Import>> => {
  const { client, stage, now } = cast;
  stage.scene('The past year is imported', now);
  const { import_id } = v.parse(Import, await client.merchant(path, { what: ['charges', 'refunds', 'disputes'] }));
  const finished = stage.wait('Reading 10,000 charges, a week at a time');
  while (service.lists() < 10) await wait(20);
  await client.merchant(`${path}/${import_id}/change`, { action: 'pause' });
  await untilIdle(client);
  const paused = await details(cast, `${path}/${import_id}`);
  hold(paused.state === 'PAUSED' && paused.counts.charges < total, 'the import stops where it is');
  await client.merchant(`${path}/${import_id}/change`, { action: 'resume' });
  await untilIdle(client);
  const done = await details(cast, `${path}/${import_id}`);
  finished(`Stopped at ${paused.percent} % and resumed; ${done.counts.charges} charges read`);
  hold(done.state === 'DONE' && done.counts.charges === total, 'every charge is read once');
  stage.check('each charge was counted once, though the import was stopped in between');
  return done;
};

const enrollProposals = async ({ client, stage, now }: Cast, sid: number, done: v.InferOutput<typeof Import>) => {
  stage.scene('The import proposes what to enroll', now);
  const { proposals } = done;
  hold(proposals.length > 0, 'there are proposals');
  stage.rows(
    proposals.map(({ provider, descriptor, network_bin, network_caid, charges }) => [
      provider.join(', '),
      `${descriptor ?? `${network_bin}/${network_caid}`}  ${charges} charges`,
    ]),
  );
  const enrollment_items = proposals.map(({ charges, last_charge_at, ...item }) => item);
  await client.merchant('/service_alerts/descriptor_enrollment/create', { sid, enrollment_items });
  stage.check('all of them are requested');
};

const estimateYear = async ({ client, stage, now }: Cast, sid: number): Promise<void> => {
  stage.scene('What alerts would have saved last year', now);
  const conditions = { all: [{ fact: 'amount', operator: 'lessThan', value: 50, params: { currency: 'USD' } }] };
  const estimate = v.parse(
    Estimate,
    await client.merchant('/service_alerts/rules/past-year', {
      ...{ sid, caught_percent: 60, alert_price: { amount: '25.00', currency: 'USD' } },
      rules: [{ name: 'Small amounts', conditions, action: { type: 'refund' } }],
    }),
  );
  hold(estimate.disputes === total / everyDispute, 'every dispute of the year is known');
  const [usd] = estimate.totals;
  stage.rows([
    ['disputes', String(estimate.disputes)],
    ['alerts in time', `${estimate.alerts}, for ${estimate.alert_cost?.amount} USD`],
    ['chargebacks avoided', String(estimate.avoided)],
    ['refunded', `${usd?.refunded} USD`],
    ['saved', `${usd?.saved} USD`],
  ]);
  for (const assumption of estimate.assumptions) stage.quote(assumption);
  stage.check('an estimate, with everything that it assumes');
};

const backTestYear = async ({ client, stage, now, mid }: Cast, disputes: readonly DemoDispute[]): Promise<void> => {
  stage.scene('What a rule about chargebacks would have submitted last year', now);
  const codes = ['13.1', '4853'];
  const conditions = { any: codes.map((value) => ({ fact: 'reason_code', operator: 'equal', value })) };
  const rule = { conditions, action: { type: 'submit', floor: 'none' } };
  const sums = { evaluated: 0, submitted: 0, won: 0, uncontested: 0 };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: v.InferOutput<typeof BackTest> = v.parse(
      BackTest,
      await client.merchant('/service_alerts/chargebacks', { mid, rule, size: 50, ...(cursor && { cursor }) }),
    );
    sums.evaluated += page.evaluated;
    for (const { submitted, won, uncontested } of page.totals) {
      sums.submitted += Number(submitted);
      sums.won += Number(won);
      sums.uncontested += Number(uncontested);
    }
    cursor = page.next_cursor;
  }
  hold(sums.evaluated === total / everyDispute, 'the rule is tried on every dispute of the year');
  const sum = (status: DemoDispute['status']) =>
    disputes
      .filter((one) => one.status === status && codes.includes(one.reason_code))
      .reduce((all, { amount }) => all + Number(amount), 0);
  hold(sums.won === sum('won') && sums.uncontested === sum('lost'), 'what was won and lost is counted, each once');
  stage.rows([
    ['would have been submitted', `${sums.submitted.toFixed(2)} USD`],
    ['of that, won', `${sums.won.toFixed(2)} USD`],
    ['not contested, and lost', `${sums.uncontested.toFixed(2)} USD`],
  ]);
  stage.check('a rule is tried on the past before it is turned on');
};
