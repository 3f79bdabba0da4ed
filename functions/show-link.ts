import { formPage } from '../pages/link/form-page.ts';
import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { appearanceOf } from '../shared/domain/project.ts';
import { answers } from './runtime/compose.ts';
import { linkEndpoint } from './runtime/link-endpoint.ts';
import { onLambda } from './runtime/on-lambda.ts';
import { readQuery } from './runtime/request-input.ts';

/** Shows the form behind a link, or says that it has been answered. Writes nothing: mail scanners follow links. */
export const showLink = linkEndpoint(
  routes.showLink,
  async ({ claims, survey, project, tags, event, service }) => {
    if (await answers(service).isUsed(project.id, claims)) return refuse('token_used');
    const [chosen] = readQuery(event.rawQueryString).get('rating') ?? [];
    return formPage(survey, appearanceOf(project), tags, chosen);
  },
);

export const handler = onLambda(showLink);
