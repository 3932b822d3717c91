import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '#core/platform/log/log.ts';
import { call, gatewayEvent } from '#test/support/gateway-event.ts';
import { startMemoryTable } from '#test/support/memory-table.ts';
import { leaksIn, learn, noteLearned, takeLeaks } from '#test/support/secret-leak-scan.ts';
import { startStack } from '#test/support/stack.ts';
import { startTable } from '#test/support/table.ts';

/** A leak is planted in each of the places that the scan watches in every test file; it has to be found there. */

const card = '4000002760000016';
const rcode = 'c4n4ryc4n4ryc4n4ryc4n4ryc4n4ry99';
const apiKey = 'AQE-probe-api-key-of-a-processor';
learn(JSON.stringify({ body: JSON.stringify({ card_no: card, card_ccv: '951', rcode }) }));
learn(JSON.stringify({ body: JSON.stringify({ routes: [{ credentials: { api_key: apiKey } }] }) }));

const secrets = { card, rcode, apiKey };
const each = Object.entries(secrets);
// The tests below plant leaks of their own, which the scan must not find a second time.
afterEach(() => void takeLeaks());

describe('the scan knows', () => {
  it.each([
    card,
    '4000 0027 6000 0016',
    '4000-0027-6000-0016',
    '4000+0027+6000+0016',
    '4000%200027%206000%200016',
    // Never seen before.
    '378282246310005',
    Buffer.from(card).toString('base64'),
  ])('a card number written as %s', (text) => {
    expect(leaksIn(`{"note":"for ${text}"}`)).toEqual([expect.stringMatching(/^the card/)]);
  });

  it('a security code, alone, in a sentence, and by the name of its field', () => {
    expect(leaksIn('{"note":"951"}')).toEqual([expect.stringMatching(/^the security code 951/)]);
    expect(leaksIn('bad code 951, try again')).toHaveLength(1);
    expect(leaksIn('{"cvv":{"S":"303"}}')).toEqual([expect.stringMatching(/^a field for a security code/)]);
  });

  it('an rcode, a processor’s key, and what looks like one', () => {
    expect(leaksIn(`rcode ${rcode}`)).toEqual([expect.stringMatching(/^the rcode/)]);
    expect(leaksIn(`{"k":"${apiKey}"}`)).toEqual([expect.stringMatching(/^the processor key/)]);
    expect(leaksIn('Invalid API Key: sk_test_51Nobodyknows')).toEqual([expect.stringMatching(/looks like a key/)]);
  });

  it('secrets of forms, queries, headers and multipart bodies', () => {
    learn('card_no=4000-0012-4000-0000&card_ccv=862&rcode=aformaformaformaformaform01');
    learn(JSON.stringify({ headers: { rcode: 'aheaderaheaderaheader0000002' } }));
    learn(JSON.stringify({ body: '--x\r\nContent-Disposition: form-data; name="card_ccv"\r\n\r\n864\r\n--x--' }));
    const words = '"862" "864" aformaformaformaformaform01 aheaderaheaderaheader0000002 x4000001240000000';
    expect(leaksIn(words)).toHaveLength(5);
  });

  it('what a process has learned for the next, what it knew before included', () => {
    const learnedSince = noteLearned();
    learn(JSON.stringify({ card_no: card, card_ccv: '951', rcode, api_key: apiKey }));
    const noted = learnedSince();
    learn('rcode=aftertheothersaftertheothers0001');
    expect(learnedSince()).toEqual(noted);
    expect(noted.sort()).toEqual(
      [{ card_no: card }, { cvv: '951' }, { rcode }, { secret_key: apiKey }].map((one) => JSON.stringify(one)).sort(),
    );
  });

  it('a learned card wherever it stands', () => {
    const places = [`card_no=${card}`, `CARD#${card}`, `/card/${card}`, `The card ${card}.`, `%22${card}`, `x${card}y`];
    expect(places.filter((text) => leaksIn(text).length === 0)).toEqual([]);
  });

  it('what is none', () => {
    const innocent = {
      masked: '400000******0016',
      txid: 1077048115202471,
      fingerprint: 'a94f0b3f4f5c3c7b9c9d4000002760000099aaaa',
      latency: { N: '951' },
      minor: { S: '951' },
      at: '2026-05-02T10:00:00.951Z',
      milliseconds: 951,
      wrong: '4000002760000017',
    };
    expect(leaksIn(JSON.stringify(innocent))).toEqual([]);
  });
});

describe('the scan finds in every test file', () => {
  it.each(each)('%s in a row, also in one that is overwritten', async (name, secret) => {
    const table = await startTable();
    for (const note of [secret, 'overwritten']) {
      const Item = marshall({ pk: 'PLANTED', sk: 'ROW', note });
      await table.client.send(new PutItemCommand({ TableName: process.env['TABLE_NAME'], Item }));
    }
    expect(table.stop, name).toThrow('Secrets where they do not belong');
  });

  it.each(each)('%s in a row of a table in memory, also in one that is overwritten', async (name, secret) => {
    const table = startMemoryTable();
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    for (const note of [secret, 'overwritten']) {
      const Item = { pk: 'PLANTED', sk: 'ROW', note };
      await client.send(new PutCommand({ TableName: process.env['TABLE_NAME'], Item }));
    }
    expect(table.stop, name).toThrow('Secrets where they do not belong');
  });

  it.each(each)('%s in a log line', (_, secret) => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    // The name of an event is logged as it is.
    log('info', secret);
    write.mockRestore();
    expect(takeLeaks()).toEqual([expect.stringMatching(/^a log line/)]);
  });

  it.each(each)('%s in a queue message', (_, secret) => {
    new SendMessageBatchCommand({ QueueUrl: 'q', Entries: [{ Id: '1', MessageBody: `{"note":"${secret}"}` }] });
    expect(takeLeaks()).toEqual([expect.stringMatching(/^a queue message/)]);
  });

  it.each(each)('%s in an answer', async (_, secret) => {
    const answer = async () => ({ statusCode: 200, body: JSON.stringify({ note: secret }) });
    await call(answer, gatewayEvent({ path: '/planted' }));
    expect(takeLeaks()).toEqual([expect.stringMatching(/^the answer of \/planted/)]);
  });

  it('what a call sent, when the answer says it back', async () => {
    const body = '{"card_ccv":"868"}';
    await call(async () => ({ statusCode: 400, body: '{"msg":"868 is wrong"}' }), gatewayEvent({ body }));
    expect(takeLeaks()).toEqual([expect.stringContaining('the security code 868')]);
  });

  it('on the local stack the secrets of what was sent and of what was shown', async () => {
    const service = await startStack();
    const { sid, rcode: shown } = service.credentials.payment_site;
    expect(leaksIn(`a word ${shown}`)).toEqual([expect.stringMatching(/^the rcode/)]);
    const sent = { card_no: '4000001560000002', card_ccv: '857', hash: 'x' };
    await service.call(`/api/v1/index.php/${sid}/singletx`, { body: sent });
    expect(leaksIn('{"note":"857"}')).toEqual([expect.stringMatching(/^the security code/)]);
    expect(leaksIn('CARD#4000001560000002')).toEqual([expect.stringMatching(/^the card/)]);
    await service.stop();
  });

  it('a card number in what the local stack keeps', async () => {
    const service = await startStack({ withDemo: false });
    await fetch(service.sinks.url('planted'), { method: 'POST', body: `{"note":"${card}"}` });
    await expect(service.stop()).rejects.toThrow('the rows of sink_requests: the card');
  });
});

/** The tests that run something by themselves, and the reason why they may do so unwatched. */
const unwatched: Readonly<Record<string, string>> = {
  'accounts/documents/code-samples.test.ts': 'calls a stack that is watched',
  'accounts/documents/site.test.ts': 'writes the documentation as files and calls nothing',
  'build/bundle.test.ts': 'loads bundles and calls nothing',
  'client/client.test.ts': 'calls a stack that is watched',
  'client/contract.test.ts': 'calls a service of its own that answers as it is told',
  'client/missing-secrets.test.ts': 'opens webhooks that it has signed itself',
  'client/php.test.ts': 'calls a stack that is watched',
  'client/python.test.ts': 'calls a stack that is watched',
  'client/readmes.test.ts': 'calls a stack that is watched',
  'cloud/cdk-command.test.ts': 'synthesizes the stack and calls nothing',
  'cloud/deploy.test.ts': 'is turned away before anything runs',
  'cloud/pipeline.test.ts': 'synthesizes the stack of the pipeline and calls nothing',
  'dashboard/story.test.ts': 'calls a stack that is watched',
  'guides/languages.test.ts': 'calls a stack that is watched',
  'guides/programs.ts': 'starts receivers that a watched stack calls, and services of merchants that hold no secrets',
  'local/compaction.test.ts': 'runs no function of the service',
  'local/developer.test.ts': 'calls a stack that is watched',
  'local/help.test.ts': 'has programs say how they are called, and nothing else',
  'local/init.test.ts': 'calls a stack that is watched',
  'local/invoke.test.ts': 'calls a stack that is watched',
  'local/tiny-stack.ts': 'runs no function of the service',
  'mutation/mutate.test.ts': 'runs mutants of a small folder of its own',
  'mutation/mutate.ts': 'asks git for the names of files',
  'mutation/play.ts': 'runs tests that are watched',
  'operator/prove.test.ts': 'has shell commands call a stack that is watched',
  'operator/steps.test.ts': 'has commands printed and checked, with programs that only write down their calls',
  'operator/trace.test.ts': 'reads lines of logs that it has written itself',
  'outside/check.ts': 'starts the referees below',
  'outside/compare-schemas.ts': 'compares documents and calls nothing',
  'outside/install-clients.ts': 'starts npm start for clients of others, with cards for tests',
  'outside/lint-templates.ts': 'lints templates and calls nothing',
  'outside/ministack.ts': 'starts an emulator that others wrote, whose tables are gone when it ends',
  'outside/prove-ministack.ts': 'deploys to that emulator, with cards for tests',
  'outside/start-service.ts': 'starts npm start for the referees, with cards for tests',
  'outside/try-api.ts': 'calls the service that npm start starts, with what another program makes up',
  'outside/try-postman.ts': 'has Newman call a service that npm start starts, with cards for tests',
  'outside/try-stripe-mock.ts': 'calls an emulator that others wrote, with cards for tests',
  'simulation/nightly.test.ts': 'its worlds hold their rows, messages and lines against an invariant of their own',
  'simulation/planted.test.ts': 'its worlds hold their rows, messages and lines against an invariant of their own',
  'simulation/previous/write-previous.ts': 'it builds a bundle, and runs none of it',
  'simulation/play-histories.ts': 'its worlds hold their rows, messages and lines against an invariant of their own',
  'support/command.ts': 'writes to a table that is watched',
  'support/fresh-process.ts': 'measures how bundles load',
  'voice.test.ts': 'asks git for the names of files',
};

it('no test starts a table, a stack or a program without the scan', () => {
  const starters = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('bench/') && file !== 'secret-leak-scan.test.ts')
    .filter((file) => {
      const text = readFileSync(join('test', file), 'utf8');
      return /startLocalStack\(|\bspawn\(|\bexecFile/.test(text) && !/secret-leak-scan\.ts'/.test(text);
    });
  expect(starters.sort()).toEqual(Object.keys(unwatched).sort());
});
