import type { RequestHandler } from 'express';
import { describeService } from '@contract-kit/testing';
import { service } from '../src/service.ts';

/* Every operation of openapi.yaml is called over HTTP, and its responses are held against the contract. */

/** The callers of this test belong to no tenant. */
const actForNorth: RequestHandler = (_req, res, next) => {
  res.locals['tenant'] = 'north';
  next();
};
const settings = { LOGIN_KEY: 'only a test', WEBHOOK_URL: 'http://127.0.0.1:9' };

describeService(service, { settings, middleware: [actForNorth] });
