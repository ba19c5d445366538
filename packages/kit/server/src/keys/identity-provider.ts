/** Thrown by `authenticate`: the token is not valid, for a reason that its holder may know. */
export class InvalidToken extends Error {
  /** `reason` is a sentence for the holder, such as `The token has expired.` */
  constructor(reason: string) {
    super(reason);
    this.name = 'InvalidToken';
  }
}

/** Whether a token is valid is unknown: `authenticate` failed, or took too long. */
export class IdentityUnavailable extends Error {
  constructor(cause: unknown) {
    super('authenticate failed', { cause });
    this.name = 'IdentityUnavailable';
  }
}

/** The request that sends a token. */
export interface TokenRequest {
  /** The name of the security scheme in the contract by which it is sent. */
  readonly scheme: string;
  /** A header of the request by its name, in any case. */
  readonly header: (name: string) => string | undefined;
  /** Aborts after 5 seconds, when the request gets 503: pass it to `fetch`. */
  readonly signal: AbortSignal;
}

type Sent = Omit<TokenRequest, 'signal'>;

/** How long `authenticate` may take, in milliseconds. */
const TIME_OUT = 5_000;

/** A call of `authenticate` that is under way. */
interface Call<Holder> {
  readonly holder: Promise<Holder | undefined>;
  /** Whether another request looks the same, as far as it was read. */
  readonly isSame: (other: Sent) => boolean;
}

/**
 * Asks `authenticate` once at a time for one token, so that the requests of one client do not flood the provider. Those that
 * come meanwhile take the same result, unless they differ in what was read of the first: it may decide who the holder is.
 */
export function askProvider<Holder>(
  authenticate: (token: string, request: TokenRequest) => Holder | undefined | Promise<Holder | undefined>,
): (token: string, sent: Sent) => Promise<Holder | undefined> {
  const underway = new Map<string, Call<Holder>>();

  function ask(token: string, sent: Sent): Call<Holder> {
    const read: ((other: Sent) => boolean)[] = [];
    const signal = AbortSignal.timeout(TIME_OUT);
    const request: TokenRequest = {
      signal,
      get scheme() {
        read.push(({ scheme }) => scheme === sent.scheme);
        return sent.scheme;
      },
      header(name) {
        const value = sent.header(name);
        read.push(({ header }) => header(name) === value);
        return value;
      },
    };
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const asked = (async () => authenticate(token, request))();
    const holder = Promise.race([asked, late])
      .catch((error: unknown) => {
        throw error instanceof InvalidToken ? error : new IdentityUnavailable(error);
      })
      .finally(() => underway.delete(token));
    const call = { holder, isSame: (other: Sent) => read.every((isSame) => isSame(other)) };
    underway.set(token, call);
    return call;
  }

  return async (token, sent) => {
    for (;;) {
      const call = underway.get(token) ?? ask(token, sent);
      // What it reads is known only at its end.
      await call.holder.catch(() => undefined);
      if (call.isSame(sent)) return call.holder;
    }
  };
}
