/** What went wrong, or is waited for, in words, with what can be done about it. */

interface Action {
  readonly words: string;
  readonly run: () => void;
}

export function Problem({ words, action }: { readonly words: string; readonly action?: Action | undefined }) {
  return (
    <div class="problem card" role="alert">
      <p>{words}</p>
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.words}
        </button>
      )}
    </div>
  );
}
