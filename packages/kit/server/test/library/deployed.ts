import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts, startNginx, type Program } from '@contract-kit/test-support';
import { newFolder } from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import type { ServiceNames } from '@contract-kit/core';
import { deployFiles, templateValues } from '../../src/deploy/templates.ts';
import type { ErrorBodyMaker } from '../../src/index.ts';
import { contract } from './contract.ts';

/** Programs of the suite, which end with it. */
export const programs: Program[] = [];

afterAll(() => Promise.all(programs.map((program) => program.end('SIGTERM'))));

/** Writes the generated files of a contract. `files` are their contents, by their names from `folder`. */
export async function renderDeploy(text: string, names: ServiceNames, errorBody?: ErrorBodyMaker) {
  const folder = newFolder();
  chmodSync(folder, 0o711);
  const files = await deployFiles(templateValues(parseContract(text), names, errorBody));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
  }
  return { folder, files, deploy: path.join(folder, 'deploy') };
}

/** Starts nginx with the generated files of a contract, in front of the service at `origin`, or on these ports. */
export async function deployFor(
  origin: string | number[],
  text: string,
  names: ServiceNames,
  { lines = '', errorBody }: { readonly lines?: string; readonly errorBody?: ErrorBodyMaker } = {},
) {
  const { folder, files, deploy } = await renderDeploy(text, names, errorBody);
  const [port = 0, portOfClosed = 0, ...down] = await freePorts(4);
  const instances = typeof origin === 'string' ? [...down, Number(new URL(origin).port)] : origin;
  const nginx = await startNginx({ folder: path.join(folder, 'one'), port, instances, deploy, lines });
  programs.push(
    nginx,
    await startNginx({ folder: path.join(folder, 'none'), port: portOfClosed, instances: down, deploy }),
  );
  return {
    folder,
    /** The rendered files, by their names from the root. */
    files,
    deploy,
    /** The nginx with one instance, in the folder `one`. */
    nginx,
    /** The address of an nginx with one instance, and two that are down. */
    entry: `http://127.0.0.1:${port}`,
    /** The address of an nginx whose instances are all down. */
    closed: `http://127.0.0.1:${portOfClosed}`,
  };
}

/** Expects an error as in the contract, without the X-RateLimit headers, which only an instance knows. */
export async function expectRefusal(response: Response, code: string): Promise<void> {
  const codes = contract.document['x-error-codes'] as Record<string, { status: number }>;
  const status = codes[code]?.status;
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('x-request-id')).toMatch(/./);
  expect(await response.json()).toEqual({ code, status, message: expect.any(String) as string });
}
