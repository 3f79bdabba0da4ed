import { expect, it } from 'vitest';
import { parseSlackAddress } from '../../../functions/slack/post-message.ts';

it.each(['https://hooks.slack.com/services/T0/B0/x-_Y', 'https://hooks.slack-gov.com/services/T0/B0/xY'])(
  'accepts %s, even with what a shell appends to it',
  (address) => {
    expect(parseSlackAddress(address)).toBe(address);
    expect(parseSlackAddress(`${address}\n`)).toBe(address);
  },
);

it.each([
  'http://hooks.slack.com/services/T0/B0/x',
  'https://hooks.slack.com.evil.example/services/T0/B0/x',
  'https://evil.example/services/T0/B0/x',
  'https://hooks.slack.com:8443/services/T0/B0/x',
  'https://user@hooks.slack.com/services/T0/B0/x',
  'https://hooks.slack.com@evil.example/services/T0/B0/x',
  'https://hooks.slack.com/services/T0/B0/x?to=https://evil.example',
  'https://hooks.slack.com/services/T0/B0/x#y',
  'https://hooks.slack.com/services/T0/B0',
  'https://hooks.slack.com/services/../../T0/B0/x',
  // Workflow triggers expect variables of their own.
  'https://hooks.slack.com/triggers/T0/1/x',
  'https://169.254.169.254/services/T0/B0/x',
  '{"url":"https://hooks.slack.com/services/T0/B0/x"}',
  '',
])('rejects %j', (text) => {
  expect(parseSlackAddress(text)).toBeUndefined();
});
