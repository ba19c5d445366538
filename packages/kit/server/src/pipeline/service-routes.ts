import type { Contract } from '@contract-kit/core';
import type { Model } from '@contract-kit/core/model';
import type { Express, RequestHandler } from 'express';
import { OperatorError } from '../operator-error.ts';
import { writeCommonHeaders } from './service-middleware.ts';
import { requestContextOf } from './request-context.ts';

/** A route or a mounted middleware of Express's router. */
interface Layer {
  readonly rawPath: unknown;
  /** Whether it is middleware for every path. */
  readonly slash: boolean;
  /** Absent for a mounted middleware, which takes every method. */
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

/** Routes outside the contract. */
export interface ServiceRoutes {
  /** Whether one of them has `path`. */
  readonly has: (path: string) => boolean;
  /** The methods of those that have `path`. */
  readonly methodsAt: (path: string) => string[];
  /** Adds the routes that `extend` adds. Throws an OperatorError if one would never get a request. */
  readonly add: (app: Express, extend: (app: Express) => void) => void;
}

/** Routes whose paths `pages` and the operations do not have. */
export function createServiceRoutes(
  { basePath }: Pick<Contract, 'basePath'>,
  { operations }: Model,
  pages: readonly string[],
): ServiceRoutes {
  let layers: readonly Layer[] = [];
  const has = (path: string) => layers.some((layer) => matches(layer, path));
  const methodsAt = (path: string) => [
    ...new Set(layers.filter((layer) => matches(layer, path)).flatMap(methodsOf)),
  ];
  const taken = [
    ...operations.map(({ id, path }) => [basePath + path, `the operation ${id}`] as const),
    ...pages.map((path) => [path, 'a page of every service'] as const),
  ];
  return {
    has,
    methodsAt,
    add(app, extend) {
      app.use(writeCommonHeaders(), noteHandled);
      const { stack } = app.router as unknown as { stack: readonly Layer[] };
      const before = stack.length;
      extend(app);
      layers = stack.slice(before).filter(({ slash }) => !slash);
      for (const layer of layers) {
        const [path, owner] = taken.find(([path]) => overlaps(layer, path)) ?? [];
        if (path !== undefined)
          throw new OperatorError(
            `the route ${String(layer.rawPath)} of extend is also a path of ${owner}, ${path}: give it another path`,
          );
      }
    },
  };
}

const noteHandled: RequestHandler = (req, _res, next) => {
  requestContextOf(req).isHandled = true;
  next();
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];

/** Of a layer. Express serves HEAD at a route with GET, and calls every method of `route().all` `_all`. */
function methodsOf({ route }: Layer): string[] {
  if (!route || route.methods['_all']) return METHODS;
  const has = (method: string) => route.methods[method.toLowerCase()];
  return METHODS.filter((method) => has(method) || (method === 'HEAD' && has('GET')));
}

function matches(layer: Layer, path: string): boolean {
  try {
    return Boolean(layer.match(path));
  } catch {
    // The path has a percent sign without digits.
    return false;
  }
}

/** Whether a request may have the path of both. `{…}` is a parameter of the contract, `:…` one of Express. */
function overlaps(layer: Layer, path: string): boolean {
  const samples = ['1', 'x'].map((value) => path.replaceAll(/\{[^}]*\}/g, value));
  if (samples.some((sample) => matches(layer, sample))) return true;
  const segments = path.split('/');
  return [layer.rawPath].flat().some((own) => {
    const others = String(own).split('/');
    const isSame = (segment: string, index: number) =>
      /[{:*]/.test(segment + others[index]) || segment === others[index];
    return !(own instanceof RegExp) && others.length === segments.length && segments.every(isSame);
  });
}
