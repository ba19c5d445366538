// Loaded into a server under test by NODE_OPTIONS: at each SIGUSR2 it collects garbage and says what is left.
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

async function report() {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    // What is outside the heap is let go of after the collection.
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed + external}\n`);
}

process.on('SIGUSR2', () => void report());
