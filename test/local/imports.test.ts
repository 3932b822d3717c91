import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imports as importProgram } from '#bin/commands/imports.ts';
import { milliseconds } from '#core/kernel/clock.ts';
import { useCommand } from '#test/support/command.ts';
import { startFakeMerchantService } from '#test/support/fake-merchant-service.ts';
import { useStack } from '#test/support/stack.ts';
import { useServer } from '#test/support/use-server.ts';

/** `npm run import` on the local stack: files of alerts and orders, and the history of a connection. */

const service = await useStack();

const command = useCommand('bin/import.ts');
const run = (...args: string[]) => command.callHere(importProgram)(args, { dataFolder: service.dataFolder });
const asJson = async (...args: string[]) => {
  const { out, err, status } = await run(...args, '--json');
  return { status, err, said: out === '' ? {} : JSON.parse(out) };
};
const writeFile = (name: string, ...lines: string[]): string => {
  const path = join(service.dataFolder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
};

describe('npm run import -- alerts', () => {
  const head = 'status,caseId,caseType,accountNumber,transactionDate,transactionAmount,transactionCurrency,descriptor';
  const line = (id: string, amount = '12.00') =>
    `NEW,${id},DISPUTE,411111******1111,2026-05-01,${amount},USD,DEMO SHOP`;

  it('imports the lines of a file once, and reports the lines that are wrong', async () => {
    const file = writeFile('alerts.csv', head, line('F-1'), line('F-2', 'twelve'), line('F-3'));
    expect(await asJson('alerts', file, '--provider', 'provider_b')).toMatchObject({
      status: 1,
      said: {
        ...{ lines: 3, imported: 2, known: 0, failed: 1 },
        problems: [{ line: 3, problem: expect.stringMatching(/^transactionAmount: /) }],
      },
    });
    expect((await asJson('alerts', file, '--provider', 'provider_b')).said).toMatchObject({ imported: 0, known: 2 });
    const token = await service.tokenOf('merchant');
    const { body } = await service.call('/api/v3/service_alerts/alerts', { token, body: { size: 100 } });
    const list = body['list'] as { provider: string }[];
    expect(list.filter(({ provider }) => provider === 'provider_b')).toHaveLength(2);
  });

  it.each<[string, string, (row: string) => string[]]>([
    [
      'a line for spreadsheets that names the delimiter',
      'sep',
      (row) => ['sep=;', head.replaceAll(',', ';'), row.replaceAll(',', ';')],
    ],
    ['title lines above the head', 'title', (row) => ['Cases of May, 2026', '', `"Reseller"`, head, row]],
    ['a head in another case', 'case', (row) => [head.toUpperCase(), row]],
    ['a head with blanks and a byte order mark', 'bom', (row) => [`\ufeff${head.replaceAll(',', ' , ')}`, row]],
    ['empty cells beyond the head', 'empty', (row) => [head, `${row},,`]],
  ])('understands %s', async (_, name, lines) => {
    const file = writeFile(`${name}.csv`, ...lines(line(`H-${name}`)));
    const answer = await asJson('alerts', file, '--provider', 'provider_b');
    expect(answer).toMatchObject({ status: 0, said: { lines: 1, imported: 1, failed: 0 } });
  });

  it.each([
    [
      'an unquoted delimiter',
      [head, 'NEW,X-1,DISPUTE,411111******1111,2026-05-01,1.00,USD,SHOP, INC'],
      /has 1 more cells than the head/,
    ],
    [
      'a rounded name of a case',
      [head, line('1.23457E+17')],
      /caseId: 1.23457E\+17 is a long number that a spreadsheet has rounded/,
    ],
    [
      'a rounded reference with a comma',
      [`${head},arn`, `"${line('X-2').split(',').join('","')}","2,46921E+22"`],
      /arn: 2,46921E\+22 is a long number/,
    ],
  ])('reports a line with %s', async (_, lines, problem) => {
    const { status, said } = await asJson('alerts', writeFile('shifted.csv', ...lines), '--provider', 'provider_b');
    expect({ status, said }).toMatchObject({
      status: 1,
      said: { imported: 0, failed: 1, problems: [{ problem: expect.stringMatching(problem) }] },
    });
  });

  it.each([
    ['two columns of one name', [`${head},CaseID`, `${line('X-3')},X-4`], 'the head has the column CaseID twice'],
    [
      'no column that is needed',
      [head.replace('caseId', 'case'), line('X-5'), line('X-6')],
      'The head has no column caseId',
    ],
  ])('refuses a file with %s', async (_, lines, words) => {
    expect((await run('alerts', writeFile('head.csv', ...lines), '--provider', 'provider_b')).err).toContain(words);
  });

  it('counts a line that repeats another one of the file as known', async () => {
    const file = writeFile('twice.csv', head, line('F-7'), line('F-7'));
    expect((await asJson('alerts', file, '--provider', 'provider_b')).said).toMatchObject({ imported: 1, known: 1 });
  });

  it('reports a line about another card under the name of a known case', async () => {
    const other = line('F-8').replace('411111******1111', '555555******4444');
    const { status, said } = await asJson(
      'alerts',
      writeFile('reused.csv', head, line('F-8'), other),
      '--provider',
      'provider_b',
    );
    expect({ status, said }).toMatchObject({
      status: 1,
      said: { imported: 1, failed: 1, problems: [{ line: 3, problem: expect.stringContaining('about another card') }] },
    });
  });

  it('prints neither card numbers nor control characters of a file', async () => {
    const strange = line('F-10').replace('DISPUTE', '4242424242424242\u001b[31m');
    const { out } = await run(
      'alerts',
      writeFile('strange.csv', head, line('F-11', '4242 4242 4242 4242'), strange),
      '--provider',
      'provider_b',
    );
    expect(out).not.toMatch(/4242 ?4242 ?4242/);
    expect(out).not.toContain('\u001b[31mDIS');
    expect(out.split('\u001b[31m').length).toBeLessThanOrEqual(3);
  });

  it('imports nothing in a dry run', async () => {
    const file = writeFile('dry.csv', head, line('F-9'));
    expect(await run('alerts', file, '--provider', 'provider_b', '--dry-run')).toMatchObject({
      out: '1 of 1 lines can be imported.\n',
    });
    expect((await asJson('alerts', file, '--provider', 'provider_b')).said).toMatchObject({ imported: 1 });
  });

  it('reads the columns of a portal by a mapping', async () => {
    const mapping = writeFile(
      'mapping.json',
      JSON.stringify({
        provider: 'provider_b',
        fields: {
          status: { value: 'NEW' },
          caseType: { value: 'DISPUTE' },
          caseId: "$['Case Number']",
          accountNumber: "$['Card']",
          transactionDate: '$.Date',
          transactionAmount: '$.Amount',
          transactionCurrency: { value: 'USD' },
          descriptor: '$.Merchant',
        },
      }),
    );
    const file = writeFile(
      'portal.csv',
      'Case Number;Card;Date;Amount;Merchant',
      'P-1;411111******1111;2026-05-01;7.00;DEMO SHOP',
    );
    expect((await asJson('alerts', file, '--mapping', mapping)).said).toMatchObject({ imported: 1, failed: 0 });
  });

  it('refuses an unknown provider, and a file without one', async () => {
    const file = writeFile('none.csv', head);
    expect(await run('alerts', file)).toMatchObject({ status: 1, err: expect.stringContaining('--provider') });
    expect(await run('alerts', file, '--provider', 'x')).toMatchObject({
      status: 1,
      err: expect.stringContaining('choose one of'),
    });
  });
});

describe('npm run import -- orders', () => {
  const head =
    'reference,order_date,amount,currency,card_firstsix,card_lastfour,card_type,customer.email,items.0.name,items.0.quantity,items.0.amount_unit';
  const line = (reference: string, amount = '45.00') =>
    `${reference},2026-05-01T08:00:00Z,${amount},USD,411111,1111,VISA,ada@example.com,Tea,1,${amount}`;

  it('imports orders once, with their customers and items, and reports the lines that are wrong', async () => {
    const sid = String(service.credentials.site.sid);
    const file = writeFile('orders.csv', head, line('R-1'), line('R-2', 'x'), line('R-3'));
    expect((await asJson('orders', file, '--sid', sid, '--dry-run')).said).toMatchObject({ imported: 2, failed: 1 });
    expect((await asJson('orders', file, '--sid', sid)).said).toMatchObject({
      ...{ lines: 3, imported: 2, known: 0, failed: 1 },
      problems: [{ line: 3, problem: expect.stringMatching(/amount/) }],
    });
    expect((await asJson('orders', file, '--sid', sid)).said).toMatchObject({ imported: 0, known: 2 });
  });

  it('asks for the site', async () => {
    expect(await run('orders', writeFile('o.csv', head))).toMatchObject({
      status: 1,
      err: expect.stringContaining('--sid'),
    });
  });
});

describe('npm run import -- statement', () => {
  it('reports what a statement bills that was not received or costs something else', async () => {
    const token = await service.tokenOf('admin');
    const { mid } = service.credentials.site;
    const price = { provider: 'provider_b', price: '25.00', currency: 'USD' };
    expect((await service.call(`/api/v3/merchant/${mid}/alert-prices`, { token, body: price })).status).toBe(200);
    const head =
      'status,caseId,caseType,accountNumber,transactionDate,transactionAmount,transactionCurrency,descriptor';
    const alerts = ['S-1', 'S-2'].map(
      (id, index) => `NEW,${id},DISPUTE,411111******1111,2026-05-01,3${index}.00,USD,DEMO SHOP`,
    );
    await asJson('alerts', writeFile('billed.csv', head, ...alerts), '--provider', 'provider_b');
    await service.untilIdle();
    const file = writeFile(
      'statement.csv',
      'caseId,kind,amount,currency',
      'S-1,charge,25.00,USD',
      'S-2,charge,30.00,USD',
      'S-2,charge,25.00,USD',
      'S-9,,25.00,usd',
      'S-3,other,25.00,USD',
    );
    const args = ['statement', file, '--provider', 'provider_b', '--month', '2026-05'];
    expect(await asJson(...args)).toMatchObject({
      status: 1,
      said: {
        lines: 4,
        findings: [
          { finding: 'other_price', line: 3, case_id: 'S-2', agreed: '25.00' },
          { finding: 'billed_twice', line: 4, case_id: 'S-2' },
          { finding: 'never_received', line: 5, case_id: 'S-9' },
        ],
        problems: [{ line: 6, problem: expect.stringContaining('kind') }],
      },
    });
    expect((await run(...args, '--csv')).out).toContain('"billed_twice",4,"S-2"');
    expect((await run(...args)).out).toContain('105.00 billed');
  });

  it('stores the result for the reports, but not in a dry run', async () => {
    const token = await service.tokenOf('admin');
    const file = writeFile('bill.csv', 'caseId,amount,currency', 'NOBODY-1,25.00,USD');
    const args = ['statement', file, '--provider', 'rdr', '--month', '2026-04'];
    const body = { provider: 'rdr', month: '2026-04' };
    const stored = () => service.call('/api/v3/reports/statements', { token, body });
    expect((await run(...args, '--dry-run', '--claim')).err).toContain('--claim or --dry-run');
    expect((await asJson(...args, '--dry-run')).said).toMatchObject({ findings: [{ case_id: 'NOBODY-1' }] });
    expect((await stored()).status).toBe(404);
    await asJson(...args);
    expect((await stored()).body).toMatchObject({ findings: [{ finding: 'never_received', case_id: 'NOBODY-1' }] });
  });

  it('stores and shows the lines that could not be read, and keeps a stored result that says more', async () => {
    const token = await service.tokenOf('admin');
    const head = 'caseId,amount,currency';
    const args = (file: string) => ['statement', file, '--provider', 'rdr', '--month', '2026-03'];
    const stored = async () =>
      (await service.call('/api/v3/reports/statements', { token, body: { provider: 'rdr', month: '2026-03' } })).body;
    const good = writeFile('good.csv', head, 'R-1,25.00,USD', 'R-2,25.00,USD', 'R-3,"25,00",USD');
    const first = await run(...args(good), '--csv');
    expect(first).toMatchObject({ status: 1, err: expect.stringContaining('line 4') });
    expect(await stored()).toMatchObject({ statements: [{ lines: 2, unread: 1, problems: [{ line: 4 }] }] });
    for (const amounts of [
      ['"25,00"', '"25,00"'],
      ['25.00', '-5'],
      ['1e309', '1,234.00'],
    ]) {
      const poor = writeFile('poor.csv', head, ...amounts.map((amount, at) => `R-${at},${amount},USD`));
      const second = await run(...args(poor));
      expect(second).toMatchObject({ status: 1, err: expect.stringContaining('has 2 lines') });
      expect(await stored()).toMatchObject({ statements: [{ lines: 2, unread: 1 }] });
    }
    const corrected = writeFile('corrected.csv', head, 'R-1,25.00,USD');
    expect(await run(...args(corrected))).toMatchObject({ status: 0 });
    expect(await stored()).toMatchObject({ statements: [{ lines: 1, unread: 0, problems: [] }] });
  });

  it('asks for the provider and the month', async () => {
    const file = writeFile('s.csv', 'caseId,amount,currency');
    expect((await run('statement', file)).err).toContain('--provider');
    expect((await run('statement', file, '--provider', 'provider_b')).err).toContain('--month');
  });
});

describe('npm run import -- enrollments', () => {
  const head = 'Enrollment_Request_Id,merchant_name,provider,descriptor,match_type,network_bin,network_caid,status';
  const enroll = async (): Promise<number> => {
    const enrollment_items = [
      { descriptor: '@LISTED SHOP', match_type: 'Exact', provider: ['provider_a', 'provider_b'] },
      { provider: ['rdr'], network_bin: '423225', network_caid: '777001' },
    ];
    const body = { sid: service.credentials.site.sid, enrollment_items };
    const token = await service.tokenOf('merchant');
    const made = await service.call('/api/v3/service_alerts/descriptor_enrollment/create', { token, body });
    return Number(made.body['enrollment_request_id']);
  };
  const statuses = async (id: number): Promise<unknown> => {
    const token = await service.tokenOf('merchant');
    const path = `/api/v3/service_alerts/enrollment/status/${id}`;
    const { enrollment_request_items: items } = (await service.call(path, { token, method: 'POST' })).body;
    return Object.fromEntries(
      Object.entries(items as Record<string, [{ status: string }]>).map(([provider, [{ status }]]) => [
        provider,
        status,
      ]),
    );
  };

  it('takes over the statuses of items, and names the lines that it cannot', async () => {
    const id = await enroll();
    const file = writeFile(
      'answers.csv',
      head,
      `${id},Demo,provider_a,'@listed  shop,Exact,,,failed`,
      `${id},Demo,provider_b,@LISTED SHOP,Exact,,,Waiting_for_action`,
      `${id},Demo,rdr,,,423225,777001,UNENROLLED`,
      `${id},Demo,provider_b,OTHER SHOP,Exact,,,FAILED`,
      `${id},Demo,provider_b,@LISTED SHOP,Exact,,,Rejected`,
      `${id},Demo,rdr,,,423225,,ENROLLED`,
      `,Demo,provider_b,LISTED SHOP,Exact,,,FAILED`,
    );
    expect(await asJson('enrollments', file, '--dry-run')).toMatchObject({
      status: 1,
      said: { imported: 4, failed: 3 },
    });
    expect(await asJson('enrollments', file)).toMatchObject({
      status: 1,
      said: {
        ...{ lines: 7, imported: 3, known: 0, failed: 4 },
        problems: [
          { line: 5, problem: expect.stringContaining('no such item') },
          { line: 6, problem: expect.stringContaining('status: must be one of') },
          { line: 7, problem: expect.stringContaining('network_caid') },
          { line: 8, problem: expect.stringContaining('enrollment_request_id: is required') },
        ],
      },
    });
    expect(await statuses(id)).toEqual({ provider_a: 'FAILED', provider_b: 'WAITING FOR ACTION', rdr: 'UNENROLLED' });
    expect(await asJson('enrollments', file)).toMatchObject({ said: { imported: 0, known: 3, failed: 4 } });
  });
});

describe('npm run import -- history', async () => {
  const shop = await useServer(startFakeMerchantService());

  it('imports the past of a connection and reports what it read', async () => {
    const { mid } = service.credentials.site;
    const token = await service.tokenOf('merchant');
    const connections = [{ kind: 'http', label: 'Ours', credentials: { base_url: shop.url, secret: shop.secret } }];
    const set = await service.call(`/api/v3/merchant/${mid}/connections`, { token, body: { connections } });
    const { id } = (set.body['connections'] as [{ id: string }])[0];
    const now = service.clock.now().getTime();
    for (let n = 0; n < 60; n += 1) shop.charge({ minor: 1000, at: now - (n + 1) * milliseconds.day });
    expect(await asJson('history', id, '--mid', String(mid))).toMatchObject({
      status: 0,
      said: { state: 'DONE', percent: 100, counts: { charges: 60 } },
    });
    expect(await run('history', 'cn_of_nobody', '--mid', String(mid))).toMatchObject({ status: 1 });
  });
});
