import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { projectRoot } from '../build/digests.ts';
import type { Client, Playground } from './client.ts';
import { call, signIn } from './demo-calls.ts';
import type { Stage } from './stage.ts';
import { hold, untilIdle } from './steps.ts';

const Compared = v.object({
  findings: v.array(v.looseObject({ finding: v.string(), case_id: v.string(), amount: v.string() })),
  totals: v.tuple([
    v.object({ currency: v.string(), billed: v.string(), credited: v.string(), questioned: v.string() }),
  ]),
  claimed: v.number(),
});
const Credits = v.object({
  list: v.array(v.looseObject({ alert_id: v.union([v.number(), v.string()]), state: v.string(), reason: v.string() })),
});

/** Two alerts about one dispute, and one about another. */
const caseIds = ['E1IM9K2MIYL9F2BPF9TWUIXTU', 'E2IM9K2MIYL9F2BPF9TWUIXTU', 'E3IM9K2MIYL9F2BPF9TWUIXTU'] as const;

type Cast = { playground: Playground & { dataFolder: string }; client: Client; stage: Stage };

/** The network bills last month's alerts; an operator compares its statement with what came in, and claims what is due. */
export const playStatement = async (cast: Cast): Promise<void> => {
  const { client, stage } = cast;
  const { now } = await client.status();
  stage.scene('The network bills its alerts', now);
  await agreeOnPrice(cast);
  const [, repeated] = await receiveAlerts(cast, now);
  const { findings, totals, claimed } = await compare(cast, writeStatement(cast), now.slice(0, 7));
  stage.rows([
    ...findings.map(
      ({ finding, case_id, amount }) => [finding.replaceAll('_', ' '), `${case_id}  ${amount} USD`] as const,
    ),
    ['billed', `${totals[0].billed} USD`],
    ['questioned', `${totals[0].questioned} USD`],
  ]);
  const found = findings.map(({ finding }) => finding).sort();
  hold(found.join() === 'billed_twice,never_received,other_price', 'the statement has three errors');
  const { list } = v.parse(Credits, await client.credits());
  const credit = list.find((one) => String(one.alert_id) === repeated);
  hold(claimed >= 1 && credit?.state === 'claimed', 'the price of the repeated alert is claimed');
  stage.rows([['credit', `claimed for alert ${repeated}: ${credit?.reason}`]]);
  stage.check('every line is compared, and what need not be paid is claimed');
};

const agreeOnPrice = async ({ playground: { url, credentials }, stage }: Cast): Promise<void> => {
  const token = await signIn(url, credentials.admin);
  const price = { provider: 'provider_a', price: '25.00', currency: 'USD' };
  await call(url, `/merchant/${credentials.site.mid}/alert-prices`, price, token, v.unknown());
  stage.rows([['agreed price', '25.00 USD an alert']]);
};

/** Returns the ids of the alerts. */
const receiveAlerts = async ({ client }: Cast, now: string): Promise<string[]> => {
  const ids: string[] = [];
  const made = new Date(Date.parse(now) - 3 * 86_400_000).toISOString();
  for (const [index, alertId] of caseIds.entries()) {
    const { alert_id } = await client.sendAlert(
      {
        ...{ alertId, type: 'CUSTOMER_DISPUTE', alertTimestamp: now, issuer: 'First Bank', reasonCode: '4853' },
        ...{ cardBin: '555555', cardLast4: index === 2 ? '4444' : '3333', transactionTimestamp: made },
        ...{ authCode: `90A${index === 2 ? 2 : 1}Q1`, merchantDescriptor: 'DEMO SHOP' },
        amount: { value: '140.00', currencyCode: 'USD' },
      },
      now,
    );
    ids.push(String(alert_id));
    await untilIdle(client);
  }
  return ids;
};

const writeStatement = ({ playground: { dataFolder } }: Cast): string => {
  const [first, repeated, other] = caseIds;
  const billed = [`${first},25.00`, `${repeated},25.00`, `${other},30.00`, `${other},25.00`, 'E9NEVERCAME,25.00'];
  const file = join(dataFolder, 'statement.csv');
  writeFileSync(file, `${['caseId,amount,currency', ...billed.map((line) => `${line},USD`)].join('\n')}\n`);
  return file;
};

/** Runs the operator's command, as a person would. */
const compare = async ({ playground: { dataFolder }, stage }: Cast, file: string, month: string) => {
  const args = ['statement', file, '--provider', 'provider_a', '--month', month, '--claim', '--json'];
  const finished = stage.wait('npm run import -- statement');
  const { stdout } = await promisify(execFile)(process.execPath, [join(projectRoot, 'bin/import.ts'), ...args], {
    ...{ cwd: projectRoot, env: { ...process.env, DATA_DIR: dataFolder } },
  });
  const compared = v.parse(Compared, JSON.parse(stdout));
  finished('The statement is compared');
  return compared;
};
