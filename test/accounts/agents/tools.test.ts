import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { resolveOperationUrl } from '#accounts/agents/operation-client.ts';
import { type AgentTool, fillPath, mayUse, toolBody } from '#accounts/agents/tools/tool.ts';
import type { Caller, Operation } from '#core/platform/operation/operation.ts';
import { noteAlertOperation } from '#disputes/alerts/api/note-alert/operation.ts';
import { operations } from '#functions/operations.ts';
import { agentTools, agentToolsText } from '#lib/openapi/agent-tools.ts';

const tools = agentTools(operations);
const toolNamed = (name: string): AgentTool => {
  const found = tools.find((tool) => tool.name === name);
  if (!found) throw new Error(`There is no tool ${name}`);
  return found;
};

describe('the tools of agents', () => {
  it('are written to docs/tools.json as they are declared', () => {
    expect(readFileSync('docs/tools.json', 'utf8')).toBe(agentToolsText(operations));
  });

  it('name, permission and path follow from the operation', () => {
    const { summary, permission, path } = noteAlertOperation;
    expect(toolNamed('note_alert')).toMatchObject({ kind: 'act', summary, permission, path, pathFields: ['alert_id'] });
  });

  it('have schemas that a validator accepts', () => {
    const validator = new AjvJsonSchemaValidator();
    for (const { name, inputSchema } of tools)
      expect(validator.getValidator(inputSchema)({ nonsense: 1 }).valid, name).toBe(false);
  });

  it('only read, apart from those that answer, refund, note and replay', () => {
    const acting = tools.filter(({ kind }) => kind === 'act').map(({ name }) => name);
    expect(acting.sort()).toEqual(['answer_alert', 'note_alert', 'refund_alert', 'replay_notification']);
  });

  it('show what an action is about by an operation with the same path fields', () => {
    for (const { name, kind, pathFields, aboutPath } of tools.filter((tool) => tool.kind === 'act')) {
      const fields = [...(aboutPath ?? '').matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
      expect([name, kind, fields]).toEqual([name, 'act', pathFields]);
    }
  });

  it('cannot be declared by an operation that no API key may call', () => {
    const wrong = (change: Partial<Operation>) => () =>
      agentTools([{ ...(noteAlertOperation as Operation), ...change }]);
    expect(wrong({ permission: 'person' })).toThrow('alerts/note-alert cannot be a tool');
    expect(wrong({ auth: 'public' })).toThrow('alerts/note-alert cannot be a tool');
    expect(wrong({})).toThrow('alerts/alert-details, which is no operation');
  });
});

describe('mayUse', () => {
  const caller: Caller = { scope: 'merchant', mid: 1, subject: 'someone' };
  const withKey = (permissions: NonNullable<Caller['key']>['permissions'], sites: number[] | null = null): Caller => ({
    ...caller,
    key: { permissions, sites },
  });

  it('follows the permissions of an API key, even if its user could do more', () => {
    expect(mayUse(toolNamed('refund_alert'), withKey(['alerts:read', 'refunds']))).toBe(true);
    expect(mayUse(toolNamed('refund_alert'), withKey(['alerts:read', 'alerts:answer']))).toBe(false);
  });

  it('excludes what concerns the whole merchant for a key that is limited to sites', () => {
    expect(mayUse(toolNamed('alert_details'), withKey(['alerts:read'], [2]))).toBe(true);
    expect(mayUse(toolNamed('count_due_alerts'), withKey(['alerts:read'], [2]))).toBe(false);
  });

  it('follows the role of a person', () => {
    expect(mayUse(toolNamed('refund_alert'), { ...caller, role: 'developer' })).toBe(false);
    expect(mayUse(toolNamed('refund_alert'), { ...caller, role: 'analyst' })).toBe(true);
    expect(mayUse(toolNamed('refund_alert'), { scope: 'admin', subject: 'operator' })).toBe(true);
  });
});

describe('fillPath', () => {
  const path = '/api/v3/service_alerts/alert/{alert_id}/details';

  it('fills in identifiers and leaves the other fields to the body', () => {
    expect(fillPath(path, { alert_id: 1077051069219257, note: 'x' })).toBe(
      path.replace('{alert_id}', '1077051069219257'),
    );
    expect(toolBody({ pathFields: ['alert_id'] }, { alert_id: 1, note: 'x' })).toEqual({ note: 'x' });
  });

  it.each(['..', '.', '', 'a/b', '../list?x', '%2e%2e', 'a b', undefined, { toString: 1 }])(
    'refuses %j, which could lead to another path',
    (alert_id) => expect(fillPath(path, { alert_id })).toBeUndefined(),
  );
});

describe('resolveOperationUrl', () => {
  it('returns addresses with TLS, and without it only loopback addresses of the local stack', () => {
    expect(resolveOperationUrl('https://abc.execute-api.eu-west-1.amazonaws.com/prod', '/x').href).toBe(
      'https://abc.execute-api.eu-west-1.amazonaws.com/prod/x',
    );
    expect(() => resolveOperationUrl('http://127.0.0.1:3000', '/x')).toThrow('unexpected address');
    process.env['ALLOW_LOOPBACK_HTTP'] = 'true';
    try {
      expect(resolveOperationUrl('http://127.0.0.1:3000', '/x').href).toBe('http://127.0.0.1:3000/x');
      expect(() => resolveOperationUrl('http://169.254.169.254', '/latest')).toThrow('unexpected address');
      expect(() => resolveOperationUrl('http://internal.example', '/x')).toThrow('unexpected address');
    } finally {
      delete process.env['ALLOW_LOOPBACK_HTTP'];
    }
  });
});
