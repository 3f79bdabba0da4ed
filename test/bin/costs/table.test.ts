/** What docs/operations.md says a stage costs is what its templates cost. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withCosts } from '../../../bin/costs/table.ts';
import { identified, type ResourcesOf, restCosts, sumOf, synthesise } from '../../../bin/costs/template.ts';
import { aTemplate } from '../../support/stack/synthesised-stack.ts';

const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc',
  originDomainName: 'origin.example.com',
  originCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
};

/** Templates that other tests have synthesised already; the edge is a second stack. */
const resourcesOf: ResourcesOf = (settings) =>
  'edge' in settings ? synthesise(settings) : identified(aTemplate(settings).toJSON().Resources);

describe('what a stage costs', () => {
  it('is in the document as the script writes it: npm run costs', () => {
    const document = readFileSync('docs/operations.md', 'utf8');
    expect(document).toBe(withCosts(document, resourcesOf));
  });

  it('unused and as it comes: two secrets and the essential alarms, $2.50 at most', () => {
    const costs = restCosts(resourcesOf({}));
    expect(costs).toMatchObject({
      secrets: 0.8,
      dashboard: 0,
      firewall: 0,
      schedules: expect.closeTo(0, 2),
      queues: 0,
    });
    expect(Math.round(sumOf(costs) * 100)).toBeLessThanOrEqual(250);
  });

  it('with backups: 1.2 GB whole for each of 35 days, in two vaults, where a million are asked a month', () => {
    const row = readFileSync('docs/operations.md', 'utf8').match(/^\| \+ `backup` .*$/m)?.[0] ?? '';
    expect(
      row
        .split('|')
        .slice(2, 4)
        .map((cell) => cell.trim()),
    ).toEqual(['–', `$${(1.2 * 35 * 2 * 0.1).toFixed(2)}`]);
  });

  it('has what an adapter that finds nothing reads of its secret, each minute', () => {
    expect(restCosts(resourcesOf({ scoreAdapter: {} })).schedules).toBeCloseTo(43_800 * (0.05 / 1e4 + 3e-6));
  });

  it('has the queue of Slack, which keeps an order, dearer than that of events', () => {
    const events = restCosts(resourcesOf({ events: {} })).queues;
    const slack = { format: 'slack', name: 'shop', secretName: 'slack', projects: ['a'], events: ['low'] };
    const both = restCosts(resourcesOf({ events: {}, webhooks: [slack] })).queues;
    expect((both - events) / events).toBeCloseTo(0.5 / 0.4);
  });

  it('has the secret of the edge, its replica and its alarm, and the secret of the adapter', () => {
    const plain = restCosts(resourcesOf({}));
    const edge = restCosts(resourcesOf({ edge: EDGE }));
    expect(edge.secrets - plain.secrets).toBeCloseTo(0.8);
    expect(edge.alarms - plain.alarms).toBeCloseTo(0.2);
    expect(restCosts(resourcesOf({ scoreAdapter: {} })).secrets - plain.secrets).toBeCloseTo(0.4);
  });
});
