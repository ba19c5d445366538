// A separate process, to measure the memory of a client alone: node --expose-gc read-loans.mjs <contract> <base URL>
import { createClient } from '@contract-kit/client';
import { streamList } from '@contract-kit/client/stream';

const [, , contract = '', baseUrl = ''] = process.argv;
const library = /** @type {{ getBook(input: object): Promise<unknown> }} */ (
  createClient(JSON.parse(contract), { apiKey: 'lib_test', baseUrl })
);

// fetch allocates memory once, which is not part of the list.
await library.getBook({ bookId: 1 });
globalThis.gc?.();
const before = process.memoryUsage.rss();

let count = 0;
let peak = before;
for await (const item of streamList(library, 'listLoans')) {
  const { id } = /** @type {{ id: number }} */ (item);
  if (id !== ++count) throw new Error(`loan ${id} in place of ${count}`);
  if (count % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
}
console.log(JSON.stringify({ count, megabytes: Math.ceil((peak - before) / 1e6) }));
