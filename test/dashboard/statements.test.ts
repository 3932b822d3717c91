import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { imports } from '#bin/commands/imports.ts';
import { describeInBrowser } from '#test/support/browser.ts';
import { useCommand } from '#test/support/command.ts';
import { receive } from '#test/support/personas.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { expectAccessible } from './axe.ts';
import { openAs } from './people.ts';

/** Bills of the networks, compared with what came in: what an operator sees of them, saves and claims. */
const service = await useStack();
const token = await service.tokenOf('admin');

const command = useCommand('bin/import.ts');
const importStatement = async (...lines: string[]) => {
  const file = join(service.dataFolder, 'bill.csv');
  writeFileSync(file, `${['caseId,kind,amount,currency', ...lines].join('\n')}\n`);
  const args = ['statement', file, '--provider', 'provider_a', '--month', '2026-05'];
  const { status, err } = await command.callHere(imports)(args, { dataFolder: service.dataFolder });
  expect([status, err]).toEqual([0, '']);
};
const padCase = (name: string): string => name.padEnd(25, '0');
const readCredit = async (alertId: number): Promise<unknown> => {
  const { body } = await service.call(`/api/v3/service_alerts/alert/${alertId}/details`, { token });
  return (body['cost'] as { credit: string }).credit;
};

describeInBrowser('the statements of the networks', (open) => {
  it('show what was billed wrongly, save it as a file, and claim all credits', async () => {
    const { mid } = service.credentials.site;
    const price = { provider: 'provider_a', price: '25.00', currency: 'USD' };
    expect((await service.call(`/api/v3/merchant/${mid}/alert-prices`, { token, body: price })).status).toBe(200);
    const { page } = await openAs(open, service, service.credentials.admin, '/dashboard#/statements');
    await page.getByText('No statement was imported yet.').waitFor();
    await takePictures(page, 'statements-empty');
    // The second alert repeats the first, so its price can be claimed back.
    const same = { cardLast4: '7777', authCode: '777777', arn: '74208456119000012345678' };
    const [, again] = [
      await receive(service, { ...same, alertId: padCase('STMT1') }),
      await receive(service, { ...same, alertId: padCase('STMT2') }),
    ];
    await service.untilIdle();
    await importStatement(
      `${padCase('STMT1')},charge,25.00,USD`,
      `${padCase('STMT2')},charge,30.00,USD`,
      `${padCase('STMT9')},charge,25.00,USD`,
    );
    await page.reload();
    await page.getByRole('link', { name: 'May 2026' }).waitFor();
    await takePictures(page, 'statements');
    await expectAccessible(page);
    const file = join(service.dataFolder, 'torn.csv');
    writeFileSync(file, `caseId,kind,amount,currency\n${padCase('STMT1')},charge,25.00,USD\nx,charge,none,USD\n`);
    const torn = ['statement', file, '--provider', 'provider_a', '--month', '2026-04'];
    await command.callHere(imports)(torn, { dataFolder: service.dataFolder });
    await page.reload();
    await page.getByRole('link', { name: 'April 2026' }).click();
    await page.getByText('1 line was not compared.').waitFor();
    await page.getByText('The lines that could be read agree').waitFor();
    await page.getByText(/^Line 3: /).waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.getByRole('link', { name: 'May 2026' }).click();
    await page.getByText('Billed, never received').waitFor();
    await page.getByText('Another price than agreed').waitFor();
    await takePictures(page, 'statement');
    await expectAccessible(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toContain('statement');
    await page.getByRole('button', { name: 'Claim 1 credit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByText('1 credit was claimed.').waitFor();
    await page.getByRole('button', { name: 'Claim 1 credit' }).waitFor({ state: 'detached' });
    expect(await readCredit(Number(again))).toBe('claimed');
  });

  it('are read in the browser before they are booked, with the lines that cannot be read', async () => {
    const { page } = await openAs(open, service, service.credentials.admin, '/dashboard#/statements');
    const file = (text: string) => ({ name: 'bill.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const choose = (text: string) => page.getByLabel('The CSV file of a network').setInputFiles(file(text));
    await choose('caseId,amount,currency\n"open,1.00,USD\n');
    await page.getByText('Line 2 has a quote that is not closed').waitFor();
    await choose('caseId,Type,amount,currency\nA,credit,1.00,USD\n');
    await page.getByLabel('Charge or credit').selectOption('Type');
    await page.getByText('−$1.00', { exact: true }).waitFor();
    const case1 = padCase('UPLOAD1');
    await choose(
      `Case;Price;Note\n${case1};25.00;\n${case1};25.00;\nx;4111 1111 1111 1111;\ny;"1.204,50";Fjord\n4111 1111;1111 1111;\n`,
    );
    await page.getByText('no line could be read like this').waitFor();
    expect(await page.getByLabel('The sender’s total').count()).toBe(0);
    const columns = page.getByRole('group', { name: 'Which column has what' });
    await columns.getByLabel('Network’s number').selectOption('Case');
    await columns.getByLabel('Amount').selectOption('Price');
    await columns.getByLabel('Currency of all lines').fill('usd');
    await page.getByText('$50.00', { exact: true }).waitFor();
    await page.getByLabel('The sender’s total').fill('76.00');
    await page.getByText('differs by $26.00').waitFor();
    expect(await page.getByText('The amount is no number such as 1204.50').count()).toBe(3);
    const unread = page.getByRole('table', { name: 'Lines that could not be read' });
    await unread.getByText('y · 1.204,50 · Fjord').waitFor();
    // A card number in a wrong column, and one over three of them.
    expect(await unread.getByText('411111******1111').count()).toBe(2);
    expect(await page.content()).not.toContain('4111 1111');
    await page.getByLabel('Month').fill('2026-03');
    await page.getByRole('button', { name: 'Compare with the alerts' }).click();
    await page.getByRole('button', { name: 'Book 2 lines' }).waitFor();
    await takePictures(page, 'statement-upload');
    await expectAccessible(page);
    const stored = async () =>
      (await service.call('/api/v3/reports/statements', { token, body: { provider: 'provider_a', month: '2026-03' } }))
        .body;
    expect(await stored()).toMatchObject({ code: 'statement_not_found' });
    await page.getByRole('button', { name: 'Book 2 lines' }).click();
    await page.getByRole('dialog').getByText('3 lines stay out.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('link', { name: 'March 2026' }).waitFor();
    expect(await stored()).toMatchObject({
      statements: [
        { lines: 2, unread: 3, totals: [{ billed: '50.00' }], problems: [{ line: 4 }, { line: 5 }, { line: 6 }] },
      ],
      findings: [{ finding: 'never_received' }, { finding: 'never_received' }],
    });
  });

  it('are for operators alone', async () => {
    const { page } = await openAs(open, service, service.credentials.merchant, '/dashboard#/credits');
    await page.getByRole('link', { name: 'Credits' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'Statements' }).count()).toBe(0);
  });
});
