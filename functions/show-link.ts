import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { formPage } from './link/form-page.ts';
import { linkEndpoint } from './link/link-endpoint.ts';
import { answers } from './runtime/compose.ts';
import { readQuery } from './runtime/input/query-parameters.ts';
import { onLambda } from './runtime/on-lambda.ts';

/** Shows the form behind a link, or says that it has been answered. Writes nothing: mail scanners follow links. */
export const showLink = linkEndpoint(
  routes.showLink,
  async ({ claims, survey, projectId, tags, event, service }) => {
    if (await answers(service).isUsed(projectId, claims)) return refuse('token_used');
    const [chosen] = readQuery(event.rawQueryString).get('rating') ?? [];
    return formPage(survey, tags, chosen);
  },
);

export const handler = onLambda(showLink);
