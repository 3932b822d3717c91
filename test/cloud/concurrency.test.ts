import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { operations } from '#functions/operations.ts';
import { workers } from '#functions/workers.ts';
import { type BudgetRow, createConcurrencyBudget } from '#lib/cloud/concurrency.ts';
import { readSettings } from '#lib/cloud/settings.ts';
import { at, serviceStack, synthesize } from './synthesized.ts';

type Context = Readonly<Record<string, string>>;
const prod: Context = { stage: 'prod', operationsEmail: 'ops@shop.example' };
const readBudget = (context: Context) =>
  createConcurrencyBudget(
    operations,
    workers,
    readSettings((name) => context[name]),
  );
const sum = (rows: readonly BudgetRow[]) => rows.reduce((total, { executions }) => total + executions, 0);
const ofKind = (rows: readonly BudgetRow[], kind: BudgetRow['kind']) => rows.filter((row) => row.kind === kind);
const reservedIn = (context: Context) =>
  serviceStack(context)
    .ofType('AWS::Lambda::Function')
    .flatMap(({ properties }) => properties['ReservedConcurrentExecutions'] ?? []);
const maximumsIn = (context: Context) =>
  serviceStack(context)
    .ofType('AWS::Lambda::EventSourceMapping')
    .flatMap(({ properties }) => at(properties, 'ScalingConfig', 'MaximumConcurrency') ?? [])
    .map(Number);

describe('the concurrency budget', () => {
  it('divides an account of 1,000 and leaves 30 % to operations that callers wait for', () => {
    const { rows, reserved, warning } = readBudget(prod);
    expect([reserved, warning]).toEqual([32, undefined]);
    expect(sum(rows)).toBe(1000);
    expect(sum(ofKind(rows, 'callers'))).toBeGreaterThanOrEqual(300);
  });

  it('matches the templates', () => {
    const { rows } = readBudget(prod);
    expect(reservedIn(prod)).toEqual(ofKind(rows, 'reserved').map(({ executions }) => executions));
    const byName = (numbers: number[]) => numbers.toSorted((left, right) => left - right);
    expect(byName(maximumsIn(prod))).toEqual(byName(ofKind(rows, 'queue').map(({ executions }) => executions)));
  });

  it.each(['10', '50', '200'])('deploys to an account of %s without reservations and warns', (lambdaConcurrency) => {
    const context = { ...prod, lambdaConcurrency };
    expect(reservedIn(context)).toEqual([]);
    expect(Math.min(...maximumsIn(context))).toBe(2);
    expect(Math.max(...maximumsIn(context))).toBe(Math.max(2, Number(lambdaConcurrency) / 5));
    expect(serviceStack(context).warnings.join()).toContain(`lambdaConcurrency is ${lambdaConcurrency}`);
  });

  it('gives no warning for an account of 1,000', () => {
    expect(serviceStack(prod).warnings).toEqual([]);
  });

  it('refuses a requested reservation that does not fit and names the largest that does', () => {
    const context = { ...prod, reservedConcurrency: '80' };
    expect(() => synthesize({ context })).toThrow(
      /reservedConcurrency: 8 functions × 80 do not fit .* at most 32 each/,
    );
    expect(readBudget({ ...context, lambdaConcurrency: '2000' }).reserved).toBe(80);
  });

  it('is shown in the operations guide', () => {
    const table = readBudget(prod).rows.map(({ name, kind, executions }) => `| ${name} | ${kind} | ${executions} |`);
    const guide = readFileSync('docs/operations.md', 'utf8');
    expect(guide).toContain(table.join('\n'));
  });
});
