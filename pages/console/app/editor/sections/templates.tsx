import { useState } from 'preact/hooks';
import type { TemplateName } from '../../../../../shared/domain/surveys/templates/templates.ts';
import { freeSlug, replacing } from '../../../rules/edited-survey.ts';
import { languageName, WIDGET_LANGUAGES } from '../../../rules/field-words.ts';
import { Section, useEditing } from '../editing.tsx';
import { SelectField } from '../fields.tsx';

/** Fetched when somebody starts from a template. */
const templates = () =>
  Promise.all([
    import('../../../../../shared/domain/surveys/templates/templates.ts'),
    import('../../../../../shared/domain/surveys/templates/translated-template.ts'),
  ]);

export const TEMPLATE_NAMES: readonly (readonly [TemplateName, string])[] = [
  ['nps', 'NPS with reasons'],
  ['support', 'CSAT after support'],
  ['checkout', 'Effort after checkout'],
  ['product-market-fit', 'Product-market fit'],
  ['feature-request', 'Feature request'],
  ['churn', 'Reason for leaving'],
  ['heard-of-us', 'Where people heard of us'],
  ['onboarding', 'Role at onboarding'],
  ['feedback', 'Feedback button'],
  ['docs', 'Helpful page of documentation'],
  ['reply', 'Reply of an agent'],
  ['beta', 'Beta feedback'],
];

/** Replaces what a new survey has so far. */
export function TemplatesSection() {
  const { survey, taken, change } = useEditing();
  const [name, setName] = useState<TemplateName | ''>('');
  const [language, setLanguage] = useState('en');
  const [advice, setAdvice] = useState('');
  const [isFailed, setFailed] = useState(false);
  async function use(chosen: TemplateName): Promise<void> {
    setFailed(false);
    try {
      const [{ TEMPLATES }, { surveyFromTemplate }] = await templates();
      const next = await surveyFromTemplate(chosen, [language]);
      change(replacing(survey, { ...next, slug: freeSlug(next.slug, taken) }));
      setAdvice(TEMPLATES[chosen].advice);
    } catch {
      setFailed(true);
    }
  }
  return (
    <Section
      id="templates"
      title="Start from a template"
      about="It replaces what this new survey has so far."
    >
      <div class="pair">
        <SelectField
          path="template"
          label="Template"
          value={name}
          options={[['', 'None'], ...TEMPLATE_NAMES]}
          onChoose={setName}
        />
        <SelectField
          path="template.language"
          label="Language of the template"
          value={language}
          options={['en', ...WIDGET_LANGUAGES].map((tag) => [tag, languageName(tag)])}
          onChoose={setLanguage}
        />
      </div>
      <button type="button" disabled={name === ''} onClick={() => name !== '' && void use(name)}>
        Use template
      </button>
      <p role="status">{isFailed ? 'The template could not be loaded. Try again.' : advice}</p>
    </Section>
  );
}
