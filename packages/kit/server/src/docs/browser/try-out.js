/* global File, FormData, URLSearchParams */
import { cookieWithKey, keyText, urlWithKey } from '@contract-kit/core/http';
import { all, make, one } from './elements.js';
import { requestUrl, samplesFor, styledForm, written, writtenText } from './samples.js';

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

export function showSamples(form) {
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

export async function tryOut(form, panel) {
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
