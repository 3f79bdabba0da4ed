/** What minting takes and answers where the slugs of the project's surveys are known. */

import type {
  DeferredAskLinkInput,
  DeferredAskLinkReply,
  MintTokensInput,
  MintTokensReply,
} from './contract-types.ts';

/** Surveys by their slugs, as `canvass survey types` writes them of a survey file. */
export type AnySurveys = Record<string, { readonly type: string; readonly reasons: string }>;

/** Slugs that there are; any text where nobody has said which. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;

/** An input that may name a survey. */
type Slugged<Input, Surveys extends AnySurveys> = Omit<Input, 'surveySlug'> & {
  /** Name of the survey in code; of all of the project unless said. */
  surveySlug?: SlugOf<Surveys> | undefined;
};

type BindingsOf<Surveys extends AnySurveys> =
  string extends SlugOf<Surveys>
    ? MintTokensReply['bindings']
    : { [Slug in SlugOf<Surveys>]?: MintTokensReply['bindings'][string] };

/** The calls that know slugs. */
export interface TypedCalls<Surveys extends AnySurveys, Options> {
  /**
   * Issue show-tokens for a respondent, bound to a session where one is named. What the browser's `bind` takes is in
   * `bindings`, by slug; a survey that this person may not be asked is not there. Repeated after a reply that was lost,
   * it issues other tokens; nothing is stored by either.
   */
  mintTokens(
    input: Slugged<MintTokensInput, Surveys>,
    options?: Options,
  ): Promise<
    Omit<MintTokensReply, 'bindings'> & {
      /** By slug. */
      bindings: BindingsOf<Surveys>;
    }
  >;
  /**
   * A link on which a respondent answers later. `{ok: false, reason}` means that the respondent may not be asked; that is
   * not an error. Repeated after a reply that was lost, it makes another link; nothing is stored by either.
   */
  deferredAskLink(
    input: Slugged<DeferredAskLinkInput, Surveys>,
    options?: Options,
  ): Promise<DeferredAskLinkReply>;
}
