/** The SDK's files at the edge: served to any page, and kept as long as each may be. */

import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { buildSdk } from '../../../bin/build/build-sdk.ts';
import { sdkFileHeaders } from '../../support/stack/edge-headers.ts';
import { edgeStacks } from '../../support/stack/synthesised-edge.ts';

/** As the AWS CLI matches: an asterisk goes across folders. */
const matches = (name: string, pattern: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name);

describe('SDK files at the edge', () => {
  it('can be imported by pages of any origin, and have security headers', () => {
    expect(sdkFileHeaders()).toEqual({
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('are cached as their headers state, or five minutes by default', () => {
    const template = Template.fromStack(edgeStacks().edge);
    template.hasResourceProperties('AWS::CloudFront::CachePolicy', {
      CachePolicyConfig: { MinTTL: 0, DefaultTTL: 300, MaxTTL: 31_536_000 },
    });
  });

  /** The commands of the runbook, as the AWS CLI reads them: the last filter that matches a name decides. */
  const uploads = () => {
    const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('**SDK files at the edge.**');
    const commands = section
      .split('```')[1]
      ?.replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.startsWith('aws s3 sync'));
    return (commands ?? []).map((command) => {
      const filters = [...command.matchAll(/--(include|exclude) '([^']+)'/g)];
      return {
        cacheControl: command.match(/--cache-control '([^']+)'/)?.[1],
        takes: (name: string) =>
          filters.reduce(
            (isTaken, [, kind, pattern = '']) => (matches(name, pattern) ? kind === 'include' : isTaken),
            true,
          ),
        deletes: command.includes('--delete'),
      };
    });
  };

  it('are uploaded with hashed names first and cached forever, stable names for minutes, and nothing is deleted', async () => {
    const files = Object.values(await buildSdk()).flat();
    const [first, second, ...more] = uploads();
    expect(more).toEqual([]);
    for (const { hashedName, stableName } of files) {
      expect([hashedName, first?.takes(hashedName), second?.takes(hashedName)]).toEqual([
        hashedName,
        true,
        false,
      ]);
      expect([stableName, first?.takes(stableName), second?.takes(stableName)]).toEqual([
        stableName,
        false,
        true,
      ]);
    }
    expect(first).toMatchObject({ cacheControl: 'public, max-age=31536000, immutable', deletes: false });
    expect(second).toMatchObject({ cacheControl: 'public, max-age=300', deletes: false });
    for (const other of ['package.json', 'types/canvass.d.ts']) {
      expect(first?.takes(other) || second?.takes(other)).toBe(false);
    }
  });
});
