/** One run in a process of its own, to be killed: node push-child.ts <settings as JSON>. */

import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { createLangfuseDestination } from '../../../sdk/server/destinations/langfuse.ts';
import { pushScores } from '../../../sdk/server/push-scores.ts';

const { service, langfuse } = JSON.parse(process.argv[2] ?? '{}');

await pushScores({
  client: createCanvassClient(service),
  destination: createLangfuseDestination(langfuse),
  requestsPerMinute: 0,
});
