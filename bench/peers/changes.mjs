/** A worker thread that changes an order of a SQLite store about four thousand times a second. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const PAUSE = 0.25; // milliseconds

const database = new Database(workerData, { fileMustExist: true });
database.pragma('synchronous = OFF');
const change = database.prepare('UPDATE orders SET quantity = (quantity + 1) % 100 WHERE id = 1');
const neverNotified = new Int32Array(new SharedArrayBuffer(4));

change.run();
parentPort.postMessage('changing');
for (;;) {
  change.run();
  Atomics.wait(neverNotified, 0, 0, PAUSE);
}
