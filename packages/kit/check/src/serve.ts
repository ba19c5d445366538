import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Contract, ServiceNames } from '@kit/contract';
import { keyText } from '@kit/contract/credential';
import { modelOf } from '@kit/contract/model';
import { isObject } from '@kit/contract/json-pointer';
import { exampleOf } from '@kit/contract/shown-example';
import { errorBodiesOf, startForCheck } from '@kit/server/checking';
import { completed } from '@kit/tools/complete';
import { contractOf } from '@kit/tools/contract-value';
import { operationsOf } from '@kit/tools/operations';
import { lineOf, type Pointer, type SourceDocument } from '@kit/tools/source-document';

const UNFILLED =
  'no error that the server sends fits this response: describe its errors so that they can be made';

/**
 * Starts a server of the contract of `file` whose handlers return examples, and sends it one request per operation.
 * Returns the undeclared responses, with the places of their operations.
 */
export async function serveFile(
  file: string,
  source: SourceDocument,
  names: ServiceNames,
): Promise<string[]> {
  const contract = contractOf(source, names);
  const pointers = operationsOf(completed(source)).map(({ id, pointer }) => [id, pointer] as const);
  const lineAt = (pointer: Pointer, message: string) => lineOf(source.problemAt(pointer, message), file);
  try {
    const { unfilled } = errorBodiesOf(contract);
    if (unfilled.length > 0) {
      const places = unfilled.map(({ operationId, response }) => {
        return [...(new Map(pointers).get(operationId) ?? []), 'responses', response];
      });
      // The others take their shape from one that the author has declared.
      const declared = places.filter((pointer) => source.valueAt(pointer) !== undefined);
      const lines = (declared.length > 0 ? declared : places).map((pointer) => lineAt(pointer, UNFILLED));
      return [...new Set(lines)];
    }
    const wrong = await undeclaredBy(contract);
    return pointers.flatMap(([id, pointer]) => {
      const message = wrong.get(id);
      return message === undefined ? [] : [lineAt(pointer, message)];
    });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return [`${file}:1:1: cannot start a server from it: ${reason}`];
  }
}

/** The undeclared responses of a server, by operation. */
async function undeclaredBy(contract: Contract): Promise<Map<string, string>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'contract-check-'));
  const { examples } = contract;
  const handlerOf = (id: string) => () => examples[id] ?? { status: 204 };
  const service = await startForCheck(contract, { dataDir, handlerOf });
  const wrong = new Map<string, string>();
  try {
    for (const [id, operation] of Object.entries(contract.operations)) {
      // fetch sends no TRACE.
      if (operation.method === 'TRACE') continue;
      const { url, init } = requestOf(contract, operation, service.key);
      const response = await fetch(service.origin + url, init);
      const text = await response.text();
      // No valid example can be made: the response is not checked.
      if (response.status === 500 && !examples[id]) continue;
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

function requestOf({ document, basePath }: Contract, operation: Contract['operations'][string], key: string) {
  const { body: requestBody, parameters } = modelOf(document).operationAt(operation);
  const required = parameters.filter((parameter) => parameter.required);
  const valueOf = (item: (typeof required)[number]) => {
    const value = exampleOf(document, item);
    return [value].flat().map((item) => (isObject(item) ? JSON.stringify(item) : String(item)));
  };
  const at = (place: string) => required.filter((parameter) => parameter.in === place);
  let url = basePath + operation.path;
  for (const parameter of at('path'))
    url = url.replace(`{${parameter.name}}`, encodeURIComponent(valueOf(parameter).join()));
  const query = new URLSearchParams(
    at('query').flatMap((parameter) =>
      valueOf(parameter).map((value): [string, string] => [parameter.name, value]),
    ),
  );
  for (const name of operation.queryCredentials ?? []) query.set(name, key);
  const headers = new Headers();
  for (const parameter of at('header')) headers.set(parameter.name, valueOf(parameter).join());
  const credentials = operation.credentials ?? { Authorization: 'Bearer' };
  for (const [name, prefix] of Object.entries(credentials)) headers.set(name, keyText(prefix, key));
  const media = requestBody?.media.kind === 'json' ? requestBody.media : undefined;
  if (media) headers.set('Content-Type', media.type.includes('*') ? 'application/json' : media.type);
  const body = media && JSON.stringify(exampleOf(document, media) ?? null);
  const search = query.size > 0 ? `?${query.toString()}` : '';
  return {
    url: url + search,
    init: { method: operation.method, headers, ...(body !== undefined && { body }) },
  };
}
