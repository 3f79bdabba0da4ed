/** Where an incoming webhook of Slack is. */

/** Of Slack, and of GovSlack, which has a domain of its own (docs.slack.dev, "GovSlack"). */
const HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** As Slack makes them (docs.slack.dev, "Sending messages using incoming webhooks"). */
const PATH = /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/;

/**
 * Undefined where a text is no such address: what people wrote is posted nowhere else. Other addresses of Slack, as those
 * of workflows, take other messages.
 */
export function parseSlackAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || url.protocol !== 'https:' || !HOSTS.includes(url.host)) return undefined;
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && PATH.test(url.pathname) ? url.href : undefined;
}
