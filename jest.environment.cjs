const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { createRequire } = require('node:module');
const vm = require('node:vm');

/**
 * Jest makes a context for each suite, with an `Error` and an `Array` of its own, and evaluates every module anew in it.
 * Here suites run in the context of Node.js itself, as services do. So they share what jest.outside.cjs has loaded, which
 * takes most of a suite's time otherwise, and `instanceof` and toStrictEqual say what they say in production.
 */
const HERE = {};
const { compileFunction } = vm;
vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
  compileFunction(code, params, parsingContext === HERE ? options : { ...options, parsingContext });

/** What a suite may replace, such as `fetch`: the next one gets it as it was. */
const globals = Object.getOwnPropertyDescriptors(globalThis);
/** Suites and Jest put their own in their place. */
const { env, exit, getBuiltinModule } = Object.getOwnPropertyDescriptors(process);
const HOOKS = Symbol.for('EVENT_HANDLERS');

/** Node's own loader, in place of which Jest gives suites another: for jest.outside.cjs. */
Reflect.set(globalThis, 'outside', createRequire(__filename));

module.exports = class {
  /** @param {import('@jest/environment').JestEnvironmentConfig} config */
  constructor({ projectConfig }) {
    this.conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = /** @type {any} */ (null);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    /** @type {object | null} */
    this.context = HERE;
    this.env = { ...process.env };
    this.listeners = new Map(process.eventNames().map((event) => [event, process.rawListeners(event)]));
  }

  getVmContext() {
    return this.context;
  }

  exportConditions() {
    return this.conditions;
  }

  setup() {
    // Each suite's copy of jest-circus adds its own.
    Reflect.deleteProperty(globalThis, HOOKS);
    return Promise.resolve();
  }

  teardown() {
    this.context = null;
    this.fakeTimersModern.dispose();
    for (const [name, descriptor] of Object.entries(globals)) restore(name, descriptor);
    Object.defineProperties(process, { env, exit, getBuiltinModule });
    for (const name of Object.keys(process.env)) if (!(name in this.env)) delete process.env[name];
    Object.assign(process.env, this.env);
    for (const event of process.eventNames())
      for (const listener of /** @type {((...values: unknown[]) => void)[]} */ (process.rawListeners(event)))
        if (!this.listeners.get(event)?.includes(listener)) process.removeListener(event, listener);
    return Promise.resolve();
  }
};

/** @param {string} name @param {PropertyDescriptor} descriptor */
function restore(name, descriptor) {
  const current = Object.getOwnPropertyDescriptor(globalThis, name);
  if (current && 'value' in descriptor && current.value === descriptor.value) return;
  if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
}
