// Loaded into a server by NODE_OPTIONS: at SIGUSR2 it collects garbage and prints the memory in use.
import { setFlagsFromString } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
/** @type {() => void} */
const collectGarbage = runInNewContext('gc');

async function report() {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    // Memory outside the heap is freed after the collection.
    await sleep(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`heap ${heapUsed + external}\n`);
}

process.on('SIGUSR2', () => void report());
