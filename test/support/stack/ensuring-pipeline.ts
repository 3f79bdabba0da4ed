/**
 * A pipeline that runs `project ensure` against simulated AWS calls. A test can delay the calls or end the pipeline.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { VERSION } from '../../../shared/settings/version.ts';
import { createAdminCli, runInProcess } from '../admin-cli.ts';
import type { createTestService } from '../service/test-service.ts';
import { type AwsStandIn, stackOutputs, stackSecrets, startAws, stubAws } from './aws-stand-in.ts';

type TestService = Awaited<ReturnType<typeof createTestService>>;

const SURVEYS =
  'surveys: [{ slug: nps, type: nps, question: Well? }, { slug: csat, type: csat, question: Well? }]';

/** The state that every pipeline must reach. */
const AS_WANTED = {
  projects: 1,
  surveys: ['csat active', 'nps active'],
  live: ['publishable', 'secret mint'],
  minted: [200, 2],
};

/** The last call of a pipeline, counted from 1. The pipeline ends before the call, or `after` it was executed. */
interface Death {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export function anEnsuringPipeline(service: TestService) {
  const { table, clock } = service;
  const local = createAdminCli(service);
  const folder = mkdtempSync(join(tmpdir(), 'canvass-test-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const surveys = file('surveys.yaml', SURVEYS);
  const secrets = stackSecrets();
  const outputs: Record<string, string> = { Version: VERSION, ...stackOutputs(table) };
  /** Calls to DynamoDB and Secrets Manager. */
  let calls = 0;
  let death: Death | undefined;
  let hold: () => Promise<unknown> = async () => undefined;
  let aws: AwsStandIn;
  let names = 0;

  beforeAll(async () => {
    aws = await startAws({
      dynamodb: table.endpoint,
      outputs,
      secrets,
      async admit() {
        await hold();
        calls += 1;
        return death === undefined || calls < death.at || (calls === death.at && death.when === 'after');
      },
      answer: async () => death === undefined || calls < death.at,
    });
  });
  afterAll(() => {
    aws.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => stubAws(aws.url));

  const run = (...args: readonly string[]) =>
    runInProcess(['project', 'ensure', ...args, '--stack', 'canvass-prod', '--json'], {
      now: clock.now,
      sleep: async () => undefined,
    });

  return {
    local,
    file,
    surveys,
    secrets,
    outputs,
    run,
    /** A name that no other test uses. The secret has the same name. */
    newName: () => `team-${++names}`,
    whole: (name: string) => run('--name', name, '-f', surveys, '--mint-key-secret', name),
    /** The output of a successful run, parsed as JSON. */
    async ensure(...args: readonly string[]) {
      const { status, stdout, stderr } = await run(...args);
      if (status !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    /** The number of calls since the last `takeCalls`. */
    takeCalls() {
      const taken = calls;
      calls = 0;
      return taken;
    },
    /** Runs `work` while its calls are delayed, or while no call is executed after the last one of `dying`. */
    async disturbed<T>(
      {
        holding = async () => undefined,
        dying,
      }: { holding?: () => Promise<unknown>; dying?: Death | undefined },
      work: () => Promise<T>,
    ): Promise<T> {
      calls = 0;
      [hold, death] = [holding, dying];
      return work().finally(() => {
        [hold, death] = [async () => undefined, undefined];
      });
    },
    async expectAsWanted(name: string) {
      const projects: { id: string; name: string }[] = await local.json('project', 'list');
      const own = projects.filter((project) => project.name === name);
      const of = ['--project', own[0]?.id ?? ''];
      const keys: { kind: string; scopes?: string[]; revokedAt: string | null }[] = await local.json(
        ...['key', 'list', ...of],
      );
      const found: { slug: string; status: string }[] = await local.json('survey', 'list', ...of);
      clock.advance(31_000);
      const body = { respondentId: 'ann', sessionId: 's' };
      const minted = await service.call(mintTokens, { body, secretKey: secrets[name] ?? '' });
      expect({
        projects: own.length,
        surveys: found.map(({ slug, status }) => `${slug} ${status}`),
        live: keys
          .filter(({ revokedAt }) => revokedAt === null)
          .map(({ kind, scopes = [] }) => [kind, ...scopes].join(' '))
          .sort(),
        minted: [minted.status, Object.keys(minted.body.bindings ?? {}).length],
      }).toEqual(AS_WANTED);
    },
  };
}
