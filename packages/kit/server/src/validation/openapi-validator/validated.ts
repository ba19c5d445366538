import { parameterReader, textsOf, type ParameterReader, type ParameterTexts } from '@contract-kit/core/http';
import type { JsonObject } from '@contract-kit/core/json';
import { isInUsualStyle, isScalar, type Parameter } from '@contract-kit/core/model';
import type { Request } from 'express';
import { defaultOf, OutOfBounds, scalarOf, type Scalar } from '../scalar.ts';
import { invalidParameter, type FoundViolation } from '../violations.ts';
import { nameIn } from './path-pattern.ts';

/** A parameter that express-openapi-validator validates: a scalar, or a list of scalars in a query. */
export interface Validated extends Parameter {
  readonly isList: boolean;
  readonly scalar: Scalar;
  readonly reader: ParameterReader;
}

/** Where Express has the values of a place. */
export const FIELDS = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const;

/** The parameters of an operation that express-openapi-validator reads exactly. */
export function validatedIn(path: string, parameters: readonly Parameter[]): Validated[] {
  const named = path.split('/').flatMap((segment) => nameIn(segment) ?? []);
  return parameters
    .filter((parameter) => {
      const { in: place, name, style, content, schema } = parameter;
      // It reads `filter[age]` as the field of an object, and finds `constructor` in every object.
      if (name.includes('[') || name in Object.prototype) return false;
      if (place === 'cookie') return style === 'form' && content === undefined && isScalar(schema);
      return isInUsualStyle(parameter) && (place !== 'path' || named.includes(name));
    })
    .map((parameter) => {
      const { schema } = parameter;
      const isList = schema['type'] === 'array';
      return {
        ...parameter,
        isList,
        scalar: scalarOf(isList ? (schema['items'] as JsonObject) : schema),
        reader: parameterReader(parameter, { kind: isList ? 'list' : 'scalar' }, (what, why) => {
          throw invalidParameter(what, why);
        }),
      };
    });
}

/** Where Express has the value of a parameter. */
function valueIn(req: Request, { in: place, name }: Parameter): unknown {
  const values = req[FIELDS[place]] as Readonly<Record<string, unknown>> | undefined;
  const key = fieldKeyOf(place, name);
  const value = values?.[key];
  // It is sent in UTF-8 (WHATWG HTML §9.2.3), and Node.js reads headers as Latin-1.
  const isUtf8 = place === 'header' && key === 'last-event-id' && typeof value === 'string';
  return isUtf8 ? Buffer.from(value, 'latin1').toString() : value;
}

/** Node.js has headers in lower case. */
export function fieldKeyOf(place: Parameter['in'], name: string): string {
  return place === 'header' ? name.toLowerCase() : name;
}

/**
 * Writes query and cookies into the request for express-openapi-validator. Express drops the names after the thousandth, decodes lists
 * before they are split, and has no cookies. Returns the values that are sent twice: the first of each is parsed.
 */
export function prepare(
  req: Request,
  validated: readonly Validated[],
  texts: ParameterTexts,
): FoundViolation[] {
  const violations: FoundViolation[] = [];
  // No name is inherited: see `validatedIn`.
  const parsed: Record<'query' | 'cookie', Record<string, unknown>> = { query: {}, cookie: {} };
  for (const { name, in: place, isList, explode, reader } of validated) {
    const sent = textsOf(texts, place, name);
    if (sent.length > 1 && !(isList && explode))
      violations.push({ parameter: name, pointer: '', message: 'is sent twice' });
    if (sent.length === 0 || (place !== 'query' && place !== 'cookie')) continue;
    const value = reader.read(texts, () => false);
    parsed[place][name] = isList ? value : [value].flat()[0];
  }
  Object.defineProperty(req, 'query', { value: parsed.query, writable: true, configurable: true });
  req.cookies = parsed.cookie;
  return violations;
}

/**
 * The value of a parameter of a request that it has accepted, or its default. Throws an ApiError for what it cannot tell: an
 * int64 within its bounds, multiples in decimal, patterns in linear time.
 */
export function valueOf(req: Request, parameter: Validated): unknown {
  const { name, schema, isList, scalar } = parameter;
  const valid = valueIn(req, parameter);
  const read = (item: unknown): unknown => {
    const value = scalar.read(String(item));
    if (value instanceof OutOfBounds) throw invalidParameter(name, `must be ${value.wanted}`);
    return value;
  };
  if (valid === undefined) return defaultOf(schema);
  return isList ? [valid].flat().map(read) : read(valid);
}
