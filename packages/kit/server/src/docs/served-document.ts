import type { Contract } from '@kit/contract';
import type { Schema } from '@kit/contract/shown-example';
import { operationsOf, type Document, type Link } from './openapi.ts';
import { samplesOf } from './samples.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The contract as served at `own`: with that server first, code samples, and no schema called Error. */
export function servedDocument(contract: Contract, own: Link): Document {
  const copy = copyOf(contract);
  const others = copy.servers.filter(({ url }) => url !== own.url && !isLocal(url));
  const document: Document = { ...copy, servers: [own, ...others] };
  for (const operation of operationsOf(contract, document)) {
    const samples = { 'x-codeSamples': samplesOf(contract, document, operation) };
    Object.assign(document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {}, samples);
  }
  return document;
}

/** A copy of the document, in which the schema of all errors is called ErrorBody. */
function copyOf({ document }: Contract): Document {
  const copy = JSON.stringify(document);
  const whole = JSON.parse(copy.replaceAll('/schemas/Error"', '/schemas/ErrorBody"')) as Document;
  const { Error, ...schemas } = whole.components?.schemas ?? {};
  if (!Error || !whole['x-error-codes']) return JSON.parse(copy) as Document;
  const ErrorBody: Schema = { title: 'Error', ...Error };
  return { ...whole, components: { ...whole.components, schemas: { ...schemas, ErrorBody } } };
}

/** A relative address also means this server. */
function isLocal(url: string): boolean {
  return !URL.canParse(url) || LOOPBACK.test(new URL(url).hostname);
}
