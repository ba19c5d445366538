import type { Contract } from '@kit/contract';
import type { JsonObject } from '@kit/contract/json-pointer';
import type { Schema } from '@kit/contract/shown-example';
import type { OperationObject, Document, Link } from './openapi.ts';
import { samplesOf } from './samples.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The contract as served at `own`: with that server first, code samples, and no schema called Error. */
export function servedDocument(contract: Contract, own: Link): Document {
  const whole = withErrorBody(contract.document);
  const others = whole.servers.filter(({ url }) => url !== own.url && !isLocal(url));
  const document: Document = { ...whole, servers: [own, ...others] };
  const samples = samplesOf(contract, document);
  const withSamples = (entry: OperationObject, method: string, path: string) => {
    const known = samples.get(`${method.toUpperCase()} ${path}`);
    return known ? { ...entry, 'x-codeSamples': known } : entry;
  };
  const paths = mapValues(document.paths, (item, path) =>
    mapValues(item, (entry, method) => withSamples(entry, method, path)),
  );
  return { ...document, paths };
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

/** The schema Error under another name, with the meanings of its codes. */
function withErrorBody(document: JsonObject): Document {
  const whole = document as unknown as Document;
  const { Error: error } = whole.components?.schemas ?? {};
  if (!error || !whole['x-error-codes']) return whole;
  const references = JSON.stringify(document).replaceAll('/schemas/Error"', '/schemas/ErrorBody"');
  const renamed = JSON.parse(references) as Document;
  const { Error: plain = {}, ...schemas } = renamed.components?.schemas ?? {};
  const components = { ...renamed.components, schemas: { ...schemas, ErrorBody: errorBody(renamed, plain) } };
  return { ...renamed, components };
}

/** A relative address also means this server. */
function isLocal(url: string): boolean {
  return !URL.canParse(url) || LOOPBACK.test(new URL(url).hostname);
}

/** GitBook reads the meaning of each code from `x-enumDescriptions`. */
function errorBody(document: Document, error: Schema): Schema {
  const { code, ...properties } = error.properties ?? {};
  const meanings = mapValues(document['x-error-codes'] ?? {}, ({ description }) => description);
  return {
    title: 'Error',
    ...error,
    properties: { code: { ...code, 'x-enumDescriptions': meanings }, ...properties },
  };
}
