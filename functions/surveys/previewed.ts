import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import { openPreview } from '../../shared/crypto/preview-token.ts';
import { type Service, secrets } from '../runtime/compose.ts';
import { drafts } from '../runtime/parts/projects.ts';
import { jsonReply, type RawReply } from '../runtime/pipeline.ts';

interface PreviewRequest {
  readonly token: string;
  readonly projectId: string;
  readonly types: ReadonlySet<string>;
  readonly now: number;
  readonly service: Service;
}

/** Ignores the draft's pages and event. The reply is empty if the client cannot render it. */
export async function previewed(request: PreviewRequest): Promise<RawReply | Refusal> {
  const { token, projectId, types, now, service } = request;
  const claims = openPreview(await secrets(service).hashSecret(), projectId, token);
  if (claims === undefined || claims.expiresAt <= now) return refuse('preview_not_found');
  const draft = await drafts(service).read(projectId, claims.draftId, now);
  if (draft === undefined) return refuse('preview_not_found');
  const surveys = types.has(draft.type) ? [draft] : [];
  return jsonReply(JSON.stringify({ surveys, suppression: [], preview: true }));
}
