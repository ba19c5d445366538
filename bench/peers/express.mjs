/** Express 5 with express-openapi-validator and express-rate-limit, as their READMEs combine them. */
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { accessLog } from './access-log.mjs';
import { openSqliteOrders, replies } from './orders.mjs';

const { CONTRACT, DATABASE, PORT, TRUST_PROXY } = process.env;
const orders = openSqliteOrders(DATABASE);

const app = express();
app.set('trust proxy', TRUST_PROXY ?? false);

app.use((req, res, next) => {
  const started = performance.now();
  res.on('finish', () => {
    const { method, path, ip: address } = req;
    accessLog.info({ method, path, status: res.statusCode, address, ms: performance.now() - started });
  });
  next();
});

app.use((req, res, next) => {
  res.locals.caller = orders.identify(req.headers.authorization, ipKeyGenerator(req.ip));
  next();
});

const limiter = (windowMs, quota) =>
  rateLimit({
    windowMs,
    limit: (_req, res) => res.locals.caller[quota],
    keyGenerator: (_req, res) => res.locals.caller.id,
    legacyHeaders: true,
    standardHeaders: false,
    message: { code: 'rate_limit_exceeded', message: 'The limit is used up.', status: 429 },
  });
app.use(limiter(24 * 60 * 60 * 1000, 'perDay'));
app.use(limiter(60 * 1000, 'perMinute'));

app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: CONTRACT,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: { handlers: { apiKey: (req) => req.res.locals.caller.isKey } },
  }),
);

app.get('/v1/store/orders', (_req, res) => {
  res.json(orders.list());
});

app.delete('/v1/store/orders/:orderId', (req, res) => {
  const { status, body } = replies[orders.cancel(Number(req.params.orderId), res.locals.caller.id)];
  if (body) res.status(status).json(body);
  else res.status(status).end();
});

const codes = { 400: 'invalid_request', 401: 'unauthorized', 404: 'not_found' };

// Express recognises an error handler by its four parameters.
app.use((error, _req, res, _next) => {
  const status = error.status ?? 500;
  if (status === 401) res.set('WWW-Authenticate', 'Bearer realm="petstore"');
  res.status(status).json({ code: codes[status] ?? 'internal_error', message: error.message, status });
});

app.listen(Number(PORT), '127.0.0.1');
