export interface Request {
  readonly method: 'GET' | 'DELETE';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends one request on a new connection, which the server cannot have closed. */
export async function exchange(origin: string, { method, target, headers }: Request): Promise<Response> {
  const response = await fetch(origin + target, { method, headers: { ...headers, connection: 'close' } });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
