import type { Contract } from '@contract-kit/core';
import { operationsOf, type Document, type Link } from './openapi.ts';
import { samplesOf } from './samples.ts';

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The contract as served at `own`: with that server first, and code samples. */
export function servedDocument(contract: Contract, own: Link): Document {
  const copy = structuredClone(contract.document) as unknown as Document;
  const others = copy.servers.filter(({ url }) => url !== own.url && !isLocal(url));
  const document: Document = { ...copy, servers: [own, ...others] };
  for (const operation of operationsOf(document)) {
    const samples = { 'x-codeSamples': samplesOf(contract, document, operation) };
    Object.assign(document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {}, samples);
  }
  return document;
}

/** A relative address also means this server. */
function isLocal(url: string): boolean {
  return !URL.canParse(url) || LOOPBACK.test(new URL(url).hostname);
}
