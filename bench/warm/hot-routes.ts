/** The routes that carry a product's load, each judged against a floor. */
export const HOT_ROUTES = ['bootstrap', 'submit-response', 'submit-dismissal', 'mint-tokens'] as const;
