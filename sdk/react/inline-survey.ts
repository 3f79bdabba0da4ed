import type { AnySurveys, Binding, SlugOf } from '@canvass-surveys/browser';
import { createElement, type HTMLAttributes, type ReactElement, useEffect } from 'react';
import { jsonOf } from './json-of.ts';
import { useProvided } from './provided.ts';

/** What `InlineSurvey` takes, with every attribute of a `div`. */
export interface InlineSurveyProps<Surveys extends AnySurveys = AnySurveys>
  extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  /** Of a survey whose `presentation` is `inline`. */
  readonly slug: SlugOf<Surveys>;
  /** A session-bound token for this survey, in place of the service's own. */
  readonly binding?: Binding | null | undefined;
}

/**
 * The place of an inline survey in the page, a `div` that takes any other attribute. It asks when it is mounted, if this
 * person may be asked and no other survey is open; of several, the one that was mounted last. What the person has chosen
 * when it is unmounted is sent, like any draft.
 *
 * @throws outside of a provider
 * @example
 * <InlineSurvey slug="after-checkout" />
 */
export function InlineSurvey<Surveys extends AnySurveys = AnySurveys>({
  slug,
  binding,
  ...attributes
}: InlineSurveyProps<Surveys>): ReactElement {
  const { canvass, userId } = useProvided('<InlineSurvey>');
  const bound = jsonOf(binding);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding is compared by its value; another person is asked anew
  useEffect(() => {
    if (binding) canvass?.bind(binding);
    canvass?.show(slug);
  }, [canvass, slug, bound, userId]);

  // A place for each slug, so that a survey leaves with its own.
  return createElement('div', { ...attributes, key: slug, 'data-canvass': slug });
}
