import {
  dereferenced,
  describedOperation,
  methodsOf,
  objectAt,
  type Parameter,
} from '@kit/contract/described-operation';
import { isObject, type JsonObject } from '@kit/contract/json-pointer';
import { componentsIn, schemaIn } from '@kit/contract/schema-view';

export type Header = readonly [name: string, value: string];

/** An operation as the contract describes it, as far as requests can be made from it. */
export interface Operation {
  /** The contract, where schemas say what may be sent: what stands in responses only is refused. */
  readonly document: JsonObject;
  readonly definition: JsonObject;
  readonly id: string;
  readonly method: string;
  /** What every path of the contract begins with. */
  readonly basePath: string;
  /** The template of its path, base path included. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: JsonObject; readonly required: boolean } | undefined;
  readonly statuses: readonly number[];
  /** The headers that let `key` in, by each alternative of its security; one without any is open to everyone. */
  readonly alternatives: readonly ((key: string) => Header[])[];
  /** Whether it wants a key. */
  readonly secured: boolean;
  /** Whether a bearer token is the only way in. */
  readonly wantsBearer: boolean;
  /** The methods that its path has: RFC 9110 §9.3.2 adds HEAD to GET, §9.3.7 adds OPTIONS. */
  readonly allow: readonly string[];
}

/** Every operation of `contract`. What it says is taken as it is; nothing here knows any operation by name. */
export function operationsIn(contract: JsonObject, basePath: string): Operation[] {
  const components = { ...objectAt(contract, 'components'), ...componentsIn('sent', contract) };
  const document: JsonObject = { ...contract, components };
  const schemes = objectAt(components, 'securitySchemes');
  return Object.entries(objectAt(document, 'paths')).flatMap(([path, entry]) => {
    const item = dereferenced(entry, document);
    const methods = methodsOf(item);
    const names = methods.map((method) => method.toUpperCase());
    return methods.map((method): Operation => {
      const { definition, parameters } = describedOperation(document, { method, path });
      const security = (definition['security'] ?? document['security']) as object[];
      const kinds = security.map((each) => Object.keys(each).map((name) => objectAt(schemes, name)));
      return {
        document,
        definition,
        id: String(definition['operationId']),
        method: method.toUpperCase(),
        basePath,
        path: basePath + path,
        parameters,
        body: bodyOf(definition['requestBody'], document),
        statuses: Object.keys(objectAt(definition, 'responses')).map(Number),
        alternatives: kinds.map((all) => (key) => all.map((scheme) => credentialOf(scheme, key))),
        secured: kinds.length > 0 && kinds.every(({ length }) => length > 0),
        wantsBearer:
          kinds.length === 1 && kinds.flat().every(({ scheme }) => /^bearer$/i.test(String(scheme))),
        allow: [...new Set([...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])],
      };
    });
  });
}

/** In HTTP Basic the key is the password of whomever (RFC 7617 §2). */
function credentialOf({ type, scheme, name }: JsonObject, key: string): Header {
  if (type === 'apiKey') return [String(name), key];
  const isBasic = /^basic$/i.test(String(scheme));
  return ['Authorization', isBasic ? `Basic ${Buffer.from(`:${key}`).toString('base64')}` : `Bearer ${key}`];
}

function bodyOf(entry: unknown, document: JsonObject): Operation['body'] {
  if (entry === undefined) return undefined;
  const body = dereferenced(entry, document);
  const media = objectAt(objectAt(body, 'content'), 'application/json');
  const schema = schemaIn('sent', dereferenced(media['schema'], document), {
    resolve: (child) => dereferenced(child, document),
  });
  return { schema: isObject(schema) ? schema : {}, required: body['required'] === true };
}
