/** Stands in for wrk where that is missing: `node autocannon.js LOAD`, with LOAD as JSON; prints a LoadReport. */
import autocannon from 'autocannon';
import type { Load, LoadReport } from '../src/load.ts';

const load = JSON.parse(process.argv[2] ?? '') as Load & { seconds: number; connections: number };
const { origin, method, target, headers, addresses } = load;
let id = load.firstId;
let address = 0;

const result = await autocannon({
  url: origin,
  connections: load.connections,
  duration: load.seconds,
  timeout: 30,
  requests: [
    {
      method,
      path: target,
      headers: { ...headers },
      setupRequest(request) {
        if (id !== undefined) return { ...request, path: `/v1/store/orders/${id++}` };
        if (addresses === undefined) return request;
        address = (address % addresses) + 1;
        const forwarded = `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`;
        return { ...request, headers: { ...headers, 'X-Forwarded-For': forwarded } };
      },
    },
  ],
});

const report: LoadReport = {
  requests: result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'],
  seconds: result.duration,
  p99: result.latency.p99,
  failures: result['4xx'] + result['5xx'],
  broken: result.errors + result.timeouts,
};
console.log(JSON.stringify(report));
