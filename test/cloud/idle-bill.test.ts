import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withTable } from '#lib/openapi/guide-tables.ts';
import { billTable, idleBill, priceTable, sumBill } from './idle-bill.ts';
import { at, type Resource, serviceStack } from './synthesized.ts';

const service = serviceStack({ stage: 'prod', operationsEmail: 'ops@shop.example' });
const bill = idleBill(service);
const guide = readFileSync('docs/operations.md', 'utf8');

/** Metrics in the free tier of a dashboard. */
const freeMetrics = 50;

describe('the idle bill', () => {
  it('matches the table in the operations guide', () => {
    expect(guide).toBe(withTable(guide, 'idle', billTable(bill)));
    expect(guide).toContain(`list prices of us-east-1 as of ${priceTable.date}`);
  });

  it('stays below 45 USD a month', () => {
    expect(sumBill(bill)).toBeLessThan(45);
  });

  it('grows with every alarm, firewall, secret, key, event source and dashboard', () => {
    const types = [
      'AWS::CloudWatch::Alarm',
      'AWS::WAFv2::WebACL',
      'AWS::SecretsManager::Secret',
      'AWS::KMS::Key',
      'AWS::Lambda::EventSourceMapping',
      'AWS::CloudWatch::Dashboard',
    ];
    for (const type of types) {
      const isMore = (one: string): Resource[] => [
        ...service.ofType(one),
        ...(one === type ? service.ofType(one).slice(0, 1) : []),
      ];
      expect(sumBill(idleBill({ ofType: isMore }))).toBeGreaterThan(sumBill(bill));
    }
  });

  it('includes no metrics for each method of the gateway, which would cost 0.30 each', () => {
    const [stage] = service.ofType('AWS::ApiGateway::Stage');
    const settings = at(stage?.properties, 'MethodSettings');
    expect(JSON.stringify(settings)).toContain('"MetricsEnabled":false');
    expect(JSON.stringify(settings)).not.toContain('"MetricsEnabled":true');
  });

  it('includes a dashboard within the free tier of CloudWatch metrics', () => {
    const text = JSON.stringify(
      at(service.only('AWS::CloudWatch::Dashboard').properties['DashboardBody'], 'Fn::Join', 1),
    );
    const graphs = text.split('"metrics\\":[').slice(1);
    const metrics = graphs.map((graph) => graph.split(/\\"(?:AWS\/\w+|Forewarn)\\"/).length - 1);
    expect(metrics.length).toBeGreaterThan(5);
    expect(metrics.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(freeMetrics);
  });
});
