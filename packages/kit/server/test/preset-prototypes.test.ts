import http from 'node:http';
import v8 from 'node:v8';
import vm from 'node:vm';
import express from 'express';
import { presetPrototypes } from '../src/listener/preset-prototypes.ts';
import { listen } from '@contract-kit/test-support/testing';

v8.setFlagsFromString('--allow-natives-syntax');
const isFast = vm.runInThisContext('(object) => %HasFastProperties(object)') as (object: unknown) => boolean;

/* The speed-up is lost if Express sets another prototype, or V8 turns one into a dictionary. */
test('requests and responses already have the prototypes that Express sets', async () => {
  const app = express();
  const before: unknown[] = [];
  app.use((req, res) => {
    expect(Object.getPrototypeOf(req)).toBe(before[0]);
    expect(Object.getPrototypeOf(res)).toBe(before[1]);
    expect([isFast(req), isFast(res)]).toEqual([true, true]);
    expect(req.get('host')).toBeDefined();
    expect([req instanceof http.IncomingMessage, res instanceof http.ServerResponse]).toEqual([true, true]);
    res.json({ ip: req.ip, query: req.query });
  });
  const origin = await listen((req, res) => {
    before.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res));
    app(req, res);
  }, presetPrototypes(app));
  const response = await fetch(`${origin}/?a=1`);
  expect(await response.json()).toEqual({ ip: '127.0.0.1', query: { a: '1' } });
});
