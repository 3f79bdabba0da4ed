declare module 'autocannon' {
  interface Request {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly setupRequest: (request: Request) => Request;
    readonly body?: string;
  }

  interface Result {
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly duration: number;
    /** Of connections, and timeouts among them. */
    readonly errors: number;
    readonly '2xx': number;
    readonly non2xx: number;
  }

  export default function autocannon(options: {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly requests: readonly Request[];
  }): Promise<Result>;
}
