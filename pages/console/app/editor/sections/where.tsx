/** Where in the product it appears. */

import { MOST_PAGES } from '../../../../../shared/domain/surveys/conditions.ts';
import { CORNERS, PRESENTATIONS } from '../../../../../shared/domain/surveys/survey.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { ChoiceField, SelectField, TextField } from '../fields.tsx';

const LOOKS = {
  corner: { name: 'In a corner', about: 'A small box over the page. It leaves people to what they do.' },
  banner: { name: 'As a banner', about: 'A strip along the edge of the page.' },
  inline: { name: 'Inside the page', about: 'In a place that engineering has made for it.' },
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
          The part of the address behind your domain: /orders is that page alone, /orders/* any page right
          below it, /orders/** all below it. Without any, it is every page.
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
