import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ServiceNames, clientNames } from '@contract-kit/core';
import {
  type MakeError,
  errorsOf,
  pipelineErrors,
  NO_REQUEST_ID,
  fakeErrorsOf,
} from '@contract-kit/core/errors';
import { isSafe } from '@contract-kit/core/http';
import { WELL_FORMED_REQUEST_ID } from '../http/headers.ts';
import { messageLimit } from '../http/message-limit.ts';
import type { SourceDocument } from '@contract-kit/core/openapi';
import { basePathOf } from '@contract-kit/core/model';
import { streamsInNginx } from './stream-locations.ts';

const folder = path.resolve(import.meta.dirname, '../../templates');
const ENDING = '.tmpl';

/** What pages and deploy files say of a setting. */
export interface ShownSetting {
  readonly description?: string;
  readonly fallback?: string;
  readonly isRequired?: boolean;
  /** What a value must be. */
  readonly want?: string;
}

export type ShownSettings = Readonly<Record<string, ShownSetting>>;

/** The values of a service in the templates. */
export type TemplateValues = Readonly<Record<string, string>>;

/** Those of a published contract. */
export function templateValues(
  contract: SourceDocument,
  { name, keyPrefix, databaseFile }: ServiceNames,
  errorBody?: MakeError,
  settings: ShownSettings = {},
): TemplateValues {
  const { factory, keyVariable } = clientNames(name);
  const { model } = contract;
  const { operations } = model;
  const limits = operations.map(({ body }) => body?.limit ?? 0);
  const bodyLimit = messageLimit(Math.max(0, ...limits));
  const sends = (code: string) =>
    operations.some((operation) => errorsOf(operation, model).some((error) => error.code === code));
  /** The bodies of nginx's errors by code, with other messages if they are given. */
  const textsOf = (messages?: Readonly<Record<string, string>>) => {
    const errors = Object.entries(fakeErrorsOf(model, errorBody, messages));
    return Object.fromEntries(errors.map(([code, { body }]) => [code, inNginx(body)]));
  };
  const { type = '' } = fakeErrorsOf(model, errorBody)['not_found'] ?? {};
  // A contract without bodies has no response for one that is too large.
  const tooLargeCode = sends('payload_too_large') ? 'payload_too_large' : 'invalid_request';
  const [plan] = Object.keys((contract.document['x-rate-limit-plans'] ?? {}) as object);
  const changes = operations.filter(({ method }) => !isSafe(method));
  return {
    ...settingValues(settings),
    name,
    keyPrefix,
    databaseFile,
    plan: plan === undefined ? '' : ` --plan ${plan}`,
    bodyLimit: String(bodyLimit),
    ...streamsInNginx(operations, {
      name,
      basePath: basePathOf(contract.document.servers?.[0] ?? { url: '/' }),
    }),
    ...textsOf(),
    errorType: type === 'application/json' ? `${type}; charset=utf-8` : type,
    tooLargeStatus: String(pipelineErrors[tooLargeCode].status),
    tooLarge:
      textsOf({ [tooLargeCode]: `The body must have at most ${bodyLimit} bytes.` })[tooLargeCode] ?? '',
    httpsRequired:
      textsOf({ invalid_request: 'This port requires HTTPS. Use an address that begins with https://.' })[
        'invalid_request'
      ] ?? '',
    pascal: factory.replace(/^create/, ''),
    env: keyVariable.replace(/_API_KEY$/, ''),
    // Metric names have no hyphens.
    metric: name.replaceAll('-', '_'),
    // Also if it is percent-encoded, once or several times.
    keyPrefixPattern: [...keyPrefix]
      .map((character) => `(${character}|%(25)*${character.charCodeAt(0).toString(16)})`)
      .join(''),
    // Between its anchors, one of which follows a condition.
    requestId: WELL_FORMED_REQUEST_ID.source.slice(1),
    changes: (changes.length > 0 ? changes : operations).map(({ id }) => id).join('|'),
  };
}

/** A text between single quotes in nginx.conf, where `$` begins a variable, also after a backslash. */
function inNginx(text: string): string {
  const escaped = text.replaceAll('$', '\\u0024').replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  return escaped.replaceAll(NO_REQUEST_ID, '${answered_id}');
}

/** The values of settings in the templates of deploy files. */
function settingValues(settings: ShownSettings) {
  const entries = Object.entries(settings);
  const inCompose = entries.map(([name, { isRequired }]) => {
    return `\n    ${name}: \${${name}:${isRequired ? '?is required' : '-'}}`;
  });
  const required = entries.flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
  return {
    settings: inCompose.join(''),
    requiredSettings: required.length === 0 ? '' : `; it must have ${required.join(', ')}`,
  };
}

/** The files for operators, and their pages, by their names from the root of a repository. */
export const deployFiles = (values: TemplateValues): Promise<Record<string, string>> =>
  renderFolder(folder, values);

/** The files that the templates in `templates` make, by their names from there. */
export async function renderFolder(
  templates: string,
  values: TemplateValues,
): Promise<Record<string, string>> {
  const names = (await readdir(templates, { recursive: true }))
    .filter((name) => name.endsWith(ENDING))
    .sort();
  const files = names.map(async (name): Promise<[string, string]> => {
    const text = await readFile(path.join(templates, name), 'utf8');
    return [filled(name.slice(0, -ENDING.length), values), filled(text, values)];
  });
  return Object.fromEntries(await Promise.all(files));
}

/** `text` with values for names such as `{{name}}`. Other braces, such as those of alerts, stay. */
function filled(text: string, values: TemplateValues): string {
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place);
}
