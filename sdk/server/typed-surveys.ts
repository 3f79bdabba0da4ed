import type {
  DeferredAskLinkInput,
  DeferredAskLinkReply,
  MintTokensInput,
  MintTokensReply,
} from './contract-types.ts';

/** Surveys by slug, as `canvass survey types` generates them from a survey file. */
export type AnySurveys = Record<string, { readonly type: string; readonly reasons: string }>;

/** Slugs of the surveys; any text if the surveys are not typed. */
export type SlugOf<Surveys extends AnySurveys = AnySurveys> = keyof Surveys & string;

type Slugged<Input, Surveys extends AnySurveys> = Omit<Input, 'surveySlug'> & {
  /** Slug of a survey. Defaults to all surveys of the project. */
  surveySlug?: SlugOf<Surveys> | undefined;
};

type BindingsOf<Surveys extends AnySurveys> =
  string extends SlugOf<Surveys>
    ? MintTokensReply['bindings']
    : { [Slug in SlugOf<Surveys>]?: MintTokensReply['bindings'][string] };

export interface TypedCalls<Surveys extends AnySurveys, Options> {
  /**
   * Issues show-tokens for a respondent, bound to a session if you name one. `bindings` are the same tokens by slug,
   * for `bind` in the browser; surveys that this person may not be asked are missing. A repeat issues other tokens;
   * neither call stores anything.
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
   * Creates a link on which a respondent answers later. `{ok: false, reason}` means that the person may not be asked,
   * which is not an error. A repeat creates another link; neither call stores anything.
   */
  deferredAskLink(
    input: Slugged<DeferredAskLinkInput, Surveys>,
    options?: Options,
  ): Promise<DeferredAskLinkReply>;
}
