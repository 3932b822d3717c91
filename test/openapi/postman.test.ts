import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { postmanCollection } from '#lib/openapi/postman.ts';

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const { item, variable, event } = postmanCollection(document);

it('has every operation once, in a folder of its heading', () => {
  const names = item.flatMap((folder) => folder.item.map(({ name }) => name));
  const summaries = Object.values<Record<string, { summary: string }>>(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ summary }) => summary),
  );
  expect(names.sort()).toEqual(summaries.sort());
  expect(item[0]?.name).toBe('Signing in');
});

it('says who calls and with what, by the variables of the collection', () => {
  const requests = item.flatMap((folder) => folder.item.map(({ request }) => request));
  const find = (path: string) => requests.find(({ url }) => url.raw === `{{url}}${path}`);
  expect(variable.map(({ key }) => key)).toEqual(['url', 'username', 'password', 'token', 'rcode']);
  expect(find('/api/v3/site/list')).toMatchObject({ method: 'POST', auth: { type: 'bearer' } });
  expect(find('/secure/alert/update/v2/')).toMatchObject({
    header: [{ key: 'rcode', value: '{{rcode}}' }],
    body: { mode: 'raw' },
  });
  expect(find('/api/v3/site/:sid/details')?.url).toMatchObject({ variable: [{ key: 'sid' }] });
  const pay = find('/api/v1/index.php/:id/singletx');
  expect(pay?.header).toContainEqual(expect.objectContaining({ key: 'x-signature' }));
  expect(JSON.parse(pay?.body?.raw ?? '')).not.toHaveProperty('hash');
  expect(event[0]?.script.exec.join('\n')).toContain('gettoken');
});
