/** Lets a server be looked into while it runs: SIGUSR2 begins a profile, and the next one writes it to the file PROFILE. */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const session = new Session();
let isRunning = false;
process.on('SIGUSR2', () => void (isRunning ? end() : begin()));

async function begin(): Promise<void> {
  isRunning = true;
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
}

async function end(): Promise<void> {
  isRunning = false;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const file = process.env['PROFILE'] ?? '';
  writeFileSync(`${file}.part`, JSON.stringify(profile));
  renameSync(`${file}.part`, file);
}
