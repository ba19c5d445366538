import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import type { Document } from './openapi.ts';
import { renderOperation, renderSamples } from './html-operation.ts';
import { code, escaped, inline, linkTo, markdown, sectionsOf, table, tableOf } from './html-text.ts';
import {
  groupId,
  groupsOf,
  headersOf,
  homesOf,
  meaningOf,
  packagesOf,
  rowsOf,
  schemaId,
  slug,
  typeOf,
  type Group,
} from './reference.ts';
import { sampleNames } from './samples.ts';

/**
 * The page at `place`, one of `homesOf` or `/docs`. It reads without its script, which adds search, copying, colours and
 * trying.
 */
export function renderPage(
  contract: Contract,
  document: Document,
  urlOf: (file: 'page.css' | 'page.js' | 'favicon.svg') => string,
  place = '/docs',
): string {
  const { title, version } = document.info;
  const known = headersOf(document);
  const homes = homesOf(document);
  const groups = groupsOf(document).map((group): Part => {
    const home = homes.get(groupId(group)) ?? '/docs';
    return {
      home,
      link: linkToGroup(group),
      html: home === place ? renderGroup(contract, document, group, known, 2) : '',
    };
  });
  const parts = [...introduction(contract, document), ...groups, ...appendix(document, known)];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<link rel="icon" href="${urlOf('favicon.svg')}">
<link rel="alternate" type="text/markdown" href="/docs.md">
<script src="${urlOf('page.js')}"></script>
<link rel="stylesheet" href="${urlOf('page.css')}">
</head>
<body data-base="${contract.basePath}" data-server="${escaped(document.servers[0]?.url ?? '')}" data-names="${escaped(JSON.stringify(sampleNames(contract)))}">
<a class="skip" href="#page-content">Skip to the content</a>
<header>
<button type="button" class="menu" popovertarget="page-contents">Contents</button>
<a class="brand" href="#page-start">${escaped(title)} <small>${escaped(version)}</small></a>
<search class="js"><input type="search" id="page-search" placeholder="Search" aria-label="Search" autocomplete="off" aria-keyshortcuts="/ Control+K Meta+K"><kbd aria-hidden="true">Ctrl K</kbd><ul id="page-found" hidden></ul></search>
<select id="page-theme" class="js" aria-label="Colours"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>
<nav id="page-contents" popover aria-label="Contents"><ul>
${parts.map(({ link }) => link).join('\n')}
</ul></nav>
<main id="page-content" tabindex="-1">
${parts
  .filter(({ home }) => home === place)
  .map(({ html }) => html)
  .join('\n')}
</main>
<dialog id="page-confirm" aria-labelledby="confirm-title"><form method="dialog">
<h2 id="confirm-title"></h2><p><code></code></p><p>This changes data on this server.</p>
<p><button value="">Do not send</button> <button value="send" class="main">Send the request</button></p>
</form></dialog>
</body>
</html>
`;
  return html.replace(/ href="#([^"]+)"/g, (link, id: string) => {
    const home = id === 'page-content' ? place : (homes.get(id) ?? '/docs');
    return home === place ? link : ` href="${home}#${id}"`;
  });
}

type Headers = ReturnType<typeof headersOf>;

/** A part of the page, and its entry in the contents. */
interface Part {
  /** The page that it is on. */
  readonly home: string;
  readonly link: string;
  readonly html: string;
}

function section(id: string, title: string, html: string): Part {
  return {
    home: '/docs',
    link: `<li><a href="#${id}">${escaped(title)}</a></li>`,
    html: `<section id="${id}"><h2>${escaped(title)}</h2>${html}</section>`,
  };
}

function introduction(contract: Contract, document: Document): Part[] {
  const { title, summary, description = '', contact, license, termsOfService } = document.info;
  const [{ html: lead }, ...sections] = sectionsOf(description);
  const links = [
    ['/openapi.json', 'OpenAPI as JSON'],
    ['/openapi.yaml', 'as YAML'],
    ['/docs.md', 'This page as Markdown'],
    [document.externalDocs?.url, document.externalDocs?.description ?? 'More'],
    [contact?.url ?? (contact?.email && `mailto:${contact.email}`), contact?.name ?? 'Contact'],
    [termsOfService, 'Terms of service'],
  ].flatMap(([url, text = '']) => (url ? [`<a href="${escaped(url)}">${escaped(text)}</a>`] : []));
  const servers = document.servers.map(
    ({ url, description: of = '' }) => `<li>${inline(of)}: <code>${escaped(url)}</code></li>`,
  );
  const start = `<article id="page-start"><div><h1>${escaped(title)}</h1><p class="lead">${inline(summary ?? '')}</p>
${lead}<ul>${servers.join('')}</ul>
<p class="quiet">${links.join(' · ')}${license ? ` · License: ${escaped(license.name)}` : ''}</p></div>
<div class="code">${firstRequest(contract, document)}</div></article>`;

  // Each table belongs to the first section that speaks of it, which links lead to; where there is none it gets its own.
  const extras = [
    { about: /authenti/i, title: 'Authentication', html: credentials(document) },
    { about: /limit|plan/i, title: 'Rate limits', html: plans(document) },
    { about: /error/i, title: 'Errors', html: errors(document) },
  ];
  const missing = extras.filter(({ about }) => !sections.some((each) => about.test(each.title)));
  const all = [...sections, ...missing.map(({ title: heading }) => ({ title: heading, html: '' }))];
  const parts = all.map((each) => {
    const its = extras.filter(({ about }) => all.find((other) => about.test(other.title)) === each);
    const [{ title: subject } = each] = its;
    return section(`about-${slug(subject)}`, each.title, each.html + its.map(({ html }) => html).join(''));
  });
  return [{ home: '/docs', link: '<li><a href="#page-start">Introduction</a></li>', html: start }, ...parts];
}

/** The simplest operation there is, to begin with. */
function firstRequest(contract: Contract, document: Document): string {
  const all = groupsOf(document).flatMap(operationsIn);
  const isSimple = ({ method, deprecated, parameters }: (typeof all)[number]) =>
    method === 'GET' && !deprecated && !parameters.some(({ required }) => required);
  const first = all.find(isSimple) ?? all[0];
  if (!first) return '';
  const { package: client, keyVariable } = clientNames(contract.name);
  const packages = packagesOf(contract).map(({ name, does }) => `<li>${code(name)} ${inline(does)}</li>`);
  return `<h2>First request</h2><p>With a <a href="#about-authentication">key</a> in <code>${keyVariable}</code>:</p>
${renderSamples('first-request', first['x-codeSamples'] ?? [])}
<ul class="quiet">${packages.join('')}</ul>
<p class="quiet">They are not on npm yet. Pack one in a checkout with <code>npm pack --workspace ${client}</code>, then <code>npm install</code> the file. Agents read <a href="/llms.txt">/llms.txt</a>.</p>`;
}

function operationsIn({ operations, groups }: Group): Group['operations'] {
  return [...operations, ...groups.flatMap(operationsIn)];
}

function credentials({ components }: Document): string {
  const schemes = Object.entries(components?.securitySchemes ?? {}).map(
    ([id, { description = '' }]) => `<p>${code(id)}: ${inline(description)}</p>`,
  );
  return schemes.join('');
}

function plans(document: Document): string {
  const number = (value: number | string) => (typeof value === 'number' ? value.toLocaleString('en') : value);
  const rows = Object.values(document['x-rate-limit-plans'] ?? {}).map(({ name, perMinute, perDay }) => ({
    cells: [escaped(name), number(perMinute), number(perDay)],
  }));
  return table(['Plan', 'Requests per minute', 'Requests per day'], rows);
}

function errors(document: Document): string {
  const rows = Object.entries(document['x-error-codes'] ?? {}).map(([name, { status, description }]) => ({
    id: `error-${name}`,
    name,
    required: false,
    type: String(status),
    meaning: description,
  }));
  return tableOf('Code and status', rows);
}

function renderGroup(
  contract: Contract,
  document: Document,
  group: Group,
  known: Headers,
  level: number,
): string {
  const { title, description = '', externalDocs, operations, groups } = group;
  const heading = `h${Math.min(level, 5)}`;
  return `<section id="${groupId(group)}"><${heading}>${escaped(title)}</${heading}>${markdown(description)}${linkTo(externalDocs)}
${operations.map((each) => renderOperation(contract, document, each, known, level + 1)).join('\n')}
${groups.map((each) => renderGroup(contract, document, each, known, level + 1)).join('\n')}</section>`;
}

function linkToGroup(group: Group): string {
  const entries = group.operations.map(({ operationId, method, title, deprecated }) => {
    const words = deprecated ? `<s>${escaped(title)}</s>` : escaped(title);
    return `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${words}</a></li>`;
  });
  const list = [...entries, ...group.groups.map(linkToGroup)].join('');
  return `<li><a href="#${groupId(group)}">${escaped(group.title)}</a>${list && `<ul>${list}</ul>`}</li>`;
}

function appendix(document: Document, known: Headers): Part[] {
  const headers = [...known.values()];
  const [always, others] = [
    headers.filter(({ everywhere }) => everywhere),
    headers.filter(({ everywhere }) => !everywhere),
  ];
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => {
    const fields = tableOf('Field', rowsOf(document, schema));
    return `<section id="${schemaId(name)}"><h3>${escaped(name)}</h3><p class="quiet">${inline(typeOf(schema))}</p>${markdown(meaningOf(schema))}${fields}</section>`;
  });
  return [
    section(
      'response-headers',
      'Response headers',
      `<p>Every response has these:</p>${tableOf('Header', always)}${others.length > 0 ? `<p>These come with some, which name them:</p>${tableOf('Header', others)}` : ''}`,
    ),
    section('all-schemas', 'Schemas', schemas.join('\n')),
  ];
}
