/* global File, FormData, URLSearchParams */
import { cookieWithKey, keyText, urlWithKey } from '@contract-kit/core/http';
import { requestUrl, samplesFor, styledForm, written, writtenText } from './samples.js';

// Loaded in the head, so the reader's colours apply before the first paint.
const root = document.documentElement;
root.style.colorScheme = stored((storage) => storage.getItem('theme')) ?? '';

const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const one = (id) => document.getElementById(id);
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

addEventListener('DOMContentLoaded', () => {
  leaveForAnotherPage();
  chooseLanguage(stored((storage) => storage.getItem('language')));
  one('page-theme').value = root.style.colorScheme;
  search(one('page-search'), one('page-found'));
  markSection(one('page-contents'));
  document.addEventListener('change', ({ target }) => {
    if (target.id === 'page-theme') chooseColours(target.value);
    if (target.matches('.samples input')) {
      // Keeps the scroll position.
      const { top } = target.parentElement.getBoundingClientRect();
      chooseLanguage(target.value);
      scrollBy(0, target.parentElement.getBoundingClientRect().top - top);
      stored((storage) => storage.setItem('language', target.value));
    }
  });
  document.addEventListener('input', ({ target }) => {
    for (const other of all('[data-key]'))
      if (other.dataset.key === target.dataset.key) other.value = target.value;
    if (target.form?.dataset.request) showSamples(target.form);
  });
  document.addEventListener('click', ({ target }) => {
    if (target.matches('.copy'))
      copy(target, target.parentElement.querySelector('label:has(:checked) + pre'));
  });
  document.addEventListener('submit', (event) => {
    if (event.target.method === 'dialog') return;
    event.preventDefault();
    if (event.target.dataset.request) tryOut(event.target, event.target.nextElementSibling);
  });
});

function chooseColours(theme) {
  root.style.colorScheme = theme;
  stored((storage) => storage.setItem('theme', theme));
}

/** The result of `use` on the storage; undefined if the reader blocks it. */
function stored(use) {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** One choice applies to the whole page. */
function chooseLanguage(language) {
  for (const radio of all('.samples input')) if (radio.value === language) radio.checked = true;
}

/** If each group has a page, a link to `/docs#operation` is redirected to it. */
function leaveForAnotherPage() {
  const id = location.hash.slice(1);
  const link = id && !one(id) && all('nav a').find(({ hash }) => hash === location.hash);
  if (link) location.replace(link.href);
}

async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    // Without a clipboard, as on plain http, the text is selected for the reader to copy.
    getSelection().selectAllChildren(code);
    button.textContent = 'Selected';
  }
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

const KINDS = [
  ['Operations', 'article[aria-labelledby]'],
  ['Sections', '#page-start, main section:not(:has(article, section), [id^="schema-"])'],
  ['Schemas', '[id^="schema-"]'],
  ['Error codes', 'tr[id^="error-"]'],
  ['Headers', 'tr[id^="header-"]'],
];

function search(input, found) {
  const entryOf = (kind, href, element, title) => ({
    kind,
    href,
    title: title.textContent,
    method: element.querySelector('.method')?.cloneNode(true),
    within: element.textContent.toLowerCase(),
  });
  const onPage = KINDS.flatMap(([kind, selector]) =>
    all(selector).map((item) =>
      entryOf(kind, `#${item.id}`, item, item.querySelector('h1, h2, h3, h4, h5, code')),
    ),
  );
  const onOtherPages = all('nav a:has(.method)')
    .filter(({ hash }) => !one(hash.slice(1)))
    .map((link) => entryOf('Operations', link.href, link, link.lastChild));
  const entries = [...onPage, ...onOtherPages];
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const among = (text) => words.every((word) => text.includes(word));
    const hits = entries.filter(({ within }) => words.length > 0 && among(within));
    hits.sort((a, b) => among(b.title.toLowerCase()) - among(a.title.toLowerCase()));
    const groups = KINDS.flatMap(([kind]) => {
      const links = hits
        .filter((hit) => hit.kind === kind)
        .slice(0, 5)
        .map(({ href, method, title }) => {
          const link = make('a', { href });
          link.append(...(method ? [method.cloneNode(true), ' '] : []), title);
          return listItem(link);
        });
      if (links.length === 0) return [];
      const list = make('ul', {});
      list.append(...links);
      return [listItem(make('small', { textContent: kind }), list)];
    });
    found.replaceChildren(...(groups.length > 0 ? groups : [listItem('Nothing found.')]));
    found.hidden = words.length === 0;
  };
  input.addEventListener('input', show);
  document.addEventListener('focusin', ({ target }) => {
    if (target === input) show();
    else found.hidden ||= !found.contains(target);
  });
  found.addEventListener('click', () => (found.hidden = true));
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true;
    if (event.key === 'Enter' && event.target === input) found.querySelector('a')?.click();
    const stops = [input, ...all('a', found)];
    const place = stops.indexOf(event.target) + ({ ArrowDown: 1, ArrowUp: -1 }[event.key] ?? NaN);
    if (!found.hidden && stops[place]) {
      event.preventDefault();
      stops[place].focus();
    }
    const isTyping = event.target.matches('input, textarea, select');
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key === 'k';
    if (!isShortcut && (event.key !== '/' || isTyping)) return;
    event.preventDefault();
    input.select();
  });
}

function listItem(...content) {
  const item = make('li', {});
  item.append(...content);
  return item;
}

/** Marks the current section in the contents, and closes them after a click. */
function markSection(contents) {
  const links = all('a', contents).filter(({ hash }) => one(hash.slice(1)));
  const mark = () => {
    const isPassed = ({ hash }) => one(hash.slice(1)).getBoundingClientRect().top < 120;
    const link = links.findLast(isPassed) ?? links[0];
    if (link.ariaCurrent) return;
    for (const other of links) other.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    contents.scrollTop = link.offsetTop - contents.clientHeight / 2;
  };
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
  contents.addEventListener('click', ({ target }) => {
    if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
  });
}

/** The request that the form describes. For a sample, files are names, and empty required fields have examples. */
function requestOf(form, forSample) {
  const parameters = all('[data-parameter]', form).flatMap((field) => {
    const { example, isList, isShown, type, ...parameter } = JSON.parse(field.dataset.parameter);
    const text = field.value || (forSample && isShown ? example : '');
    if (text === '') return [];
    const files = field.files?.length ? [...field.files] : [text];
    const texts = isList && type !== 'json' ? text.split(/\s*,\s*/) : text;
    const value = parameter.isFile
      ? files.map((file) => (forSample ? (file.name ?? file) : file))
      : Array.isArray(texts)
        ? texts.map((text) => typed(text, type))
        : typed(texts, type);
    return [{ ...parameter, value }];
  });
  const { base, server } = document.body.dataset;
  return { ...JSON.parse(form.dataset.request), base: forSample ? server : base, parameters };
}

/** A number stays text if parsing would change it, such as an integer above 2^53−1. */
function typed(text, type) {
  if (type === 'boolean') return text === 'true';
  if (type === 'json') return parsed(text);
  return /^(integer|number)$/.test(type) && String(Number(text)) === text ? Number(text) : text;
}

function enteredBody({ bodyType, bodyKind, parameters }, input) {
  if (bodyKind !== 'form') return input?.files?.[0] ?? (input?.value || undefined);
  const text = styledForm(parameters);
  if (text !== undefined) return text;
  const data = bodyType === 'multipart/form-data' ? new FormData() : new URLSearchParams();
  for (const { in: place, name, value } of parameters)
    if (place === 'form')
      for (const item of [value].flat()) data.append(name, item instanceof File ? item : writtenText(item));
  return data;
}

function showSamples(form) {
  try {
    const request = requestOf(form, true);
    const [input] = all('[data-body]', form);
    const text = input?.files?.[0]?.name ?? (input?.files ? 'file' : input?.value || undefined);
    const body = text && request.bodyKind === 'json' ? parsed(text) : text;
    const samples = samplesFor({ ...request, body }, JSON.parse(document.body.dataset.names));
    const shown = all('.samples pre', form.closest('article'));
    for (const [index, { source }] of samples.entries()) showCode(shown[index].firstChild, source);
  } catch {
    // The JSON is incomplete: keep the last sample.
  }
}

/** Highlights strings, as the server does. */
function showCode(code, source) {
  const parts = source.split(/(".*?"|'[^'\n]*'|`[^`\n]*`)/);
  const nodes = parts.map((textContent, index) => (index % 2 ? make('span', { textContent }) : textContent));
  code.replaceChildren(...nodes);
}

/** Media types of streams, which may have no end. */
const STREAM = /^(text\/event-stream|application\/(jsonl|x-ndjson))\b/;
/** Parts of a stream that are kept. */
const MOST_PARTS = 1_000;
/** What ends the stream in a panel. */
const streams = new WeakMap();

async function tryOut(form, panel) {
  const keys = credentials(form);
  if (!keys) {
    panel.textContent = 'Enter a key above first.';
    all('[data-key]', form)[0].focus();
    return;
  }
  const [input] = all('[data-body]', form);
  let request;
  let target;
  let body;
  const headers = new Headers();
  try {
    request = requestOf(form, false);
    target = requestUrl(request);
    body = enteredBody(request, input);
    for (const parameter of request.parameters) {
      const text = parameter.in === 'header' ? written(parameter) : undefined;
      if (text !== undefined) headers.set(parameter.name, text);
    }
  } catch (error) {
    panel.textContent = `${error instanceof SyntaxError ? 'This is not valid JSON' : 'Not sent'}: ${error.message}`;
    return;
  }
  const { method, bodyType, bodyKind, isRange } = request;
  if (body && (bodyKind !== 'form' || typeof body === 'string'))
    headers.set('Content-Type', (isRange && body.type) || bodyType);
  // Added after `target`, which is shown.
  let url = target;
  for (const { in: place, name, prefix, key } of keys)
    if (place === 'query') url = urlWithKey(url, name, key);
    else if (place === 'header') headers.set(name, keyText(prefix, key));
  const title = form.closest('article').querySelector('[id^="title-"]').textContent;
  const isSafe = /^(GET|HEAD|OPTIONS|QUERY)$/.test(method);
  if (!isSafe && !(await isConfirmed(`${title}?`, `${method} ${target}`))) return;
  // One per request, so that a late response does not replace a newer one.
  const answer = make('div', { textContent: 'Sending …' });
  panel.replaceChildren(answer);
  const start = performance.now();
  const stop = new AbortController();
  // A request that is sent again ends the stream of the one before.
  streams.get(panel)?.abort();
  streams.set(panel, stop);
  try {
    const { signal } = stop;
    const credentials = request.takesCookie ? 'same-origin' : 'omit';
    const response = await withCookies(
      keys.filter(({ in: place, key }) => place === 'cookie' && key),
      () => fetch(url, { method, headers, body, cache: 'no-store', credentials, signal }),
    );
    const isStream = STREAM.test(response.headers.get('content-type') ?? '');
    const content = isStream ? '' : await contentOf(response);
    const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
    const summary = make('p', {});
    summary.append(
      make('span', { className: `status s${String(response.status)[0]}`, textContent: response.status }),
      ` ${method} ${target} `,
      make('small', { textContent: `${Math.round(performance.now() - start)} ms` }),
    );
    const more = make('details', {});
    more.append(make('summary', { textContent: 'Headers' }), codeBlock(lines.join('\n')));
    const shown = isStream ? streamOf(response, stop) : content ? codeBlock(content) : 'No body.';
    answer.replaceChildren(summary, shown, more);
  } catch (error) {
    answer.replaceChildren(`There is no complete response: ${error.message}`);
  }
}

/** Sends a request with keys in cookies, which only the browser writes: it has them until the response begins. */
async function withCookies(keys, send) {
  const cookies = keys.map(({ name, key }) => {
    const before = pageCookies().find((cookie) => cookie.startsWith(`${name}=`));
    return { name, before, cookie: cookieWithKey(name, key) };
  });
  try {
    for (const { name, cookie } of cookies) {
      setCookie(cookie);
      if (pageCookies().includes(cookie)) continue;
      throw new Error(`this browser lets no page set the cookie ${name}. Log out, or leave the key empty.`);
    }
    return await send();
  } finally {
    for (const { name, before } of cookies) setCookie(before ?? `${name}=; max-age=0`);
  }
}

const pageCookies = () => document.cookie.split('; ');

function setCookie(cookie) {
  // Names with these prefixes need it, and most browsers take it on localhost without TLS.
  const isSecure = location.protocol === 'https:' || /^__(Host|Secure)-/i.test(cookie);
  document.cookie = `${cookie}; path=/; samesite=strict${isSecure ? '; secure' : ''}`;
}

/** A stream as it arrives, with a button that ends it. */
function streamOf(response, stop) {
  const view = make('div', {});
  // Not read aloud: it may have no end.
  const block = make('pre', { tabIndex: 0, ariaLive: 'off' });
  const button = make('button', { type: 'button', textContent: 'Stop' });
  button.addEventListener('click', () => stop.abort());
  view.append(button, block);
  const read = async () => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      block.append(part.value);
      if (block.childNodes.length > MOST_PARTS) block.firstChild.remove();
    }
    return 'The stream has ended.';
  };
  const failed = ({ message }) => (stop.signal.aborted ? 'Stopped.' : `The stream broke off: ${message}`);
  read()
    .catch(failed)
    .then((textContent) => button.replaceWith(make('p', { textContent })));
  return view;
}

function codeBlock(source) {
  const block = make('pre', { tabIndex: 0 });
  showCode(block, source);
  return block;
}

/**
 * The keys of the first alternative whose fields are all filled in, otherwise of one whose other keys are cookies that the
 * browser may have; undefined if there is none.
 */
function credentials(form) {
  const field = (id) => all('[data-key]', form).find(({ dataset }) => dataset.key === id);
  const isFilled = ({ value, validity }) => value.trim() !== '' && validity.valid;
  const mayHave = ({ value, dataset }) => value === '' && JSON.parse(dataset.credential).in === 'cookie';
  const alternatives = JSON.parse(form.dataset.security);
  const ready =
    alternatives.find((ids) => ids.every((id) => isFilled(field(id)))) ??
    alternatives.find((ids) => ids.every((id) => isFilled(field(id)) || mayHave(field(id))));
  return ready?.map((id) => {
    const { value, dataset } = field(id);
    return { ...JSON.parse(dataset.credential), key: value.trim() };
  });
}

function isConfirmed(title, request) {
  const dialog = one('page-confirm');
  dialog.querySelector('h2').textContent = title;
  dialog.querySelector('code').textContent = request;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'send'), { once: true });
  });
}

/** Indents JSON and keeps its numbers as text, so 64-bit ids stay exact. */
async function contentOf(response) {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|^text|^$/.test(type)) return `${(await response.blob()).size} bytes`;
  const text = await response.text();
  try {
    return type.includes('json') && JSON.rawJSON ? JSON.stringify(parsed(text), undefined, 2) : text;
  } catch {
    return text;
  }
}

/** Writes JSON, with inexact numbers as they were typed. */
function parsed(text) {
  return JSON.parse(text, (_name, value, { source } = {}) =>
    typeof value === 'number' && String(value) !== source && JSON.rawJSON ? JSON.rawJSON(source) : value,
  );
}
