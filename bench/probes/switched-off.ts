/**
 * Runs the service without one of its mechanisms: `SWITCHED_OFF=NAME node --import switched-off.js petstore.js serve`.
 * The source of the module that has it is changed as it is loaded.
 */
import { register } from 'node:module';

/** By what is switched off: the module that has it, what is there, and what is put in its place. */
export const switches = {
  // Each look for changes finds one, so that no list is sent that was read before it was asked for.
  'remembered list': ['orders/order-list.js', '.revision();', '.revision().then(() => performance.now());'],
  'preset prototypes': ['listener/listener.js', '...presetPrototypes(app),', ''],
  'one layer for all stages': ['app.js', '(inOrder(stages, onError)', '(...stages'],
  'one question about no parameters': [
    'validation/request-validator.js',
    'parameters.length === 0 &&',
    'false &&',
  ],
  'one commit per turn': ['database/grouped.js', 'await nextTurn();', ''],
  // A microtask comes before the next request is read.
  'replies of one turn sent together': [
    'pipeline/end-together.js',
    'setImmediate(endAll)',
    'queueMicrotask(endAll)',
  ],
  'turns of the event loop': ['listener/turns.js', 'budget.hasRoom()', 'true'],
} as const;

export type Switch = keyof typeof switches;

const name = process.env['SWITCHED_OFF'] as Switch | undefined;
if (name) {
  const hook = `
export async function load(url, context, next) {
  const loaded = await next(url, context);
  const [file, from, to] = ${JSON.stringify(switches[name])};
  const source = String(loaded.source);
  // The bundle names each file above its lines, and renames what two of them call the same.
  if (!url.includes('/server/dist/bundle/') || !source.includes('// apps/server/dist/' + file + '\\n')) return loaded;
  if (!source.includes(from)) throw new Error(file + ' has changed: see switched-off.ts');
  return { ...loaded, source: source.replaceAll(from, to) };
}`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
