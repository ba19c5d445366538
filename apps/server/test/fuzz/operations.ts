import { basePath } from '@petstore/contract';
import { isObject, type JsonObject } from '@petstore/contract/json-pointer';
import { schemaIn } from '@petstore/contract/schema-view';
import {
  dereferenced,
  describedOperation,
  objectAt,
  type Parameter as Described,
} from '@petstore/contract/described-operation';
import { PASSWORD, VALID_KEY, type Header } from './credentials.ts';

export interface Parameter extends Described {
  /** Whether a list is sent as one value, with commas. */
  readonly joined: boolean;
}

/** An operation as the contract describes it, as far as requests can be made from it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** The template of its path, base path included. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: JsonObject; readonly required: boolean } | undefined;
  readonly statuses: readonly number[];
  /** Whether it wants a key. */
  readonly secured: boolean;
  /** The headers of its first alternative of security, or of a bearer token. */
  readonly keyHeaders: readonly Header[];
  /** Whether a bearer token is the only way in. */
  readonly wantsBearer: boolean;
  /** The methods that its path has: RFC 9110 §9.3.2 adds HEAD to GET, §9.3.7 adds OPTIONS. */
  readonly allow: readonly string[];
}

const BEARER = `Bearer ${VALID_KEY}`;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Every operation of `document`. What it says is taken as it is; nothing here knows any operation by name. */
export function operationsIn(document: JsonObject): Operation[] {
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, entry]) => {
    const item = dereferenced(entry, document);
    const methods = METHODS.filter((method) => isObject(item[method]));
    const names = methods.map((method) => method.toUpperCase());
    const allow = [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
    return methods.map((method): Operation => {
      const { definition, parameters } = describedOperation(document, { method, path });
      const security = definition['security'] ?? document['security'];
      return {
        id: String(definition['operationId']),
        method: method.toUpperCase(),
        path: basePath + path,
        parameters: parametersOf(parameters),
        body: bodyOf(definition['requestBody'], document),
        statuses: Object.keys(objectAt(definition, 'responses')).map(Number),
        ...keyHeadersOf(security, document),
        secured:
          Array.isArray(security) &&
          security.length > 0 &&
          security.every((each) => Object.keys(each as object).length > 0),
        allow,
      };
    });
  });
}

/** One for each place and name: a parameter of the operation stands for that of its path (OpenAPI 3.1 §4.8.10.1). */
function parametersOf(parameters: readonly Described[]): Parameter[] {
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()].map((each) => ({
    ...each,
    joined: each.schema['type'] === 'array' && !each.explode,
  }));
}

function keyHeadersOf(
  security: unknown,
  document: JsonObject,
): Pick<Operation, 'keyHeaders' | 'wantsBearer'> {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const alternatives = (security as object[]).map((each) => Object.keys(each));
  const [names = []] = alternatives.filter(({ length }) => length > 0);
  const credentials = names.map((name): Header => {
    const { type, scheme, name: header } = objectAt(schemes, name);
    if (type === 'apiKey') return [String(header), VALID_KEY];
    return ['Authorization', /basic/i.test(String(scheme)) ? `Basic ${PASSWORD}` : BEARER];
  });
  return {
    keyHeaders: credentials.length > 0 ? credentials : [['Authorization', BEARER]],
    wantsBearer: alternatives.length === 1 && credentials.every(([, value]) => value === BEARER),
  };
}

function bodyOf(entry: unknown, document: JsonObject): Operation['body'] {
  if (entry === undefined) return undefined;
  const body = dereferenced(entry, document);
  const media = objectAt(objectAt(body, 'content'), 'application/json');
  // What stands in replies only is refused; what has a default may be left out.
  const schema = schemaIn('sent', dereferenced(media['schema'], document), {
    resolve: (child) => dereferenced(child, document),
  });
  return { schema: isObject(schema) ? schema : {}, required: body['required'] === true };
}
