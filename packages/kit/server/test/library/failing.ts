/* The library's command with routes of which some fail outside of their requests, as no code of a service should. */
import type { Express } from 'express';
import { runCommand } from '../../src/index.ts';
import { library } from './library.ts';

const noError = 'no Error' as unknown as Error;

const FAILURES: Readonly<Record<string, () => unknown>> = {
  timer: () => setTimeout(failInTimer, 1),
  promise: () => void Promise.reject(new Error('nobody waits for this')),
  text: () => void Promise.reject(noError),
  often: () => setInterval(failInTimer, 5),
};

function failInTimer(): void {
  throw new Error('the timer failed');
}

const extend = (app: Express) => {
  app.post('/fail/:how', (req, res) => {
    FAILURES[req.params.how]?.();
    res.sendStatus(202);
  });
  app.get('/slow', (_req, res) => void setTimeout(() => res.send('done'), 500));
  app.get('/never', () => undefined);
};

await runCommand({ ...library, extend });
