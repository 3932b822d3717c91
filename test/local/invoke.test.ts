import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeEndpoints } from '#lib/local/endpoints.ts';
import { fillSample, type SampleValues } from '#lib/local/invoke/sample-event.ts';
import { receive } from '#test/support/personas.ts';
import { startStack, type TestStack } from '#test/support/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'forewarn-invoke-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm run invoke` as a program of its own. */
const invoke = async (dataFolder: string, ...names: string[]) => {
  const child = spawn(process.execPath, ['bin/invoke.ts', ...names], {
    env: { ...process.env, DATA_DIR: dataFolder, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.output += chunk;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.errors += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...written };
};

describe('npm run invoke', () => {
  let service: TestStack;
  beforeAll(async () => {
    service = await startStack({ real: true, startTime: '2026-05-02T10:00:00Z' });
    writeEndpoints(folder, service.stack.endpoints());
  });
  afterAll(() => service.stop());

  it('runs a function with its sample event against the running stack, and shows reply, logs and time', async () => {
    const { status, output, errors } = await invoke(folder, 'alerts/update-alert');
    expect([status, errors]).toEqual([0, '']);
    expect(output).toContain('alerts/update-alert · events/alerts/update-alert.json');
    expect(output).toContain(service.url);
    expect(output).toMatch(/reply +200/);
    expect(output).toContain('"alert_status": "RESOLVED"');
    expect(output).toMatch(/info +request .*operation=alerts\/update-alert status=200/);
    expect(output).toMatch(/time +[\d.]+ ms/);
    expect(output).not.toContain(service.credentials.site.rcode);
  });

  it('writes a filled event with which plain Node runs the function', async () => {
    const { status, output, errors } = await invoke(folder, 'alerts/list-reason-codes', '--print', '--json');
    expect([status, errors]).toEqual([0, '']);
    const written = JSON.parse(output) as { folder: string; eventFile: string; environmentFile: string };
    expect(readFileSync(written.eventFile, 'utf8')).not.toContain('{{');
    expect(JSON.parse(readFileSync(written.environmentFile, 'utf8'))).toMatchObject({
      Parameters: { TABLE_NAME: expect.any(String), AWS_ENDPOINT_URL_DYNAMODB: expect.stringContaining('http') },
    });
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['lib/local/invoke/run-handler.mjs', written.folder, written.eventFile, written.environmentFile],
    ]);
    const reply = stdout.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(reply)).toMatchObject({ statusCode: 200 });
  });

  it('says the same as JSON, for programs', async () => {
    const { status, output } = await invoke(folder, 'alerts/list-reason-codes', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      function: 'alerts/list-reason-codes',
      stack: service.url,
      result: { statusCode: 200 },
      logs: [{ event: 'request', status: 200 }],
    });
  });

  it('runs it with another event', async () => {
    const file = join(folder, 'event.json');
    writeFileSync(
      file,
      JSON.stringify({
        path: '/secure/alert/update/v2/',
        httpMethod: 'POST',
        headers: {},
        body: '{}',
        requestContext: { requestId: 'own' },
      }),
    );
    const { status, output } = await invoke(folder, 'alerts/update-alert', file);
    expect(status).toBe(0);
    expect(output).toMatch(/reply +401/);
  });

  it('starts a stack for the purpose when none runs', async () => {
    const { status, output, errors } = await invoke(join(folder, 'empty'), 'jobs/sweep');
    expect([status, errors]).toEqual([0, '']);
    expect(output).toContain('a temporary one');
    expect(output).toContain('"batchItemFailures": []');
  });

  it('sends the mail of its sample once, though the stack that runs would send it too', async () => {
    await service.untilIdle();
    const before = service.mails().length;
    const { status, output, errors } = await invoke(folder, 'jobs/send-mail');
    expect([status, errors]).toEqual([0, '']);
    expect(output).toContain('"batchItemFailures": []');
    await service.untilIdle();
    expect(service.mails().length).toBe(before + 1);
  });

  it('keeps the function from its queue for as long as it is held', async () => {
    const name = service.stack.runner.definitions.find((one) => one.name.endsWith('-send-mail'))?.name ?? '';
    await service.untilIdle();
    const before = service.mails().length;
    // Locked, or a collection of garbage would end it.
    const held = (await fetch(`${service.url}/_local/hold/${name}`)).body?.getReader();
    await receive(service);
    expect(service.mails().length).toBe(before);
    const sent = once(service.stack.runner.ends, 'end');
    await held?.cancel();
    await sent;
    await service.untilIdle();
    expect(service.mails().length).toBe(before + 1);
  });

  it('ends with status 1 when a message of a batch fails', async () => {
    const file = join(folder, 'batch.json');
    writeFileSync(file, JSON.stringify({ Records: [{ messageId: 'm1', body: 'no JSON' }] }));
    const { status, output } = await invoke(folder, 'jobs/send-mail', file);
    expect(output).toContain('"itemIdentifier": "m1"');
    expect(status).toBe(1);
  });

  it('names what is close to a name it does not know', async () => {
    const { status, output, errors } = await invoke(folder, 'alerts/assign');
    expect([status, output, errors]).toEqual([
      1,
      '',
      'There is no function alerts/assign; did you mean alerts/assign-alert or alerts/set-assignee?\n',
    ]);
  });
});

describe('a sample event', () => {
  const values: SampleValues = {
    read: async (name) => ({ sid: '7', rcode: 'abc', odd: 'a"b' })[name],
    sign: async (provider, body) => `${provider} signs ${body.length} characters`,
  };
  const fill = (event: unknown) => fillSample(JSON.stringify(event), values);

  it('is filled in wherever a placeholder stands, also in JSON inside JSON', async () => {
    const event = { headers: { rcode: '{{rcode}}' }, body: JSON.stringify({ sid: '{{sid}}' }) };
    expect(await fill(event)).toEqual({ headers: { rcode: 'abc' }, body: '{"sid":"7"}' });
  });

  it('is signed last, over the body as it will be sent', async () => {
    const event = { headers: { 'x-signature': '{{signature:rdr}}' }, body: '{{sid}}' };
    expect(await fill(event)).toEqual({ headers: { 'x-signature': 'rdr signs 1 characters' }, body: '7' });
  });

  it.each([
    ['{{nobody}}', 'which nothing fills in'],
    ['{{odd}}', 'cannot stand in JSON'],
  ])('is refused with %s', async (text, message) => {
    await expect(fill({ text })).rejects.toThrow(message);
  });
});
