import { exampleOf } from '@kit/contract/shown-example';
import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { sampleSources, type SampleNames, type SampleRequest } from './browser/samples.js';
import {
  credentialOf,
  operationsOf,
  type Document,
  type Link,
  type Operation,
  type Sample,
} from './openapi.ts';

const LANGUAGES = { curl: 'shell', TypeScript: 'typescript', fetch: 'javascript', Python: 'python' };

/** What can be pasted to call each operation, by its operationId, as `x-codeSamples` lists it. */
export function samplesOf(contract: Contract, document: Document): ReadonlyMap<string, readonly Sample[]> {
  const names = sampleNames(contract);
  return new Map(
    operationsOf(document).map((operation) => {
      const sources = sampleSources(requestOf(contract, document, operation), names);
      const samples = Object.entries(LANGUAGES).map(([label, lang]) => ({
        lang,
        label,
        source: sources[label as keyof typeof LANGUAGES],
      }));
      return [operation.operationId, samples];
    }),
  );
}

/** What samples call the client and what they leave out. */
export function sampleNames({ name, document }: Contract): SampleNames {
  const { package: packageName, factory, variable, keyVariable } = clientNames(name);
  const servers = document['servers'] as readonly Link[];
  const production = servers.find(({ description = '' }) => description.startsWith('Production'));
  return { package: packageName, factory, variable, keyVariable, defaultBase: production?.url ?? '' };
}

/** The request that the contract's examples make of an operation. */
export function requestOf(contract: Contract, document: Document, operation: Operation): SampleRequest {
  const { operationId: id, method, path, parameters, requestBody, alternatives, responses } = operation;
  const media = requestBody?.content['application/json'];
  const [[, success] = []] = Object.entries(responses).filter(([status]) => status < '300');
  return {
    id,
    method,
    base: document.servers[0]?.url ?? '',
    path,
    parameters: parameters
      .filter(({ required }) => required)
      .map((each) => ({
        name: each.name,
        in: each.in,
        value: exampleOf(document, each),
        explode: each.explode !== false,
      })),
    credentials: (alternatives[0] ?? [])
      .flatMap((name) => document.components?.securitySchemes?.[name] ?? [])
      .map(credentialOf),
    body: media && exampleOf(document, media),
    isFlat: contract.operations[id]?.body === 'fields',
    answersJson: success?.content?.['application/json'] !== undefined,
  };
}
