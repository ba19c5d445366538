/**
 * Peer (d), the limit: `node:http` alone, which sends what the service was seen to send and does nothing else.
 * Started as `node raw.js RECORDING PORT`.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

/** An answer of the service, and what was asked. `authorization` is '' where none was sent. */
export interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly authorization: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [file = '', port] = process.argv.slice(2);
const answers = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>();
for (const { method, target, authorization, status, headers, body } of JSON.parse(
  readFileSync(file, 'utf8'),
) as Recorded[]) {
  answers.set(`${method} ${target} ${authorization}`, {
    status,
    headers: { ...headers },
    body: Buffer.from(body, 'base64'),
  });
}
// Orders to cancel differ from request to request: the first answer to a DELETE stands for all that are not recorded.
const cancelled = [...answers].find(([asked]) => asked.startsWith('DELETE '))?.[1];

createServer((req, res) => {
  const answer = answers.get(`${req.method} ${req.url} ${req.headers.authorization ?? ''}`) ?? cancelled;
  if (!answer) {
    res.writeHead(500).end();
    return;
  }
  res.writeHead(answer.status, answer.headers).end(answer.body);
}).listen(Number(port), '127.0.0.1');
