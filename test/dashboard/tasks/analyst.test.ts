import { expect, it } from 'vitest';
import { describeInBrowser } from '#test/support/browser.ts';
import { takePictures } from '#test/support/pictures.ts';
import { useStack } from '#test/support/stack.ts';
import { alertDetails, alertOfRow, disputedAlert, findPane, queueRows, signInAs } from '../people.ts';

/** An analyst's morning by the keyboard alone: from Home to ten decided alerts. */
const service = await useStack({ withPast: true });

const patience = { timeout: 20_000 };
const many = 7;

describeInBrowser('an analyst', (open) => {
  it('decides ten alerts by keys: refunds one, declines two with evidence, and answers the others at once', async () => {
    const { alert_id: refunded } = await disputedAlert(service, 3);
    const { page } = await open();
    const statusOf = async (id: number | string) => (await alertDetails(service, id))['status'];
    const dialog = page.getByRole('dialog');
    await signInAs(page, service);
    await page.getByRole('heading', { level: 2, name: 'Money at risk now' }).waitFor();
    await takePictures(page, 'analyst-home');
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await queueRows(page).nth(many).waitFor();
    await takePictures(page, 'analyst-queue');

    /** Chooses `the charge is valid` with the arrow keys, unless the facts have suggested it. */
    const chooseReason = async () => {
      const reason = dialog.getByLabel('Reason');
      await reason.waitFor();
      await reason.focus();
      for (let presses = 0; presses < 40 && (await reason.inputValue()) !== '902.002'; presses += 1)
        await page.keyboard.press('ArrowDown');
      expect(await reason.inputValue()).toBe('902.002');
    };
    const decided: string[] = [];
    /** Moves to the first row of the queue, whichever is open. Rows can move while it does, as answers and new alerts arrive. */
    const goToFirst = async (): Promise<string> => {
      let id = '';
      const isOpen = async (): Promise<boolean> => {
        id = await alertOfRow(queueRows(page).first());
        if (decided.includes(id)) return false;
        if ((await findPane(page).getByText(id, { exact: true }).count()) > 0) return true;
        await page.keyboard.press('k');
        return false;
      };
      await page.keyboard.press('j');
      await expect.poll(isOpen, patience).toBe(true);
      await findPane(page)
        .getByRole('heading', { name: /^(Decline|Refund|Review|Already refunded|Your call)/ })
        .first()
        .waitFor();
      return id;
    };

    // Two are declined with the code that the facts suggest.
    for (let n = 0; n < 2; n += 1) {
      const id = await goToFirst();
      await page.keyboard.press('3');
      await chooseReason();
      if (n === 0) await takePictures(page, 'analyst-decline');
      await page.getByRole('button', { name: 'Send the answer' }).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send now' }).waitFor();
      await page.keyboard.press('s');
      await expect.poll(() => statusOf(id), patience).toBe('DECLINED');
      decided.push(id);
    }

    // One is refunded with one key.
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to' }).locator('input:focus').waitFor();
    await page.keyboard.type(String(refunded));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Refund \$35\.00 and notify/ }).waitFor();
    await takePictures(page, 'analyst-refund');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await expect.poll(() => statusOf(refunded), patience).toBe('RESOLVED');

    // The others are answered at once.
    await page.keyboard.press('g');
    await page.keyboard.press('q');
    await queueRows(page).nth(many).waitFor();
    await goToFirst();
    const ids = await Promise.all(Array.from({ length: many }, (_, n) => alertOfRow(queueRows(page).nth(n))));
    await page.keyboard.press('x');
    for (let n = 1; n < many; n += 1) await page.keyboard.press('j');
    await page.keyboard.press('X');
    await page.getByText(`${many} selected`).waitFor();
    await page.keyboard.press('3');
    await chooseReason();
    await takePictures(page, 'analyst-bulk');
    await dialog.getByRole('button', { name: `Answer ${many}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send now' }).waitFor();
    await page.keyboard.press('s');
    await page.getByText(`${many} alerts answered, 0 not.`).waitFor();
    for (const id of ids) expect(await statusOf(id)).toBe('DECLINED');
    expect(new Set([...decided, String(refunded), ...ids]).size).toBe(10);
  });
});
