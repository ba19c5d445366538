import type { Operation } from '@kit/contract';
import { describedOperation, dereferenced, objectAt } from '@kit/contract/described-operation';
import { exampleOf, type WithExamples } from '@kit/contract/shown-example';
import type { ServiceDefinition } from '../../src/feature.ts';
import { notYet } from '../../src/pipeline/dispatch.ts';
import { toolsOf } from './service.ts';
import { shared } from './shared.ts';

/**
 * Tests of any service: each operation is called as the contract shows it. Responses are held against the contract, so
 * that one which breaks it is a 500.
 */
export function describeService(definition: ServiceDefinition): void {
  const { contract } = definition;
  const { document, operations, plans } = contract;
  const tools = toolsOf(definition);
  const serve =
    (options: { readonly showsExamples?: boolean; readonly handlers?: Record<string, unknown> }) =>
    async () => {
      const service = await tools.startTestService(options);
      return { ...service, ownKey: await service.key(Object.keys(plans)[0]) };
    };
  const service = shared(serve({ showsExamples: true }));
  const ids = Object.keys(operations);
  const operationOf = (id: string) => operations[id] as Operation;

  test.each(ids)('%s answers as the contract declares', async (id) => {
    const { request, ownKey } = service;
    const { target, init } = requestOf(document, contract.basePath, operationOf(id), ownKey);
    const response = await request(target, init);
    const text = await response.text();
    if (response.status >= 500) expect([response.status, text]).toEqual([501, expect.anything()]);
  });

  const secured = ids.filter((id) => operationOf(id).anonymous !== true);
  if (secured.length > 0)
    test.each(secured)('%s needs a key', async (id) => {
      const { target, init } = requestOf(document, contract.basePath, operationOf(id));
      expect((await service.request(target, init)).status).toBe(401);
    });

  test('there is nothing at a path that the contract does not have', async () => {
    const base = contract.basePath.replace(/\/$/, '');
    expect((await service.request(`${base}/no/such/path/at/all`)).status).toBe(404);
  });

  test('an operation that is not implemented answers 501 in production', async () => {
    const handlers = Object.fromEntries(ids.map((id) => [id, notYet]));
    const unfinished = await serve({ handlers })();
    const answered = ids.map(async (id) => {
      const { target, init } = requestOf(document, contract.basePath, operationOf(id), unfinished.ownKey);
      return (await unfinished.request(target, init)).status;
    });
    expect((await Promise.all(answered)).filter((status) => status < 400 || status === 500)).toEqual([]);
  });
}

/** A request for an operation, of the examples of the contract. */
function requestOf(
  document: object,
  basePath: string,
  { method, path, credentials }: Operation,
  key?: string,
) {
  const { definition, parameters } = describedOperation(document as Record<string, unknown>, {
    method,
    path,
  });
  const valueOf = (schema: WithExamples) => String(exampleOf(document, schema));
  const needed = parameters.filter(({ required }) => required);
  const inPath = needed.filter((each) => each.in === 'path');
  const written = inPath.reduce(
    (text, each) => text.replace(`{${each.name}}`, encodeURIComponent(valueOf(each))),
    path,
  );
  const query = new URLSearchParams(
    needed.filter((each) => each.in === 'query').map((each): [string, string] => [each.name, valueOf(each)]),
  );
  const headers: Record<string, string> = {};
  for (const each of needed.filter(({ in: place }) => place === 'header')) headers[each.name] = valueOf(each);
  for (const [name, scheme] of Object.entries(
    key === undefined ? {} : (credentials ?? { Authorization: 'Bearer' }),
  )) {
    const value = scheme === 'Basic' ? Buffer.from(`:${key}`).toString('base64') : (key ?? '');
    headers[name] = `${scheme} ${value}`.trim();
  }
  const content = objectAt(dereferenced(definition['requestBody'], document), 'content');
  const media = content['application/json'] as WithExamples | undefined;
  if (media) headers['content-type'] = 'application/json';
  return {
    target: `${basePath.replace(/\/$/, '')}${written}${query.size > 0 ? `?${query.toString()}` : ''}`,
    init: { method, headers, ...(media && { body: JSON.stringify(exampleOf(document, media)) }) },
  };
}
