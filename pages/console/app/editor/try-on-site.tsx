import { useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { timeWords } from '../../rules/field-words.ts';
import { messageOf } from '../session/ask.ts';
import { useSession } from '../session/session.tsx';
import { keep, recall } from '../session/tab.ts';

/** See docs/contract.md §21.5. */
interface CreatePreviewReply {
  readonly preview: string;
  readonly expiresAt: string;
}

const KEPT_AS = 'site';

function addressWith(page: string, preview: string): string | undefined {
  const address = URL.parse(page.includes('://') ? page : `https://${page}`);
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined;
  address.searchParams.set('canvass-preview', preview);
  return address.href;
}

interface TryProps {
  readonly survey: WrittenSurvey;
  readonly isSound: boolean;
}

export function TryOnSite({ survey, isSound }: TryProps) {
  const { ask } = useSession();
  const [page, setPage] = useState(() => recall(KEPT_AS) ?? '');
  const [made, setMade] = useState<CreatePreviewReply & { readonly of: WrittenSurvey }>();
  const [problem, setProblem] = useState<string>();
  const make = async (): Promise<void> => {
    keep(KEPT_AS, page);
    const wrong =
      addressWith(page, '') === undefined
        ? 'Enter the address of a page in your product, such as https://www.example.com/orders.'
        : isSound
          ? undefined
          : 'Fix the problems in the form, and then create the link again.';
    setProblem(wrong);
    if (wrong !== undefined) return;
    try {
      const reply = await ask<CreatePreviewReply>('/v1/surveys/previews', {
        method: 'POST',
        body: { survey },
      });
      setMade({ ...reply, of: survey });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const href = made?.of === survey ? addressWith(page, made.preview) : undefined;
  return (
    <section class="card audience" aria-labelledby="try-title">
      <h2 class="part-title" id="try-title">
        Try it on your site
      </h2>
      <p class="about" id="try-about">
        See this draft on a page of your product, in your colors. Only people with the link see it. The link
        works for one hour. No responses are counted.
      </p>
      <div class="measured">
        <input
          type="url"
          inputMode="url"
          autocomplete="off"
          aria-label="A page of your product"
          aria-describedby="try-about"
          placeholder="https://www.example.com/orders"
          value={page}
          onInput={({ currentTarget }) => setPage(currentTarget.value)}
        />
        <button type="button" onClick={make}>
          Create link
        </button>
      </div>
      <p role="status">
        {made !== undefined && href !== undefined && (
          <>
            <a href={href} target="_blank" rel="noreferrer">
              Open the page
            </a>{' '}
            <span class="about">The link works until {timeWords(made.expiresAt)}.</span>
          </>
        )}
      </p>
      {problem !== undefined && (
        <p class="wrong" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
