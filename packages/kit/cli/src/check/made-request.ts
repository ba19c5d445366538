import { IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import type { JsonObject } from '@contract-kit/core/json';
import type { Operation } from '@contract-kit/core/model';
import type { Values } from '@contract-kit/core/values';

const PLACES = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** Base64, as tools take bytes. */
const BYTES = 'AAE=';

/** Why a part is not tried. */
export const NONE = 'no value that fits it can be made';

/** Values for parameters in paths that are no segment of another path: `/books/{id}` gets no `text` beside `/books/text`. */
export function awayFromLiterals(values: Values, operations: readonly Operation[]): Values {
  const literals = new Set(operations.flatMap(({ path }) => path.split('/')));
  const isApart = (value: unknown) => typeof value !== 'string' || !literals.has(value);
  return {
    ...values,
    first(view, part) {
      const value = values.first(view, part);
      if (!('in' in part) || part.in !== 'path' || isApart(value)) return value;
      for (const other of values.all(view, part)) if (isApart(other)) return other;
      return values.first(view, { ...part, example: `${value as string}1` });
    },
  };
}

/** Why there is no value, and what to do. */
function noneFor(...[view, part, values]: [...Parameters<Values['first']>, Values]): string {
  return `${NONE}: ${values.whyNone(view, part)}; give it an example`;
}

interface Made {
  /** The arguments of the tool. */
  readonly input: JsonObject;
  /** The same by the places of the request, without an Idempotency-Key. */
  readonly parameters: JsonObject;
  readonly body: unknown;
}

/** A request with every parameter and the body, made from the contract. */
export function requestOf(
  { parameters, body }: Operation,
  values: Values,
): Made | { readonly untried: string } {
  const input: JsonObject = {};
  const places: Record<string, JsonObject> = {};
  for (const parameter of parameters) {
    const value = values.first('sent', parameter);
    if (value === undefined) return { untried: `${parameter.name}: ${noneFor('sent', parameter, values)}` };
    input[parameter.input] = value;
    if (parameter.name.toLowerCase() === IDEMPOTENCY_KEY) continue;
    (places[PLACES[parameter.in]] ??= {})[parameter.name] = value;
  }
  const value: unknown = body?.media.kind === 'bytes' ? BYTES : body && values.first('sent', body.media);
  if (body && value === undefined) return { untried: `the body: ${noneFor('sent', body.media, values)}` };
  if (body?.fields) Object.assign(input, value);
  else if (body) input['body'] = value;
  return { input, parameters: places, body: value };
}
