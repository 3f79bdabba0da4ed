/** Where in the product it appears. */

import { MOST_PAGES } from '../../../../../shared/domain/surveys/conditions.ts';
import { CORNERS, PRESENTATIONS } from '../../../../../shared/domain/surveys/survey.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { ChoiceField, SelectField, TextField } from '../fields.tsx';

const LOOKS = {
  corner: {
    name: 'In a corner',
    about: 'A small box over the page. It does not interrupt what people are doing.',
  },
  banner: { name: 'As a banner', about: 'A strip along the edge of the page.' },
  inline: { name: 'Inside the page', about: 'In a slot that your developers added to the page.' },
} as const;
const CORNER_WORDS = {
  'bottom-right': 'Bottom right',
  'bottom-left': 'Bottom left',
  'top-right': 'Top right',
  'top-left': 'Top left',
} as const;

const ADD_ID = 'add-page';

export function WhereSection() {
  const { survey, change } = useEditing();
  const { presentation, corner = 'bottom-right', pages = [] } = survey;
  const set = (next: readonly string[]): void => change({ pages: next.length === 0 ? undefined : [...next] });
  return (
    <Section id="where" title="Where">
      <ChoiceField
        path="presentation"
        label="How it appears"
        value={presentation}
        options={[...PRESENTATIONS].map((value) => ({ value, ...LOOKS[value] }))}
        onChoose={(value) => change({ presentation: value })}
      />
      {presentation !== 'inline' && (
        <SelectField
          path="corner"
          label={presentation === 'banner' ? 'Edge' : 'Corner'}
          value={corner}
          options={CORNERS.map((value) => ({ value, name: CORNER_WORDS[value] }))}
          onChoose={(value) => change({ corner: value })}
        />
      )}
      <fieldset class="field list">
        <legend>Pages</legend>
        <p class="about">
          The part of the address after your domain. /orders matches only that page, /orders/* matches pages
          one level below it, and /orders/** matches everything below it. Without pages, the survey can appear
          on every page.
        </p>
        <ol>
          {pages.map((page, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page's text is what is being typed
            <li key={at}>
              <TextField
                path={`pages[${at}]`}
                label={`Page ${at + 1}`}
                isQuiet
                value={page}
                placeholder="/orders/**"
                onText={(text = '') => set(pages.map((each, place) => (place === at ? text : each)))}
              />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove page ${at + 1}`}
                onClick={() => {
                  set(pages.filter((_, place) => place !== at));
                  focusOn(ADD_ID);
                }}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
        {pages.length < MOST_PAGES && (
          <button
            type="button"
            id={ADD_ID}
            onClick={() => {
              set([...pages, '/']);
              focusOn(idOf(`pages[${pages.length}]`));
            }}
          >
            Add a page
          </button>
        )}
      </fieldset>
    </Section>
  );
}
