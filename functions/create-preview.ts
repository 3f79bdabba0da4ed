import { randomBytes } from 'node:crypto';
import { refuse } from '../shared/contract/errors.ts';
import * as routes from '../shared/contract/routes/survey-routes.ts';
import { toDraft } from '../shared/contract/survey-file.ts';
import { unfitIn } from '../shared/contract/survey-file-problems.ts';
import { PREVIEW_ID_BYTES, PREVIEW_NONCE_BYTES, sealPreview } from '../shared/crypto/preview-token.ts';
import { HOUR, SECOND } from '../shared/domain/duration.ts';
import { definitionOf, surveyWithSlug } from '../shared/domain/surveys/survey.ts';
import { signIn } from './identity/signed-in.ts';
import { secrets, serviceOnLambda } from './runtime/compose.ts';
import { endpoint } from './runtime/endpoint.ts';
import { drafts } from './runtime/parts/projects.ts';

const LIFETIME_MS = HOUR;

const NO_SURVEY = 'preview';

export const createPreview = endpoint(
  routes.createPreview,
  async ({ input, settings, now, service }) => {
    const draft = toDraft(input.survey);
    const { content, repeat } = draft;
    const before = surveyWithSlug(settings.surveys.values(), content.slug);
    const issues = unfitIn(draft, before).map(({ path, message }) => ({
      path: `survey.${path}`,
      message,
    }));
    if (issues.length > 0) return refuse('invalid_request', { issues });
    const projectId = settings.project.id;
    const draftId = randomBytes(PREVIEW_ID_BYTES).toString('hex');
    const expiresAt = Math.floor((now + LIFETIME_MS) / SECOND) * SECOND;
    const definition = definitionOf({ id: NO_SURVEY, content, repeat });
    await drafts(service).put(projectId, draftId, definition, expiresAt);
    const nonce = randomBytes(PREVIEW_NONCE_BYTES);
    const hashSecret = await secrets(service).hashSecret();
    return {
      preview: sealPreview(hashSecret, projectId, { draftId, expiresAt, nonce }),
      expiresAt: new Date(expiresAt).toISOString(),
    };
  },
  { signIn },
);

export const handler = serviceOnLambda(createPreview.create);
