/** The right to run the first request with an idempotency key. */
export interface Claim {
  readonly id: string;
  /** Tells it from later claims of the same key. */
  readonly token: string;
}

/** A response as it was sent, without the headers of every response. */
export interface KeptResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | boolean>>;
  readonly body: Buffer | undefined;
}

/**
 * How a claim ends: with a response that is kept, or with one that is not ('omit'), so that the request never runs again;
 * 'release' forgets it, so that a repeat runs.
 */
export type Outcome = KeptResponse | 'omit' | 'release';
