import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

describe('the CDK app', () => {
  it('lists the stages in one line for an unknown one, and synthesizes nothing', () => {
    const context = { stage: 'prdo', stages: { prod: {}, dev: {} } };
    const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) };
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/app.ts'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      `There is no stage "prdo" under "stages" in cdk.json's context. Stages: prod, dev.\n`,
    );
    expect(stdout).toBe('');
    expect(status).toBe(1);
  });
});
