import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openMailbox } from '#lib/local/aws/mail.ts';
import { openClock } from '#lib/local/clock.ts';
import { openState, type State } from '#lib/local/state.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-mail-'));
let state: State;
afterEach(() => {
  state.close();
  rmSync(folder, { recursive: true });
});

it('the mailbox returns e-mails unchanged, including those stored uncompressed by earlier versions', async () => {
  state = openState(folder);
  const mailbox = openMailbox(state, openClock(state, 0), ['shop.example']);
  const earlier = { id: 'one', subject: 'An earlier one' };
  state.database.prepare('INSERT INTO mails (mail) VALUES (?)').run(JSON.stringify(earlier));
  const Body = { Html: { Data: `<table>${'<tr><td>€</td></tr>'.repeat(100)}</table>` } };
  await mailbox.service({
    ...{ method: 'POST', path: ['v2', 'email', 'outbound-emails'], query: new URLSearchParams(), action: '' },
    body: {
      FromEmailAddress: 'alerts@shop.example',
      Destination: { ToAddresses: ['one@shop.example'] },
      Content: { Simple: { Subject: { Data: 'Two' }, Body } },
    },
  });
  expect(mailbox.list()).toMatchObject([earlier, { subject: 'Two', to: ['one@shop.example'], html: Body.Html.Data }]);
  const [{ bytes } = {}] = state.database.prepare('SELECT max(length(mail)) AS bytes FROM mails').all();
  expect(bytes).toBeLessThan(Body.Html.Data.length / 2);
});
