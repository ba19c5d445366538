import type { PublishedPackage } from '@contract-kit/core';
import { bodyTypeOf, successesOf } from '@contract-kit/core/model';
import { mcpPath } from '@contract-kit/core/http';
import { lexer } from 'marked';
import { codeText } from './fields.ts';
import { placeNames } from '../reference.ts';
import { credentialText, schemesText } from './security-text.ts';
import type { Served } from '../served.ts';
import { joined, line, linkText, linkTo, tableText, tableOf } from './blocks.ts';
import type { Server } from '../openapi.ts';

/* What stands before the operations, in Markdown. */

interface Section {
  readonly title: string;
  /** Its table, which names its place. */
  subject?: string;
  text: string;
}

/** The description of the API, split at its headings of the first two levels, with the tables about its subjects. */
export function introductionOf(served: Served) {
  const { document } = served;
  const { info } = document;
  const tokens = lexer(info.description ?? '');
  // Every section may refer to them.
  const links = tokens.map(({ type, raw }) => (type === 'def' ? `${raw}\n\n` : '')).join('');
  const lead: Section = { title: '', text: links };
  const sections: Section[] = [];
  for (const token of tokens) {
    if (token.type === 'heading' && token['depth'] <= 2)
      sections.push({ title: String(token['text']), text: links });
    else (sections.at(-1) ?? lead).text += token.raw;
  }

  const plans = Object.values(document['x-rate-limit-plans'] ?? {});
  const codes = Object.entries(document['x-error-codes'] ?? {});
  const planRows = plans.map(({ name, ...quota }) => [
    name,
    ...[quota.perMinute, quota.perDay].map((value) => value.toLocaleString('en')),
  ]);
  const codeRows = codes.map(([name, { status, description }]) => {
    return { id: `error-${name}`, name, required: false, type: String(status), meaning: description };
  });
  addTable(/authenti/i, 'Authentication', schemesText(served));
  addTable(
    /limit|plan/i,
    'Rate limits',
    tableText(['Plan', 'Requests per minute', 'Requests per day'], planRows),
  );
  addTable(/error/i, 'Errors', tableOf('Code', codeRows, 'Status and meaning'));

  /** Adds it to the first section about its subject, or to a new one. */
  function addTable(about: RegExp, subject: string, text: string): void {
    if (text === '') return;
    let section = sections.find(({ title }) => about.test(title));
    if (!section) sections.push((section = { title: subject, text: '' }));
    section.subject ??= subject;
    section.text = joined([section.text, text]);
  }
  const placeOf = placeNames();
  return {
    lead: lead.text,
    sections: sections.map(({ title, subject = title, text }) => {
      return { id: `about-${placeOf(subject)}`, title, text: joined([text]) };
    }),
  };
}

/**
 * How to call this API from code and as an agent. Names a package only if it is published: whoever registers another name
 * would get the keys of those who install it.
 */
export function packagesOf(served: Served): string {
  const { contract, document, model } = served;
  const { client, mcp } = contract.published ?? {};
  const hasLists = model.operations.some((operation) =>
    successesOf(operation).some((response) => bodyTypeOf(operation, response, model.schemas) === 'array'),
  );
  const streams =
    client && hasLists ? ` ${codeText(`${client.name}/stream`)} reads long lists item by item.` : '';
  const unpublished = [...(client ? [] : ['the typed client']), ...(mcp ? [] : ['the MCP server'])];
  return [
    client &&
      `${codeText(client.name)} is the typed client. It waits for quotas, retries what is safe to repeat, and throws errors by status and code.${streams} Install it with ${codeText(installing(client))}.`,
    mcp &&
      `${codeText(mcp.name)} is an MCP server. It gives agents the operations as tools. Install it with ${codeText(installing(mcp))}.`,
    unpublished.length > 0 &&
      `Ask ${contactOf(document.info)} for ${unpublished.join(' and ')} of this API. No registry has ${unpublished.length > 1 ? 'them' : 'it'}. Do not install a package with such a name: it would get your ${credentialText(served)}.`,
    `${codeText(mcpPath)} on this server has the operations as tools for agents, over HTTP (MCP, Streamable HTTP).${model.schemes.size > 0 ? ` Send the ${credentialText(served)} as in any request.` : ''}`,
  ]
    .flatMap((text) => (text ? `- ${text}` : []))
    .join('\n');
}

/** From its registry and no other: npm reads the registry of a scope from its settings otherwise. */
function installing({ name, registry }: PublishedPackage): string {
  const scope = name.startsWith('@') ? `${name.split('/', 1)[0]}:` : '';
  return `npm install ${name} --${scope}registry=${registry}`;
}

/** The servers of the API, of a path or of an operation, each with its variables. */
export function serversText(servers: readonly Server[]): string {
  const items = servers.map(({ url, name, description = name, variables = {} }) => {
    const of = Object.entries(variables).map(
      ([variable, { enum: listed, default: usual, description = '' }]) => {
        const values = listed ? `: one of ${listed.map(codeText).join(', ')}` : '';
        const otherwise = usual === undefined ? '' : ` Default: ${codeText(usual)}.`;
        return `\n  - ${codeText(variable)}${values}.${otherwise} ${line(description)}`.trimEnd();
      },
    );
    return `- ${description ? `${line(description)}: ` : ''}${codeText(url)}${of.join('')}`;
  });
  return items.join('\n');
}

/** Whom to ask, and what applies. */
export function legalText({ info, externalDocs }: Served['document']): string {
  const { contact = {}, license, termsOfService } = info;
  const { name, url, email } = contact;
  const address =
    license?.url ?? (license?.identifier && `https://spdx.org/licenses/${license.identifier}.html`);
  const licensed = license && (address ? linkText(license.name, address) : license.name);
  const person = url ? linkText(name ?? url, url) : name;
  const reached = [person, email && linkText(email, `mailto:${email}`)].filter(Boolean);
  return [
    reached.length > 0 && `Contact: ${reached.join(', ')}`,
    license && `License: ${licensed}${license.identifier ? ` (${codeText(license.identifier)})` : ''}`,
    termsOfService && linkText('Terms of service', termsOfService),
    linkTo(externalDocs),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Whom to ask. */
function contactOf({ contact = {} }: Served['document']['info']): string {
  const { name = 'the operator of this service', url, email } = contact;
  const address = url ?? (email && `mailto:${email}`);
  return address ? linkText(name, address) : name;
}
