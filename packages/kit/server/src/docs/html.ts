import { clientNames } from '@contract-kit/core';
import { assets } from './docs-assets.ts';
import { titleOf } from './openapi.ts';
import { renderOperation, renderSamples } from './html-operation.ts';
import { escaped, inline, markdown } from './html-text.ts';
import { webhooksPart } from './html-webhooks.ts';
import { schemaId } from './fields.ts';
import { introductionOf, legalText, packagesOf, serversText } from './introduction.ts';
import { joined, linkTo } from './markdown-blocks.ts';
import { headersOf, schemaTexts } from './operation-text.ts';
import { isSimple, operationsIn, referenceOf, type Group, type Reference } from './reference.ts';
import { sampleNames, samplesOf } from './samples.ts';
import { credentialText, needsNoKey } from './security-text.ts';
import type { Served } from './served.ts';

/** The page at `place`, `/docs` or one of the homes of the reference. It reads without its script. */
export function renderPage(served: Served, place = '/docs'): string {
  const { contract, document } = served;
  const { title, version } = document.info;
  const reference = referenceOf(served);
  const { homes } = reference;
  const own = reference.groups.find(({ id }) => `${place}/`.startsWith(`/docs/${id}/`));
  const groups = reference.groups.map((group): Part => {
    // The first heading of a separate page.
    const level = place === '/docs' ? 2 : 1;
    return {
      home: isOn(reference, group, place) ? place : undefined,
      link: linkToGroup(group),
      html: () => renderGroup(reference, group, level, place) + linkToNext(reference, group, place),
    };
  });
  const webhooks = webhooksPart(reference);
  const parts = [
    ...introduction(reference),
    ...groups,
    ...(webhooks ? [webhooks] : []),
    ...appendix(reference),
  ];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(own ? `${own.title} · ${title}` : title)}</title>
<link rel="icon" href="${assets['favicon.svg'].url}">
<link rel="alternate" type="text/markdown" href="/docs.md">
<script src="${assets['page.js'].url}"></script>
<link rel="stylesheet" href="${assets['page.css'].url}">
</head>
<body data-base="${contract.basePath}" data-server="${escaped(document.servers[0]?.url ?? '')}" data-names="${escaped(JSON.stringify(sampleNames(contract)))}">
<a class="skip" href="#page-content">Skip to the content</a>
<header>
<button type="button" class="menu" popovertarget="page-contents">Contents</button>
<a class="brand" href="#page-start">${escaped(title)} <small>${escaped(version)}</small></a>
<search class="js"><input type="search" id="page-search" placeholder="Search" aria-label="Search" autocomplete="off" aria-keyshortcuts="/ Control+K Meta+K" title="Ctrl+K"><ul id="page-found" hidden></ul></search>
<select id="page-theme" class="js" aria-label="Colours"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>
<nav id="page-contents" popover aria-label="Contents"><ul>
${parts.map(({ link }) => link).join('\n')}
</ul></nav>
<main id="page-content" tabindex="-1">
${parts
  .filter(({ home }) => home === place)
  .map(({ html }) => html())
  .join('\n')}
</main>
<dialog id="page-confirm" aria-labelledby="confirm-title"><form method="dialog">
<h2 id="confirm-title"></h2><p><code></code></p><p>This may change data on this server.</p>
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

/** A section of the page, and its entry in the contents. */
interface Part {
  /** Undefined if it is on another page. */
  readonly home: string | undefined;
  readonly link: string;
  readonly html: () => string;
}

function section(id: string, title: string, html: () => string): Part {
  return {
    home: '/docs',
    link: `<li><a href="#${id}">${escaped(title)}</a></li>`,
    html: () => `<section id="${id}"><h2>${escaped(title)}</h2>${html()}</section>`,
  };
}

function introduction(reference: Reference): Part[] {
  const { document } = reference;
  const { title, summary } = document.info;
  const { lead, sections } = introductionOf(reference);
  const links = [
    ['/openapi.json', 'OpenAPI as JSON'],
    ['/openapi.yaml', 'as YAML'],
    ['/docs.md', 'This page as Markdown'],
  ].map(([url, text]) => `[${text}](${url})`);
  const facts = [...links, legalText(document)].filter(Boolean).join(' · ');
  const start =
    () => `<article id="page-start"><div><h1>${escaped(title)}</h1><p class="lead">${inline(summary ?? '')}</p>
${markdown(lead)}${markdown(serversText(document.servers))}
<p class="quiet">${inline(facts)}</p></div>
<div class="code">${firstRequest(reference)}</div></article>`;
  return [
    { home: '/docs', link: '<li><a href="#page-start">Introduction</a></li>', html: start },
    ...sections.map(({ id, title: heading, text }) => section(id, heading, () => markdown(text))),
  ];
}

function firstRequest(reference: Reference): string {
  const { contract, groups } = reference;
  const all = operationsIn(groups);
  const first = all.find(isSimple) ?? all[0];
  if (!first) return '';
  const packages = `${packagesOf(reference)}\n- Agents read [/llms.txt](/llms.txt).`;
  const { keyVariable } = clientNames(contract.name);
  return `<h2>First request</h2>${needsNoKey(first) ? '' : `<p>With a <a href="#about-authentication">${credentialText(reference)}</a> in <code>${keyVariable}</code>:</p>`}
${renderSamples('first-request', samplesOf(reference, first))}
<div class="quiet">${markdown(packages)}</div>`;
}

/** What of a group is on the page at `place`. */
function renderGroup(reference: Reference, group: Group, level: number, place: string): string {
  const { id, title, description = '', externalDocs, operations, groups } = group;
  const { homes } = reference;
  const heading = `h${Math.min(level, 5)}`;
  const isFirst = homes.get(`group-${id}`) === place;
  const here = operations.filter((operation) => homes.get(operation.id) === place);
  return `<section id="group-${id}"><${heading}>${escaped(title)}</${heading}>${isFirst ? markdown(joined([description, linkTo(externalDocs)])) : ''}
${here.map((operation) => renderOperation(reference, operation, level + 1)).join('\n')}
${groups
  .filter((inner) => isOn(reference, inner, place))
  .map((inner) => renderGroup(reference, inner, level + 1, place))
  .join('\n')}</section>`;
}

/** Whether a page has a part of a group. */
function isOn(reference: Reference, { id, operations, groups }: Group, place: string): boolean {
  const isHere = (name: string) => reference.homes.get(name) === place;
  return (
    isHere(`group-${id}`) ||
    operations.some((operation) => isHere(operation.id)) ||
    groups.some((inner) => isOn(reference, inner, place))
  );
}

/** A group of many operations has several pages. */
function linkToNext({ homes }: Reference, group: Group, place: string): string {
  const places = [...new Set(operationsIn([group]).flatMap(({ id }) => homes.get(id) ?? []))];
  const next = places[places.indexOf(place) + 1];
  return next === undefined || !places.includes(place)
    ? ''
    : `<p><a href="${next}">More operations of ${escaped(group.title)}</a></p>`;
}

function linkToGroup(group: Group): string {
  const entries = group.operations.map((operation) => {
    const { id, method } = operation;
    const title = titleOf(operation);
    const words = operation.definition.deprecated ? `<s>${escaped(title)}</s>` : escaped(title);
    return `<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${words}</a></li>`;
  });
  const list = [...entries, ...group.groups.map(linkToGroup)].join('');
  return `<li><a href="#group-${group.id}">${escaped(group.title)}</a>${list && `<ul>${list}</ul>`}</li>`;
}

function appendix(reference: Reference): Part[] {
  const schemas = () =>
    schemaTexts(reference).map(
      ({ name, text }) =>
        `<section id="${schemaId(name)}"><h3>${escaped(name)}</h3>${markdown(text)}</section>`,
    );
  return [
    section('response-headers', 'Response headers', () => markdown(headersOf(reference))),
    section('all-schemas', 'Schemas', () => schemas().join('\n')),
  ];
}
