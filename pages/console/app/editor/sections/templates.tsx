import { useState } from 'preact/hooks';
import { TEMPLATES, type TemplateName } from '../../../../../shared/domain/surveys/templates/templates.ts';
import { surveyFromTemplate } from '../../../../../shared/domain/surveys/templates/translated-template.ts';
import { freeSlug, replacing } from '../../../rules/edited-survey.ts';
import { languageName, WIDGET_LANGUAGES } from '../../../rules/field-words.ts';
import { Section, useEditing } from '../editing.tsx';
import { SelectField } from '../fields.tsx';

const TEMPLATE_NAMES = Object.keys(TEMPLATES).filter((name): name is TemplateName => name in TEMPLATES);

/** Replaces what a new survey has so far. */
export function TemplatesSection() {
  const { survey, taken, change } = useEditing();
  const [name, setName] = useState<TemplateName | ''>('');
  const [language, setLanguage] = useState('en');
  const [used, setUsed] = useState<TemplateName>();
  const [isFailed, setFailed] = useState(false);
  async function use(chosen: TemplateName): Promise<void> {
    setFailed(false);
    try {
      const next = await surveyFromTemplate(chosen, [language]);
      change(replacing(survey, { ...next, slug: freeSlug(next.slug, taken) }));
      setUsed(chosen);
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
          options={[['', 'None'], ...TEMPLATE_NAMES.map((each) => [each, TEMPLATES[each].name] as const)]}
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
      <p role="status">
        {isFailed ? 'The template could not be loaded. Try again.' : used && TEMPLATES[used].advice}
      </p>
    </Section>
  );
}
