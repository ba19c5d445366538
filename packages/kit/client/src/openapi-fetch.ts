import createOpenapiClient, {
  createQuerySerializer,
  defaultBodySerializer,
  type Client,
} from 'openapi-fetch';
import { writeParameter, writePath } from '@contract-kit/core/http';
import { hasExactNumbers } from '@contract-kit/core/json';
import { isExact } from './exact-integers.ts';
import type { PacedFetch } from './create-fetch.ts';
import type { InputError } from './errors.ts';
import type { Sent } from './types.ts';

/** The generated `paths` with the 64-bit integers of parameters as they may be sent. */
export type ExactPaths<Paths> = {
  [Path in keyof Paths]: {
    [Method in keyof Paths[Path]]: {
      [Part in keyof Paths[Path][Method]]: Part extends 'parameters'
        ? { [Place in keyof Paths[Path][Method][Part]]: Sent<Paths[Path][Method][Part][Place]> }
        : Paths[Path][Method][Part];
    };
  };
};

export type PathClient<Paths extends {}> = Client<ExactPaths<Paths>>;

/**
 * openapi-fetch's client over a `fetch` of `createFetch`. A path parameter that is missing, a dot segment (RFC 3986
 * §5.2.4), or a number that JavaScript has rounded is rejected with an InputError. openapi-fetch would send another.
 */
export function createPathClient<Paths extends {}>(
  send: PacedFetch,
  Rejection: typeof InputError,
): PathClient<Paths> {
  const reject = (reason: string): never => {
    throw new Rejection(reason, { code: 'invalid_input', attempts: 0 });
  };
  const exact = <Value>(value: Value): Value =>
    hasExactNumbers(value) ? value : reject('a number cannot be sent exactly');
  const serializeQuery = createQuerySerializer();
  return createOpenapiClient<ExactPaths<Paths>>({
    baseUrl: send.baseUrl,
    fetch: send,
    pathSerializer: (path, values) =>
      writePath(
        path,
        (name) => {
          const value: unknown = exact(values[name]);
          if (!isExact(value, 'bigint')) return undefined;
          return writeParameter({ name, in: 'path' }, value, String, reject);
        },
        reject,
      ),
    querySerializer: (query) => serializeQuery(exact(query)),
    bodySerializer: (body) => defaultBodySerializer(exact(body)) as unknown,
  });
}
