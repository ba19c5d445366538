import type { Contract } from '@kit/contract';
import type { Schema } from '@kit/contract/shown-example';
import type { OperationObject, Document, Link } from './openapi.ts';
import { samplesOf } from './samples.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The contract as it is served at `own`: that server first, code samples, and no schema called Error. */
export function servedDocument(contract: Contract, own: Link): Document {
  const references = JSON.stringify(contract.document).replaceAll('/schemas/Error"', '/schemas/ErrorBody"');
  const whole = JSON.parse(references) as Document;
  const others = whole.servers.filter(({ url }) => url !== own.url && !LOOPBACK.test(new URL(url).hostname));
  const { Error: error = {}, ...schemas } = whole.components.schemas;
  const document: Document = {
    ...whole,
    servers: [own, ...others],
    components: { ...whole.components, schemas: { ...schemas, ErrorBody: errorBody(whole, error) } },
  };
  const samples = samplesOf(contract, document);
  const withSamples = (entry: OperationObject) => {
    const known = samples.get(entry.operationId);
    return known ? { ...entry, 'x-codeSamples': known } : entry;
  };
  return { ...document, paths: mapValues(document.paths, (item) => mapValues(item, withSamples)) };
}

function mapValues<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

/** The title is the specification's; GitBook reads what each code means from `x-enumDescriptions`. */
function errorBody(document: Document, error: Schema): Schema {
  const { code, ...properties } = error.properties ?? {};
  const meanings = mapValues(document['x-error-codes'], ({ description }) => description);
  return {
    title: 'Error',
    ...error,
    properties: { code: { ...code, 'x-enumDescriptions': meanings }, ...properties },
  };
}
