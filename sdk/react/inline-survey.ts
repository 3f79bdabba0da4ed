import type { AnySurveys, Binding, SlugOf } from '@canvass-surveys/browser';
import { createElement, type HTMLAttributes, type ReactElement, useEffect } from 'react';
import { jsonOf, useProvided } from './provided.ts';

/** Props of `InlineSurvey`, including every attribute of a `div`. */
export interface InlineSurveyProps<Surveys extends AnySurveys = AnySurveys>
  extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  /** Slug of a survey whose `presentation` is `inline`. */
  readonly slug: SlugOf<Surveys>;
  /** A session-bound token for this survey, instead of the service's own. */
  readonly binding?: Binding | null | undefined;
}

/**
 * The place of an inline survey, a `div` that takes any other attribute. When it mounts, it asks the survey if this
 * person may be asked and no other survey is open. If several mount, the last one is asked. When it unmounts, it sends
 * a drafted answer.
 *
 * @throws outside of a provider
 * @example <InlineSurvey slug="after-checkout" />
 */
export function InlineSurvey<Surveys extends AnySurveys = AnySurveys>({
  slug,
  binding,
  ...attributes
}: InlineSurveyProps<Surveys>): ReactElement {
  const { canvass, userId } = useProvided('<InlineSurvey>');
  const bound = jsonOf(binding);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the binding is compared by its value; another person is asked again
  useEffect(() => {
    if (binding) canvass?.bind(binding);
    canvass?.show(slug);
  }, [canvass, slug, bound, userId]);

  // Surveys are removed with their place.
  return createElement('div', { ...attributes, key: slug, 'data-canvass': slug });
}
