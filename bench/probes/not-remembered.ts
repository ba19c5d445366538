/**
 * Makes every list of orders too long for the service to remember: `node --import not-remembered.js petstore.js serve`.
 */
import { register } from 'node:module';

// How long a list may be is said in a module of the service: its source is changed as it is loaded.
const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/server/dist/orders/order-list.js')) return loaded;
  const source = String(loaded.source).replace(/const MAX_BYTES = .*;/, 'const MAX_BYTES = 0;');
  if (source === String(loaded.source)) throw new Error('order-list.js has changed: see not-remembered.ts');
  return { ...loaded, source };
}`;

register(`data:text/javascript,${encodeURIComponent(hook)}`);
