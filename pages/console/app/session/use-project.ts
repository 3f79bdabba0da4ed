import { useEffect, useState } from 'preact/hooks';
import type * as z from 'zod/mini';
import type { surveysReply } from '../../../../shared/contract/results-schemas.ts';
import type { Opening } from './use-session.ts';

interface Shown {
  /** Undefined until it is known. */
  readonly id?: string;
  readonly name: string;
  readonly accent: string | null;
}

const UNKNOWN: Shown = { name: 'Surveys', accent: null };

/** The project as people are shown it: as its sign-in says, else as somebody with a key reads it. */
export function useProject({ offer, credentials, ask }: Opening): Shown {
  const [read, setRead] = useState<Shown>();
  useEffect(() => {
    setRead(undefined);
    if (credentials?.kind !== 'key') return;
    ask<z.output<ReturnType<typeof surveysReply>>>('/v1/surveys').then(
      ({ project }) => setRead(project),
      () => undefined,
    );
  }, [credentials, ask]);
  return read ?? (credentials?.kind === 'key' ? UNKNOWN : (offer?.project ?? UNKNOWN));
}
