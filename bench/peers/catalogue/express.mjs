/** Express 5 with express-openapi-validator, mounted as its README shows. */
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { create, find, list } from '../../catalogue/products.mjs';
import { accessLog } from '../access-log.mjs';

const { CONTRACT, PORT } = process.env;

const app = express();

app.use((req, res, next) => {
  const started = performance.now();
  res.on('finish', () => {
    const { method, path, ip: address } = req;
    accessLog.info({ method, path, status: res.statusCode, address, ms: performance.now() - started });
  });
  next();
});

app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: CONTRACT, validateRequests: true }));

app.get('/v1/products', (req, res) => {
  res.json(list(req.query.limit));
});

app.get('/v1/products/:id', (req, res) => {
  const product = find(req.params.id);
  if (product) res.json(product);
  else res.status(404).json({ code: 'not_found', message: `There is no ${req.params.id}.`, status: 404 });
});

app.post('/v1/products', (req, res) => {
  res.status(201).json(create(req.body));
});

// Express recognises an error handler by its four parameters.
app.use((error, _req, res, _next) => {
  const status = error.status ?? 500;
  res.status(status).json({ code: 'invalid_request', message: error.message, status });
});

app.listen(Number(PORT), '127.0.0.1');
