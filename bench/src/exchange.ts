import http from 'node:http';

export interface Request {
  readonly method: 'GET' | 'DELETE';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Response {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Sends one request on a new connection. */
export function exchange(origin: string, { method, target, headers }: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const req = http.request(`${origin}${target}`, { method, headers, agent: false }, (res) => {
      let body = '';
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (body += chunk));
      res.on('error', reject);
      res.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = res;
        resolve({ status, headers, rawHeaders, body });
      });
    });
    req.on('error', reject).end();
  });
}
