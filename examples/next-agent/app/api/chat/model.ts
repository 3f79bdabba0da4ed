import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';

/** A stub. Replace it with your provider's model. */
export const model = new MockLanguageModelV4({
  doStream: async () => ({
    stream: convertArrayToReadableStream([
      { type: 'text-start', id: 'text' },
      { type: 'text-delta', id: 'text', delta: 'A fern wants moist soil, never wet.' },
      { type: 'text-end', id: 'text' },
      {
        type: 'finish',
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 0, text: 0, reasoning: 0 },
        },
      },
    ]),
  }),
});
