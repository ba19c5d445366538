/** The upper bound: `node:http` alone. It sends the response in the file RESPONSE to every request. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { headers, body } = JSON.parse(readFileSync(process.env.RESPONSE, 'utf8'));
const bytes = Buffer.from(body);

createServer((_req, res) => res.writeHead(200, headers).end(bytes)).listen(
  Number(process.env.PORT),
  '127.0.0.1',
);
