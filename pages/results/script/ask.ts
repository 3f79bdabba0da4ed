/** Questions to the service, with the reader key of this tab. */

type Query = Readonly<Record<string, string | undefined>>;

/** What the service said instead of an answer. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string;
    readonly issues?: readonly { readonly path: string; readonly message: string }[];
  };
}

const NO_ANSWER = 'The service did not answer. Try again.';

function explain(status: number, { error }: ErrorBody): string {
  if (status === 401)
    return 'The key opens nothing here: it is wrong, revoked or expired, or may not show this.';
  if (status === 429) return 'Too many questions at once. Try again in a few seconds.';
  const issues = (error?.issues ?? []).map(({ path, message }) => `${path} ${message}`);
  return issues.length > 0 ? `${issues.join('; ')}.` : (error?.message ?? NO_ANSWER);
}

/** @throws Refused */
export async function ask<Reply>(key: string, path: string, query: Query = {}): Promise<Reply> {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(given).toString();
  let reply: Response;
  try {
    reply = await fetch(search === '' ? path : `${path}?${search}`, {
      headers: { authorization: `Bearer ${key}` },
      cache: 'no-store',
    });
  } catch {
    throw new Refused(0, NO_ANSWER);
  }
  const body = await reply.json().catch(() => ({}));
  if (!reply.ok) throw new Refused(reply.status, explain(reply.status, body));
  return body;
}
