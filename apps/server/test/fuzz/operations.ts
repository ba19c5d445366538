import { basePath } from '@petstore/contract';
import { isObject, resolve, type JsonObject } from '@petstore/contract/json-pointer';
import { schemaIn } from '@petstore/contract/schema-view';
import { PASSWORD, VALID_KEY, type Header } from './credentials.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /** Without references, its items too. */
  readonly schema: JsonObject;
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
    const item = dereference(entry, document);
    const methods = METHODS.filter((method) => isObject(item[method]));
    const names = methods.map((method) => method.toUpperCase());
    const allow = [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])];
    return methods.map((method): Operation => {
      const definition = objectAt(item, method);
      const security = definition['security'] ?? document['security'];
      return {
        id: String(definition['operationId']),
        method: method.toUpperCase(),
        path: basePath + path,
        parameters: parametersIn(
          [...listAt(item, 'parameters'), ...listAt(definition, 'parameters')],
          document,
        ),
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
function parametersIn(entries: readonly unknown[], document: JsonObject): Parameter[] {
  const parameters = entries.map((each) => parameterOf(each, document));
  return [...new Map(parameters.map((each) => [`${each.in} ${each.name}`, each])).values()];
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

function parameterOf(entry: unknown, document: JsonObject): Parameter {
  const parameter = dereference(entry, document);
  const { items, ...schema } = dereference(parameter['schema'], document);
  return {
    name: String(parameter['name']),
    in: String(parameter['in']),
    required: parameter['required'] === true,
    schema: items === undefined ? schema : { ...schema, items: dereference(items, document) },
    joined: schema['type'] === 'array' && parameter['explode'] === false,
  };
}

function bodyOf(entry: unknown, document: JsonObject): Operation['body'] {
  if (entry === undefined) return undefined;
  const body = dereference(entry, document);
  const media = objectAt(objectAt(body, 'content'), 'application/json');
  // What stands in replies only is refused; what has a default may be left out.
  const schema = schemaIn('sent', dereference(media['schema'], document), {
    resolve: (child) => dereference(child, document),
  });
  return { schema: isObject(schema) ? schema : {}, required: body['required'] === true };
}

/** What `value` is once its references are followed; an empty object where it is none. */
export function dereference(value: unknown, document: JsonObject): JsonObject {
  let target = value;
  for (let hops = 0; hops < 32 && isObject(target) && typeof target['$ref'] === 'string'; hops += 1) {
    target = resolve(document, target['$ref']);
  }
  return isObject(target) ? target : {};
}

export function objectAt(value: JsonObject, key: string): JsonObject {
  const child = value[key];
  return isObject(child) ? child : {};
}

function listAt(value: JsonObject, key: string): unknown[] {
  const child = value[key];
  return Array.isArray(child) ? child : [];
}
