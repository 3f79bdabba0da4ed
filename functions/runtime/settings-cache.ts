/** See docs/contract.md §5.2. Unknown projects never evict known ones. */

import { createSettingsLoader, type LoadSettings } from '../../shared/data/projects/project-record.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import { knowsAnswers } from '../../shared/domain/surveys/questions.ts';
import { isOnScale, type Survey, surveyWithSlug } from '../../shared/domain/surveys/survey.ts';
import { clock, part, table } from './compose.ts';

const MOST_PROJECTS = 1_000;
const MOST_UNKNOWN = 100;

interface Entry {
  readonly settings: ProjectSettings | undefined;
  readonly loadedAt: number;
  readonly staleAt: number;
}

export interface SettingsCache {
  has(projectId: string): boolean;
  load(projectId: string): Promise<ProjectSettings | undefined>;
  /** Reads at most once per `RELOAD_INTERVAL_MS`. */
  reload(projectId: string): Promise<ProjectSettings | undefined>;
  forget(projectId: string): void;
}

const RELOAD_INTERVAL_MS = 2_000;

interface CacheOptions {
  readonly load: LoadSettings;
  readonly clock: () => number;
  /** A number from 0 to 1 that varies the expiry between instances. */
  readonly jitter: () => number;
  readonly lifetimeMs: number;
}

export function createSettingsCache({ load, clock, jitter, lifetimeMs }: CacheOptions): SettingsCache {
  const known = new BoundedMap<string, Entry>(MOST_PROJECTS);
  const unknown = new BoundedMap<string, Entry>(MOST_UNKNOWN);
  const loading = new Map<string, Promise<ProjectSettings | undefined>>();

  function remember(projectId: string, settings: ProjectSettings | undefined, loadedAt: number): void {
    const entry = { settings, loadedAt, staleAt: loadedAt + lifetimeMs * (1 - jitter() / 3) };
    const [own, other] = settings === undefined ? [unknown, known] : [known, unknown];
    own.set(projectId, entry);
    other.delete(projectId);
  }

  function read(projectId: string): Promise<ProjectSettings | undefined> {
    const pending = loading.get(projectId);
    if (pending !== undefined) return pending;
    const startedAt = clock();
    const fresh = load(projectId)
      .then((settings) => {
        remember(projectId, settings, startedAt);
        return settings;
      })
      .finally(() => loading.delete(projectId));
    loading.set(projectId, fresh);
    return fresh;
  }

  function current(projectId: string): Entry | undefined {
    const entry = known.get(projectId) ?? unknown.get(projectId);
    return entry !== undefined && clock() < entry.staleAt ? entry : undefined;
  }

  return {
    has: (projectId) => current(projectId) !== undefined,
    async load(projectId) {
      const entry = current(projectId);
      return entry === undefined ? read(projectId) : entry.settings;
    },
    async reload(projectId) {
      const entry = current(projectId);
      const isRecent = entry !== undefined && clock() - entry.loadedAt < RELOAD_INTERVAL_MS;
      return isRecent ? entry.settings : read(projectId);
    },
    forget(projectId) {
      known.delete(projectId);
      unknown.delete(projectId);
    },
  };
}

interface NamedSurvey {
  readonly surveyId?: string | undefined;
  readonly surveySlug?: string | undefined;
}

export function knownSurvey(
  { surveys }: ProjectSettings,
  { surveyId, surveySlug }: NamedSurvey,
): Survey | undefined {
  return surveyId === undefined ? surveyWithSlug(surveys.values(), surveySlug) : surveys.get(surveyId);
}

/** If the survey is unknown, the settings are read again, because it may be new. */
export async function findSurvey(
  named: NamedSurvey,
  settings: ProjectSettings,
  cache: Pick<SettingsCache, 'reload'>,
): Promise<Survey | undefined> {
  const known = knownSurvey(settings, named);
  if (known !== undefined) return known;
  const fresh = await cache.reload(settings.project.id);
  return fresh && knownSurvey(fresh, named);
}

/**
 * The survey by which an answer is checked. If a choice has no such number, or the answers do not fit, the settings are read again, because the survey may have
 * changed.
 * @returns undefined if the rating is out of range
 */
export async function surveyForAnswer(
  survey: Survey,
  {
    rating,
    answers,
  }: { readonly rating: number; readonly answers?: Readonly<Record<string, unknown>> | undefined },
  project: Pick<ProjectSettings['project'], 'id'>,
  cache: Pick<SettingsCache, 'reload'>,
): Promise<Survey | undefined> {
  const isOn = isOnScale(rating, survey);
  if (isOn && knowsAnswers(survey, rating, answers)) return survey;
  if (!isOn && survey.content.type !== 'choice') return undefined;
  const reading = cache.reload(project.id);
  // A valid rating is never lost because of its answers.
  const settings = await (isOn ? reading.catch(() => undefined) : reading);
  const fresh = settings?.surveys.get(survey.id);
  if (fresh !== undefined && isOnScale(rating, fresh)) return fresh;
  return isOn ? survey : undefined;
}

export const projectSettings = /* @__PURE__ */ part((service) =>
  createSettingsCache({
    load: createSettingsLoader(table(service)),
    clock: clock(service),
    jitter: Math.random,
    lifetimeMs: service.config.settingsLifetimeMs,
  }),
);
