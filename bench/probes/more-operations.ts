/**
 * Gives the service 40 operations more than its contract has, before those of the contract:
 * `node --import more-operations.js petstore.js serve`. Its code is what is shipped; only the contract's tables grow,
 * and each new operation gets a handler.
 */
import { register } from 'node:module';
import { operations, policies } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { moreOperations, morePaths } from '../src/more-operations.ts';

function putFirst(target: object, more: object): void {
  const own = { ...target };
  for (const name of Object.keys(own)) Reflect.deleteProperty(target, name);
  Object.assign(target, more, own);
}

const more = moreOperations(operations);
putFirst(operations, more);
putFirst(policies, moreOperations(policies));
putFirst(document['paths'] as object, morePaths(document));

// Handlers are made by a function of a module of the service: its source is changed as it is loaded.
const hook = `
const more = ${JSON.stringify(Object.keys(more))};
export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/server/dist/handlers.js')) return loaded;
  const source = String(loaded.source).replace('export function createHandlers', 'function contractHandlers');
  return { ...loaded, source: source + \`
export function createHandlers(services) {
  const more = \${JSON.stringify(more)}.map((id) => [id, () => ({ status: 204 })]);
  return { ...contractHandlers(services), ...Object.fromEntries(more) };
}\` };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
