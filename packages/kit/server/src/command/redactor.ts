import type { Contract } from '@contract-kit/core';
import { schemesIn } from '@contract-kit/core/model';
import { secretsIn } from '../config.ts';
import type { ServiceDefinition } from '../feature.ts';
import { apiKeyFormat } from '../keys/api-key.ts';
import { schemesOf } from '../pipeline/schemes.ts';

const JSON_STRING = /"(?:[^"\\]|\\.)*"/g;
/** A member whose value is text, or a list of texts. */
const JSON_MEMBER = /"([\w-]+)":(?:"(?:[^"\\]|\\.)*"|\[(?:"(?:[^"\\]|\\.)*",?)+\])/g;

/** Headers with credentials, whatever their form is. */
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/**
 * Removes API keys, the secret settings in the environment, and credentials in headers and queries, from what a service
 * prints.
 */
export function redactorFor({ contract, settings }: Pick<ServiceDefinition, 'contract' | 'settings'>) {
  const keyFormat = apiKeyFormat(contract.keyPrefix);
  const secrets = secretsIn(settings);
  const headers = new Set([...SECRET_HEADERS, ...namesOfKeys(contract, 'header')]);
  const inQuery = namesOfKeys(contract, 'query').map((name) => name.replaceAll(/\W/g, '\\$&'));
  /** Others than API keys too, in a URL that a middleware logs. */
  const credential =
    inQuery.length > 0 ? new RegExp(`([?&](?:${inQuery.join('|')})=)[^&#\\s]+`, 'gi') : undefined;
  const redact = (text: string): string =>
    secrets.reduce(
      (rest, secret) => rest.replaceAll(secret, '[secret]'),
      keyFormat.redact(credential ? text.replaceAll(credential, '$1[secret]') : text),
    );
  return {
    redact,
    /** The same for a line of JSON, which stays JSON. */
    redactLine: (line: string): string =>
      line
        .replace(JSON_MEMBER, (member, name: string) =>
          headers.has(name.toLowerCase()) ? `"${name}":"[secret]"` : member,
        )
        .replace(JSON_STRING, (token) => {
          const text = JSON.parse(token) as string;
          const shown = redact(text);
          return shown === text ? token : JSON.stringify(shown);
        }),
  };
}

function namesOfKeys({ document }: Pick<Contract, 'document'>, place: 'header' | 'query'): string[] {
  return [...schemesOf({ schemes: schemesIn(document) }).values()]
    .filter((scheme) => scheme.in === place)
    .map(({ name }) => name.toLowerCase());
}
