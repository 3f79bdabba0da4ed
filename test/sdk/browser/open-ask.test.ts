import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openAsk } from '../../../sdk/browser/open-ask.ts';
import { aSurvey } from './support/a-survey.ts';

const send = vi.fn();
const end = vi.fn();
let open = true;

function ask(traits = {}) {
  return openAsk({
    survey: aSurvey({ locales: { de: { question: 'Frage?' } } }),
    locale: 'de-AT',
    traits,
    isOpen: () => open,
    send,
    end(...rating) {
      open = false;
      end(...rating);
    },
  });
}

beforeEach(() => {
  open = true;
  send.mockClear();
  end.mockClear();
});

describe('an ask', () => {
  it('speaks the language', () => {
    expect(ask().survey).toMatchObject({ question: 'Frage?', language: 'de' });
  });

  it('is answered once: rating, text and the wish to be contacted together', () => {
    const one = ask({ plan: 'pro' });
    one.answer(3, { text: 'Slow', followUpRequested: true });
    one.answer(4);
    one.dismiss();
    one.draft(5);
    const content = { traits: { plan: 'pro' }, rating: 3, text: 'Slow', followUpRequested: true };
    expect(send.mock.calls).toEqual([['/v1/sdk/responses', content, 0, false]]);
    expect(end.mock.calls).toEqual([[3]]);
  });

  it('is dismissed once', () => {
    const one = ask();
    one.dismiss();
    one.dismiss();
    one.answer(4);
    expect(send.mock.calls).toEqual([['/v1/dismissals', {}, 0, false]]);
    expect(end.mock.calls).toEqual([[]]);
  });

  it('keeps a draft, which waving it away sends', () => {
    const one = ask();
    expect(one.drafted).toBe(false);
    one.draft(3);
    one.draft(3, { text: 'Slow' });
    expect(one.drafted).toBe(true);
    one.dismiss();
    expect(
      send.mock.calls.map(([path, content, holdMs, again]) => [path, content.text, holdMs, again]),
    ).toEqual([
      ['/v1/sdk/responses', undefined, 600_000, false],
      ['/v1/sdk/responses', 'Slow', 600_000, true],
      ['/v1/sdk/responses', 'Slow', 0, true],
    ]);
    expect(end.mock.calls).toEqual([[3]]);
  });

  it('leaves out traits that the service would refuse, rather than lose the answer', () => {
    ask({ note: 'ü'.repeat(2_000) }).answer(3);
    ask({ note: 'ü'.repeat(2_050) });
    open = true;
    ask({ note: 'ü'.repeat(2_050) }).answer(3);
    expect(send.mock.calls.map(([, content]) => content.traits === undefined)).toEqual([false, true]);
  });

  it('leaves out more traits than the service takes', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, at]));
    ask(many(50)).answer(3);
    open = true;
    ask(many(51)).answer(3);
    expect(send.mock.calls.map(([, content]) => content.traits)).toEqual([many(50), undefined]);
  });

  it('leaves out each trait that is not flat, and keeps the others', () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    ask({
      plan: 'pro',
      seats: 3,
      team: null,
      since: new Date(0),
      round,
      list: [1],
      call: () => 1,
      id: 1n,
    }).answer(3);
    const [[, content]] = send.mock.calls as [[string, { traits: object }]];
    expect(content.traits).toEqual({ plan: 'pro', seats: 3, team: null });
  });
});
