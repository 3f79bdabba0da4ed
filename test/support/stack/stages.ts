/** Every setting that changes the template of a stage, alone and combined. */

const ACCOUNT = '123456789012';
const REGION = 'eu-west-1';
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/00000000-0000-0000-0000-000000000000`;
const KEY_OF_EDGE = KEY.replace(REGION, 'us-east-1');

export const certificate = (region: string): string => `arn:aws:acm:${region}:${ACCOUNT}:certificate/abc`;

const BOUNDARY = `arn:aws:iam::${ACCOUNT}:policy/team-boundary`;

export const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: certificate('us-east-1'),
  originDomainName: 'origin.example.com',
  originCertificateArn: certificate(REGION),
};

const SLACK = {
  format: 'slack',
  name: 'shop',
  secretName: 'canvass/slack',
  projects: ['abc'],
  events: ['low', 'digest'],
};

/** Every setting that a stage with an edge allows. */
export const ALL = {
  alarms: 'all',
  dashboard: true,
  alarmEmail: 'ops@example.com',
  runbookUrl: 'https://wiki.example.com/canvass',
  tracing: true,
  deployment: 'canary',
  scoreAdapter: {},
  probe: { key: 'svc_pk_project_key' },
  events: {},
  webhooks: [
    { url: 'https://hooks.example.com/a', secretName: 'canvass/hook' },
    {
      url: 'https://hooks.example.com/b',
      secretName: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:b-AbCdEf`,
    },
    SLACK,
  ],
  digest: {
    timeZone: 'Europe/Vienna',
    mails: [
      { to: 'pm@example.com', projects: ['abc'] },
      { to: 'ceo@example.com', projects: ['abc', 'def'] },
    ],
  },
  concurrency: { 'submit-response': 100 },
  backup: { copyToVaultArn: `arn:aws:backup:${REGION}:210987654321:backup-vault:copies` },
  kmsKeyArn: KEY,
  permissionsBoundaryArn: BOUNDARY,
  tags: { team: 'growth' },
} as const;

export const EVERYTHING = { ...ALL, edge: { ...EDGE, kmsKeyArn: KEY_OF_EDGE } } as const;

export const EXISTING = {
  tableStreamArn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/restored/stream/2026-11-21T10:00:00.000`,
  erasureLogTableArn: `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/erasures`,
  hashSecretArn: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:hash-AbCdEf`,
  tokenRingArn: `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:ring-AbCdEf`,
};

export const STAGES: Readonly<Record<string, object>> = {
  'a plain stage': {},
  'everything, with an edge and within a boundary': EVERYTHING,
  'an edge with a web ACL of somebody else': {
    edge: {
      ...EDGE,
      webAclArn: 'arn:aws:wafv2:us-east-1:210987654321:global/webacl/company/1',
    },
  },
  'a domain': {
    domain: { name: 'surveys.example.com', certificateArn: certificate(REGION), hostedZoneId: 'Z1' },
  },
  'data that was there': { existing: EXISTING },
  // One setting can grant a permission that another setting needs.
  'score adapter alone': { scoreAdapter: ALL.scoreAdapter },
  'probe alone': { probe: ALL.probe },
  'webhooks alone': { events: ALL.events, webhooks: ALL.webhooks.slice(0, 2) },
  'a bus of another account': {
    events: { busArn: `arn:aws:events:${REGION}:210987654321:event-bus/company` },
  },
  'a channel of Slack alone': { events: ALL.events, webhooks: [{ ...SLACK, events: ['low'] }] },
  'a digest alone': { events: ALL.events, digest: ALL.digest },
  'backup alone': { backup: ALL.backup },
  'a budget alone': { budget: { monthlyUsd: 50, email: 'ops@example.com' } },
  'gradual deployments alone': { deployment: ALL.deployment },
};
