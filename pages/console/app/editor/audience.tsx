/** Who is asked, in a sentence, and what no sentence can say. */

import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { describeTyped } from '../../../surveys/typed-audience.ts';

export function Audience({ survey }: { readonly survey: WrittenSurvey }) {
  const { sentence, unsaid } = describeTyped(survey);
  return (
    <section class="card audience" aria-labelledby="audience-title">
      <h2 class="part-title" id="audience-title">
        Who is asked
      </h2>
      <p>{sentence}</p>
      {unsaid.length > 0 && (
        <details class="more">
          <summary>What else decides</summary>
          <ul>
            {unsaid.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
