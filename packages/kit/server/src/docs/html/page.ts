import { clientNames } from '@contract-kit/core';
import { assets } from '../docs-assets.ts';
import { titleOf, webhookId } from '../openapi.ts';
import { renderOperation, renderSamples } from './operation.ts';
import { escaped } from './links.ts';
import { inline, markdown } from './text.ts';
import { renderWebhook, webhookLinks } from './webhooks.ts';
import { schemaId } from '../markdown/fields.ts';
import { introductionOf, legalText, packagesOf, serversText } from '../markdown/introduction.ts';
import { joined, linkTo } from '../markdown/blocks.ts';
import { headersOf, schemaTexts } from '../markdown/operation-text.ts';
import { isSimple, operationsIn, referenceOf, type Group, type Reference } from '../reference.ts';
import { sampleNames, samplesOf } from '../samples.ts';
import { credentialText, needsNoKey } from '../markdown/security-text.ts';
import type { Served } from '../served.ts';
import { WEBHOOKS } from '../markdown/webhook-text.ts';

/** The page at `place`, `/docs` or one of the homes of the reference. It reads without its script. */
export function renderPage(served: Served, place = '/docs'): string {
  const { contract, document } = served;
  const { title, version } = document.info;
  const reference = referenceOf(served);
  const { homes } = reference;
  const groups = reference.groups.map((group) => groupPart(reference, group, place));
  const parts = [
    ...introduction(reference),
    ...groups,
    ...webhooksPart(reference, place),
    ...appendix(reference, place),
  ];
  const here = parts.filter(({ home }) => home === place);
  const heading = place === '/docs' ? undefined : here[0]?.title;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(heading === undefined ? title : `${heading} · ${title}`)}</title>
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
<search class="js"><input type="search" id="page-search" placeholder="Search" aria-label="Search" autocomplete="off" aria-keyshortcuts="/ Control+K Meta+K" title="Ctrl+K"><ul id="page-found" hidden></ul><p id="page-hits" class="skip" role="status"></p></search>
<select id="page-theme" class="js" aria-label="Colours"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</header>
<nav id="page-contents" popover aria-label="Contents"><ul>
${parts.map(({ link }) => link).join('\n')}
</ul></nav>
<main id="page-content" tabindex="-1">
${here.map(({ html }) => html()).join('\n')}
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

/** A section of the reference, and its entry in the contents. */
interface Part {
  /** The page, if it has some of it; undefined if others have all. */
  readonly home: string | undefined;
  /** What a separate page of it is called. */
  readonly title?: string;
  readonly link: string;
  readonly html: () => string;
}

function section(id: string, title: string, home: string | undefined, html: () => string): Part {
  const heading = `h${levelOn(home)}`;
  return {
    home,
    title,
    link: `<li><a href="#${id}">${escaped(title)}</a></li>`,
    html: () => `<section id="${id}"><${heading}>${escaped(title)}</${heading}>${html()}</section>`,
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
    ...sections.map(({ id, title: heading, text }) => section(id, heading, '/docs', () => markdown(text))),
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

function groupPart(reference: Reference, group: Group, place: string): Part {
  const isOpen = isOn(reference, group, place);
  const ids = operationsIn([group]).map(({ id }) => id);
  return {
    title: group.title,
    home: isOpen ? place : undefined,
    link: linkToGroup(group, isOpen),
    html: () =>
      renderGroup(reference, group, levelOn(place), place) +
      linkToNext(reference, ids, place, `More operations of ${group.title}`),
  };
}

/** The first heading of a separate page is that of its section. */
const levelOn = (place: string | undefined) => (place === '/docs' ? 2 : 1);

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

/** What fills several pages has a link from each to the next. */
function linkToNext({ homes }: Reference, ids: readonly string[], place: string, text: string): string {
  const places = [...new Set(ids.flatMap((id) => homes.get(id) ?? []))];
  const next = places[places.indexOf(place) + 1];
  return next === undefined || !places.includes(place) ? '' : `<p><a href="${next}">${escaped(text)}</a></p>`;
}

/** With its operations and groups if the page has some of them. */
function linkToGroup(group: Group, isOpen: boolean): string {
  const entries = group.operations.map((operation) => {
    const { id, method } = operation;
    const title = titleOf(operation);
    const words = operation.definition.deprecated ? `<s>${escaped(title)}</s>` : escaped(title);
    return `<li><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> ${words}</a></li>`;
  });
  const list = isOpen ? [...entries, ...group.groups.map((inner) => linkToGroup(inner, true))].join('') : '';
  return `<li><a href="#group-${group.id}">${escaped(group.title)}</a>${list && `<ul>${list}</ul>`}</li>`;
}

/** What the owner of the API sends, if the contract says so. */
function webhooksPart(reference: Reference, place: string): Part[] {
  const { webhooks } = reference.model;
  if (webhooks.length === 0) return [];
  const part = chapter(reference, place, {
    ...{ id: 'all-webhooks', title: 'Webhooks' },
    ids: webhooks.map(webhookId),
    links: webhookLinks(webhooks),
    render: (isHere) =>
      markdown(WEBHOOKS) +
      webhooks
        .filter((webhook) => isHere(webhookId(webhook)))
        .map((webhook) => renderWebhook(reference, webhook, levelOn(place) + 1))
        .join('\n'),
  });
  return [part];
}

function appendix(reference: Reference, place: string): Part[] {
  const { document, headers } = reference;
  const { schemas = {} } = document.components ?? {};
  const lower = `h${levelOn(place) + 1}`;
  return [
    chapter(reference, place, {
      ...{ id: 'response-headers', title: 'Response headers' },
      ids: [...headers.values()].map(({ id }) => id),
      render: (isHere) =>
        markdown(
          headersOf({ ...reference, headers: new Map([...headers].filter(([, { id }]) => isHere(id))) }),
        ),
    }),
    chapter(reference, place, {
      ...{ id: 'all-schemas', title: 'Schemas' },
      ids: Object.keys(schemas).map(schemaId),
      render: (isHere) =>
        contentsOf(reference, place, Object.keys(schemas)) +
        schemaTexts(withSchemas(reference, (name) => isHere(schemaId(name))))
          .map(
            ({ name, text }) =>
              `<section id="${schemaId(name)}"><${lower}>${escaped(name)}</${lower}>${markdown(text)}</section>`,
          )
          .join('\n'),
    }),
  ];
}

/** The reference with some of its schemas alone. */
function withSchemas(reference: Reference, isShown: (name: string) => boolean): Reference {
  const { components } = reference.document;
  const shown = Object.entries(components?.schemas ?? {}).filter(([name]) => isShown(name));
  const document = {
    ...reference.document,
    components: { ...components, schemas: Object.fromEntries(shown) },
  };
  return { ...reference, document };
}

interface Chapter {
  readonly id: string;
  readonly title: string;
  /** Of its parts. */
  readonly ids: readonly string[];
  /** Their entries in the contents, which the page has if it shows some of them. */
  readonly links?: readonly string[];
  readonly render: (isHere: (id: string) => boolean) => string;
}

/** What may fill several pages. */
function chapter(reference: Reference, place: string, { id, title, ids, links, render }: Chapter): Part {
  const isHere = (part: string) => reference.homes.get(part) === place;
  const home = [id, ...ids].some(isHere) ? place : undefined;
  const next = () => linkToNext(reference, ids, place, `More ${title.toLowerCase()}`);
  const part = section(id, title, home, () => render(isHere) + next());
  if (!links || home === undefined) return part;
  return { ...part, link: part.link.replace('</li>', `<ul>${links.join('')}</ul></li>`) };
}

/** Links to all schemas, on the first of several pages. */
function contentsOf({ homes }: Reference, place: string, names: readonly string[]): string {
  const places = new Set(names.map((name) => homes.get(schemaId(name))));
  if (places.size < 2 || homes.get('all-schemas') !== place) return '';
  const links = names.map((name) => `<a href="#${schemaId(name)}">${escaped(name)}</a>`);
  return `<p>${links.join(', ')}</p>`;
}
