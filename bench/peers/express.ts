/**
 * Peer (a): Express 5 with express-openapi-validator and express-rate-limit, as their READMEs put them together.
 * Started as `node express.js DATABASE CONTRACT PORT [TRUSTED_PROXY]`.
 */
import express, { type ErrorRequestHandler, type Request } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { accessLog } from './access-log.ts';
import { openOrders, replies, type Caller } from './orders.ts';

const [database = '', contract = '', port, trustedProxy] = process.argv.slice(2);
const orders = openOrders(database);
const callers = new WeakMap<Request, Caller>();
const callerOf = (req: Request) => callers.get(req) as Caller;

const app = express();
app.set('trust proxy', trustedProxy ?? false);

if (accessLog) {
  app.use((req, res, next) => {
    const started = performance.now();
    res.on('finish', () => {
      const { method, path, ip: address } = req;
      accessLog?.info({ method, path, status: res.statusCode, address, ms: performance.now() - started });
    });
    next();
  });
}

app.use((req, _res, next) => {
  callers.set(req, orders.identify(req.headers.authorization, ipKeyGenerator(req.ip ?? '')));
  next();
});

const limiter = (windowMs: number, quota: 'perMinute' | 'perDay') =>
  rateLimit({
    windowMs,
    limit: (req) => callerOf(req)[quota],
    keyGenerator: (req) => callerOf(req).id,
    legacyHeaders: true,
    standardHeaders: false,
    message: { code: 'rate_limit_exceeded', message: 'The limit is used up.', status: 429 },
  });
app.use(limiter(24 * 60 * 60 * 1000, 'perDay'));
app.use(limiter(60 * 1000, 'perMinute'));

app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: contract,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: { handlers: { apiKey: (req) => callerOf(req).isKey } },
  }),
);

app.get('/v1/store/orders', (_req, res) => {
  res.json(orders.list());
});

app.delete('/v1/store/orders/:orderId', (req, res) => {
  const { status, body } = replies[orders.cancel(Number(req.params.orderId), callerOf(req).id)];
  if (body) res.status(status).json(body);
  else res.status(status).end();
});

// One of the operations that `src/more-operations.ts` adds to a contract.
app.post('/v1/thing7', (req, res) => {
  res.status(201).json(req.body);
});

const codes: Record<number, string> = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' };

const onError: ErrorRequestHandler = (error: Error & { status?: number }, _req, res, _next) => {
  const status = error.status ?? 500;
  if (status === 401) res.set('WWW-Authenticate', 'Bearer realm="petstore"');
  res.status(status).json({ code: codes[status] ?? 'internal_error', message: error.message, status });
};
app.use(onError);

app.listen(Number(port), '127.0.0.1');
