import type { Contract } from '@kit/contract';
import { clientNames } from '@kit/contract/client-names';
import { credentialOf, type Document } from './openapi.ts';
import { renderOperation, renderSamples } from './html-operation.ts';
import { code, escaped, inline, linkTo, markdown, sectionsOf, slug, table, tableOf } from './html-text.ts';
import { groupsOf, headersOf, meaningOf, rowsOf, schemaId, typeOf, type Group } from './reference.ts';

/** The reference as one page that reads without its script, which adds search, copying, colours and trying. */
export function renderPage(
  contract: Contract,
  document: Document,
  urlOf: (file: 'page.css' | 'page.js' | 'favicon.svg') => string,
): string {
  const { title, version } = document.info;
  const known = headersOf(document);
  const parts = [
    ...introduction(contract, document),
    ...groupsOf(document).map((group) => renderGroup(document, group, known, 2)),
    ...appendix(document, known),
  ];
  return `<!doctype html>
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
<body data-base="${contract.basePath}">
<a class="skip" href="#page-content">Skip to the content</a>
<header>
<button type="button" class="menu" popovertarget="page-contents">Contents</button>
<a class="brand" href="#page-start">${escaped(title)} <small>${escaped(version)}</small></a>
<search class="js"><input type="search" id="page-search" placeholder="Search" aria-label="Search" autocomplete="off" aria-keyshortcuts="/"><ul id="page-found" hidden></ul></search>
<select id="page-theme" class="js" aria-label="Colours"><option value="">◐ System</option><option value="light">☀ Light</option><option value="dark">☾ Dark</option></select>
</header>
<nav id="page-contents" popover aria-label="Contents"><ul>
${parts.map(({ link }) => link).join('\n')}
</ul></nav>
<main id="page-content" tabindex="-1">
${parts.map(({ html }) => html).join('\n')}
</main>
<dialog id="page-confirm" aria-labelledby="confirm-title"><form method="dialog">
<h2 id="confirm-title"></h2><p><code></code></p><p>This changes data on this server.</p>
<p><button value="">Do not send</button> <button value="send" class="main">Send the request</button></p>
</form></dialog>
</body>
</html>
`;
}

type Headers = ReturnType<typeof headersOf>;

/** A part of the page, and its entry in the contents. */
interface Part {
  readonly link: string;
  readonly html: string;
}

function section(id: string, title: string, html: string): Part {
  return {
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
  return [{ link: '<li><a href="#page-start">Introduction</a></li>', html: start }, ...parts];
}

/** The simplest operation there is, to begin with. */
function firstRequest(contract: Contract, document: Document): string {
  const all = groupsOf(document).flatMap(operationsIn);
  const isSimple = ({ method, deprecated, parameters }: (typeof all)[number]) =>
    method === 'GET' && !deprecated && !parameters.some(({ required }) => required);
  const first = all.find(isSimple) ?? all[0];
  if (!first) return '';
  const { package: packageName, keyVariable } = clientNames(contract.name);
  return `<h2>First request</h2><p>With a <a href="#about-authentication">key</a> in <code>${keyVariable}</code>:</p>
${renderSamples('first-request', first['x-codeSamples'] ?? [])}
<p class="quiet">The TypeScript client waits for quotas and retries what is safe to repeat. It is not on npm yet. Pack it in a checkout with <code>npm pack --workspace ${packageName}</code>, then <code>npm install</code> the file.</p>`;
}

function operationsIn({ operations, groups }: Group): Group['operations'] {
  return [...operations, ...groups.flatMap(operationsIn)];
}

/** The only place where a key is entered; what is tried anywhere on the page is sent with it. */
function credentials({ components }: Document): string {
  const fields = Object.entries(components?.securitySchemes ?? {}).map(([id, scheme], _index, { length }) => {
    const { header, prefix } = credentialOf(scheme);
    return `<p>${code(id)}: ${inline(scheme.description ?? '')}</p>
<form class="js"><label>Key to try requests with${length > 1 ? `, as ${id}` : ''} <input type="password" class="field" id="key-${id}" data-header="${header}" data-prefix="${prefix}" required pattern="[ -~]*[!-~][ -~]*" title="Characters of ASCII alone" autocomplete="off" autocapitalize="none" spellcheck="false"></label></form>`;
  });
  return `${fields.join('')}<small class="js">What is entered stays on this page: it is sent to this server alone, and stored nowhere.</small>`;
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

function renderGroup(document: Document, group: Group, known: Headers, level: number): Part {
  const { name, title, description = '', externalDocs, operations, groups } = group;
  const id = `group-${slug(name)}`;
  const heading = `h${Math.min(level, 5)}`;
  const entries = operations.map(({ operationId, method, title: text, deprecated }) => {
    const words = deprecated ? `<s>${escaped(text)}</s>` : escaped(text);
    return `<li><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span> ${words}</a></li>`;
  });
  const inner = groups.map((each) => renderGroup(document, each, known, level + 1));
  const list = [...entries, ...inner.map(({ link }) => link)].join('');
  return {
    link: `<li><a href="#${id}">${escaped(title)}</a>${list && `<ul>${list}</ul>`}</li>`,
    html: `<section id="${id}"><${heading}>${escaped(title)}</${heading}>${markdown(description)}${linkTo(externalDocs)}
${operations.map((each) => renderOperation(document, each, known, level + 1)).join('\n')}
${inner.map(({ html }) => html).join('\n')}</section>`,
  };
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
