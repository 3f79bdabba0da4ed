import { formPage } from '../pages/link/form-page.ts';
import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/link-routes.ts';
import { appearanceOf } from '../shared/domain/project.ts';
import { serviceOnLambda } from './runtime/compose.ts';
import { linkEndpoint } from './runtime/link-endpoint.ts';
import { answers } from './runtime/parts/answers.ts';
import { readQuery } from './runtime/request-input.ts';

/** Writes nothing, because mail scanners follow links. */
export const showLink = linkEndpoint(
  routes.showLink,
  async ({ claims, survey, project, tags, event, service }) => {
    if (await answers(service).isUsed(project.id, claims)) return refuse('token_used');
    const [chosen] = readQuery(event.rawQueryString).get('rating') ?? [];
    return formPage(survey, appearanceOf(project), tags, chosen, claims.respondentId);
  },
);

export const handler = serviceOnLambda(showLink.create);
