import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Contract, ServiceNames } from '@kit/contract';
import { describedOperation, dereferenced, objectAt } from '@kit/contract/described-operation';
import { isObject } from '@kit/contract/json-pointer';
import { isJson, preferred } from '@kit/contract/media-type';
import { exampleOf, type WithExamples } from '@kit/contract/shown-example';
import { errorBodiesOf, responseValidatorsOf, startForCheck } from '@kit/server/checking';
import { completed } from '@kit/tools/complete';
import { contractOf } from '@kit/tools/contract-value';
import { operationsOf } from '@kit/tools/operations';
import { lineOf, readContract, type Json } from '@kit/tools/source-document';

/**
 * Starts a server of `contract` whose handlers return examples, sends it one request per operation, and returns
 * the undeclared responses, by operation.
 */
export async function serve(contract: Contract): Promise<Map<string, string>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'contract-check-'));
  const validatorFor = responseValidatorsOf(contract);
  const unanswered = new Set<string>();
  const handlers = Object.fromEntries(
    Object.entries(contract.operations).map(([id, operation]) => {
      const { definition } = describedOperation(contract.document, operation);
      const answers = [true, false].map((isAuthors) => successOf(contract, definition, isAuthors));
      // Bodies of other types are text without a schema.
      const fitting = answers.find(
        ({ status, body, isText }) =>
          isText || (validatorFor(id, status)?.checkBody(JSON.stringify(body ?? null)) ?? []).length === 0,
      );
      // No valid example can be made: the response is not checked.
      if (!fitting) unanswered.add(id);
      return [id, () => fitting ?? answers[0]];
    }),
  );
  const service = await startForCheck(contract, { dataDir, handlers });
  const wrong = new Map<string, string>();
  try {
    for (const [id, operation] of Object.entries(contract.operations)) {
      const { url, init } = requestOf(contract, operation, service.key);
      const response = await fetch(service.origin + url, init);
      const text = await response.text();
      if (response.status === 500 && unanswered.has(id)) continue;
      if (response.status >= 500 || response.status === 405 || response.status === 401)
        wrong.set(
          id,
          `${init.method} ${operation.path} is answered with ${response.status}: ${text.slice(0, 300)}`,
        );
    }
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
  return wrong;
}

const UNFILLED = (status: number) =>
  `no ${status} that the server sends fits this response: describe its errors so that they can be made`;

/** Serves the contract in `file`, and returns what is not answered as declared, with the place of the operation. */
export async function serveFile(file: string, names: ServiceNames): Promise<string[]> {
  const source = await readContract(file);
  const contract = contractOf(source, names);
  try {
    const { unfilled } = errorBodiesOf(contract);
    if (unfilled.length > 0) {
      const pointers = new Map(operationsOf(completed(source)).map(({ id, pointer }) => [id, pointer]));
      return unfilled.map(({ operationId, response, status }) =>
        lineOf(
          source.problemAt([...(pointers.get(operationId) ?? []), 'responses', response], UNFILLED(status)),
          file,
        ),
      );
    }
    const wrong = await serve(contract);
    return operationsOf(completed(source)).flatMap(({ id, pointer }) => {
      const message = wrong.get(id);
      return message === undefined ? [] : [lineOf(source.problemAt(pointer, message), file)];
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return [`${file}:1:1: cannot start a server from it: ${reason}`];
  }
}

/** The response of a handler that only knows the contract. */
function successOf({ document }: Contract, definition: Json, isAuthors: boolean): Json {
  const responses = Object.entries<Json>(definition.responses).toSorted(([a], [b]) => a.localeCompare(b));
  const [declared = '200', reference] =
    responses.find(([status]) => /^[2d]/.test(status)) ?? responses[0] ?? [];
  const status = Number(declared.replace('XX', '00')) || 200;
  const response = dereferenced(reference, document);
  const [type, media] = preferred(objectAt(response, 'content')) ?? [];
  const headers = Object.entries(objectAt(response, 'headers')).flatMap(([name, each]) => {
    const header = dereferenced(each, document);
    if (header['required'] !== true || /^x-ratelimit|^x-request-id$/i.test(name)) return [];
    return [[name, String(exampleOf(document, header))]];
  });
  const shown: Json = isAuthors ? media : { schema: (media as Json)?.schema };
  const isText = type === undefined || !isJson(type);
  const value = () => (isText ? 'text' : (exampleOf(document, shown, { view: 'response' }) ?? null));
  const body = type === undefined ? {} : { body: value() };
  return { status, headers: Object.fromEntries(headers), ...body, isText };
}

function requestOf({ document, basePath }: Contract, operation: Contract['operations'][string], key: string) {
  const { definition, parameters } = describedOperation(document, operation);
  const required = parameters.filter((each) => each.required);
  const valueOf = (each: (typeof required)[number]) => {
    const value = exampleOf(document, each);
    return [value].flat().map((item) => (isObject(item) ? JSON.stringify(item) : String(item)));
  };
  const at = (place: string) => required.filter((each) => each.in === place);
  let url = basePath + operation.path;
  for (const each of at('path'))
    url = url.replace(`{${each.name}}`, encodeURIComponent(valueOf(each).join()));
  const query = new URLSearchParams(
    at('query').flatMap((each) => valueOf(each).map((value): [string, string] => [each.name, value])),
  );
  for (const name of operation.queryCredentials ?? []) query.set(name, key);
  const headers = new Headers();
  for (const each of at('header')) headers.set(each.name, valueOf(each).join());
  const credentials = operation.credentials ?? { Authorization: 'Bearer' };
  for (const [name, scheme] of Object.entries(credentials)) {
    const value = scheme === 'Basic' ? Buffer.from(`:${key}`).toString('base64') : key;
    headers.set(name, scheme ? `${scheme} ${value}` : value);
  }
  const [type, media] =
    preferred(objectAt(dereferenced(definition['requestBody'], document), 'content')) ?? [];
  const isSent = type !== undefined && isJson(type);
  if (isSent) headers.set('Content-Type', type.includes('*') ? 'application/json' : type);
  const body = isSent ? JSON.stringify(exampleOf(document, media as WithExamples) ?? null) : undefined;
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return {
    url: url + search,
    init: { method: operation.method, headers, ...(body !== undefined && { body }) },
  };
}
