export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Response {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends one request on a new connection, which the server cannot have closed. */
export async function exchange(origin: string, request: Request): Promise<Response> {
  const { method, target, headers, body = null } = request;
  const response = await fetch(origin + target, {
    method,
    headers: { ...headers, connection: 'close' },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}
