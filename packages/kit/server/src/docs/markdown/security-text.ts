import { credentialOf, credentialWordOf, type SecurityScheme } from '@contract-kit/core/http';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { objectAt, type Requirement } from '@contract-kit/core/model';
import { codeText, type FieldRow } from './fields.ts';
import { joined, linkText, sentencesOf, tableText, tableOf } from './blocks.ts';
import { alternativesOf, type Operation } from '../openapi.ts';
import type { Served } from '../served.ts';

/* Security as Markdown. */

/** All schemes of the contract: how each is sent, and for OAuth where tokens come from and what scopes allow. */
export function schemesText(served: Served): string {
  const schemes = [...served.model.schemes];
  const rows = schemes.map(([name, scheme]): FieldRow & { readonly id: string } => ({
    id: idOfScheme(name),
    name,
    required: false,
    type: kindOf(scheme),
    meaning: meaningOf(served, name, scheme),
  }));
  return joined([
    tableOf('Scheme', rows),
    ...schemes.flatMap(([name, scheme]) => [flowsText(name, scheme), scopesText(name, scheme)]),
  ]);
}

function meaningOf(served: Served, name: string, scheme: SecurityScheme): string {
  const { deprecated, description = '', bearerFormat } = scheme;
  const { openIdConnectUrl, oauth2MetadataUrl } = scheme as JsonObject;
  return sentencesOf([
    deprecated === true && '**Deprecated.**',
    description.trim(),
    sentText(served, name, scheme),
    bearerFormat && `Format: ${codeText(bearerFormat)}.`,
    openIdConnectUrl !== undefined && `Discovery: ${addressText(openIdConnectUrl)}.`,
    oauth2MetadataUrl !== undefined && `Metadata: ${addressText(oauth2MetadataUrl)}.`,
  ]);
}

/** The type of a scheme in words. */
function kindOf({ type, scheme = '' }: SecurityScheme): string {
  const kinds: Readonly<Record<string, string>> = {
    apiKey: 'API key',
    http: /^basic$/i.test(scheme)
      ? 'HTTP Basic'
      : /^bearer$/i.test(scheme)
        ? 'HTTP Bearer'
        : `HTTP ${scheme}`,
    oauth2: 'OAuth 2.0',
    openIdConnect: 'OpenID Connect',
    mutualTLS: 'mutual TLS',
  };
  return kinds[type ?? ''] ?? type ?? '';
}

/** How a request carries what the scheme wants. */
function sentText(served: Served, name: string, scheme: SecurityScheme): string {
  if (scheme.type === 'mutualTLS') return 'The client certificate of the connection.';
  const credential = credentialOf(scheme);
  if (!credential) return `The header ${codeText('Authorization')}, after ${codeText(scheme.scheme ?? '')}.`;
  const { in: place, name: called, prefix } = credential;
  const word = scheme.type === 'apiKey' ? 'key' : wordOf(served, name, scheme);
  if (prefix === 'Basic')
    return `The ${word} as password, without a user, in the header ${codeText(called)}, after ${codeText(prefix)} (RFC 7617).`;
  const places = { header: 'in the header', query: 'in the query, as', cookie: 'in the cookie' };
  return `The ${word} ${places[place]} ${codeText(called)}${prefix && `, after ${codeText(prefix)}`}.`;
}

const addressText = (url: unknown) => linkText(String(url), String(url));

/** The flows of OAuth 2.0 (OpenAPI 3.2 §4.28). */
const FLOWS: Readonly<Record<string, string>> = {
  authorizationCode: 'Authorization code',
  clientCredentials: 'Client credentials',
  deviceAuthorization: 'Device authorization',
  implicit: 'Implicit',
  password: 'Password',
};

const ADDRESSES: Readonly<Record<string, string>> = {
  authorizationUrl: 'Authorize at',
  deviceAuthorizationUrl: 'Get a device code at',
  tokenUrl: 'Get a token at',
  refreshUrl: 'Refresh it at',
};

const flowsOf = (scheme: SecurityScheme): [string, JsonObject][] =>
  Object.entries(objectAt(scheme as JsonObject, 'flows')).flatMap(([name, flow]) =>
    isObject(flow) && !name.startsWith('x-') ? [[name, flow]] : [],
  );

function flowsText(name: string, scheme: SecurityScheme): string {
  const rows = flowsOf(scheme).map(([flow, addresses]) => [
    FLOWS[flow] ?? flow,
    Object.entries(ADDRESSES)
      .flatMap(([field, words]) => (addresses[field] ? `${words} ${addressText(addresses[field])}.` : []))
      .join(' '),
  ]);
  return tableText([`Flow of ${codeText(name)}`, 'Addresses'], rows);
}

/** The row of each scope that a scheme declares. */
export function scopeRows({ schemes }: Pick<Served['model'], 'schemes'>) {
  return [...schemes].flatMap(([name, scheme]) => scopesOf(name, scheme));
}

const scopesText = (name: string, scheme: SecurityScheme): string =>
  tableOf(`Scope of ${codeText(name)}`, scopesOf(name, scheme), 'Meaning');

function scopesOf(name: string, scheme: SecurityScheme): (FieldRow & { readonly id: string })[] {
  const flows = flowsOf(scheme);
  const scopes = new Map<string, { readonly description: string; readonly flows: string[] }>();
  for (const [flow, addresses] of flows)
    for (const [scope, description] of Object.entries(objectAt(addresses, 'scopes'))) {
      const known = scopes.get(scope) ?? { description: String(description), flows: [] };
      scopes.set(scope, { ...known, flows: [...known.flows, FLOWS[flow] ?? flow] });
    }
  return [...scopes].map(([scope, { description, flows: of }]) => ({
    id: idOfScope(name, scope),
    name: scope,
    required: false,
    type: '',
    meaning: of.length < flows.length ? `${description} (${of.join(', ')})` : description,
  }));
}

/** Its characters end neither a link of Markdown nor an attribute. */
const inId = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const idOfScheme = (name: string) => `scheme-${inId(name)}`;
const idOfScope = (scheme: string, scope: string) => `scope-${inId(scheme)}-${inId(scope)}`;

/** The alternatives of security schemes with their scopes, in words: `a` and `b`, or `c`. */
export function securityText(served: Served, operation: Operation): string {
  const { security } = operation;
  const nothing = `no ${credentialText(served, operation)}`;
  if (security.length === 0) return nothing;
  const words = security.map((all) => all.map((one) => requirementText(served, one)).join(' and '));
  const texts = words.map((text) => text || nothing);
  return texts.join(security.some((all) => all.length > 1) ? ', or ' : ' or ');
}

function requirementText({ model }: Served, { scheme, scopes }: Requirement): string {
  const known = flowsOf(model.schemes.get(scheme) ?? {}).flatMap(([, flow]) =>
    Object.keys(objectAt(flow, 'scopes')),
  );
  const names = scopes.map((scope) =>
    known.includes(scope) ? `[${codeText(scope)}](#${idOfScope(scheme, scope)})` : codeText(scope),
  );
  return `${codeText(scheme)}${names.length > 0 ? ` (${names.length === 1 ? 'scope' : 'scopes'} ${names.join(', ')})` : ''}`;
}

/** What callers send, by the schemes of `operation` if it has any: a key, a token, or either. */
export function credentialText(served: Served, operation?: Operation): string {
  const used = operation?.security.flat().map(({ scheme }) => scheme) ?? [];
  const schemes = [...served.model.schemes].filter(([name]) => used.length === 0 || used.includes(name));
  const words = schemes.map(([name, scheme]) => wordOf(served, name, scheme));
  return [...new Set(words)].toSorted().join(' or ') || 'key';
}

function wordOf({ takesTokens = false }: Served, name: string, scheme: SecurityScheme): string {
  return credentialWordOf(name, scheme, takesTokens ? 'token' : 'API key').replace('API ', '');
}

/** Whether it needs no key at all. */
export function needsNoKey(operation: Operation): boolean {
  return alternativesOf(operation).every((names) => names.length === 0);
}
