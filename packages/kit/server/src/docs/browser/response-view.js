/* global URL */
import { isJson, isText, nameOfFile } from '@contract-kit/core/http';
import { codeBlock, indented } from './code.js';
import { make } from './elements.js';
import { isStream, streamView } from './stream-view.js';

/** The most characters of a body that are shown. */
const MOST_SHOWN = 100_000;
const MOST_INDENTED = 1_000_000;

/** What the page shows of a response, and the body of an error to look for faults in. */
export async function responseView(response, id, stop) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  const more = make('details', {}, make('summary', { textContent: 'Headers' }), codeBlock(lines.join('\n')));
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  if (isStream(type) && response.body) return { view: [streamView(response, type, stop), more] };
  const blob = await response.blob();
  if (blob.size === 0) return { view: ['No body.', more] };
  const isShown = type === '' || isJson(type) || isText(type);
  const text = isShown ? await blob.text() : '';
  const shown = isJson(type) && text.length < MOST_INDENTED ? indented(text) : text;
  const isCut = shown.length > MOST_SHOWN;
  const disposition = response.headers.get('content-disposition') ?? '';
  const isSaved = !isShown || isCut || type.startsWith('image/') || /^\s*attachment/i.test(disposition);
  const view = [
    ...(isShown ? [codeBlock(shown.slice(0, MOST_SHOWN))] : []),
    ...(isCut ? [make('p', {}, `These are the first ${MOST_SHOWN.toLocaleString('en')} characters.`)] : []),
    ...(isSaved ? [make('p', {}, saveLink(blob, nameOfFile(disposition) || `${id}.${endingOf(type)}`))] : []),
    more,
  ];
  const isError = response.status >= 400 && response.status < 500;
  return isError && isShown ? { view, error: valueOf(text) } : { view };
}

function valueOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** As bytes, which no browser shows: its address has the origin of this page. */
function saveLink(blob, download) {
  const href = URL.createObjectURL(blob.slice(0, blob.size, 'application/octet-stream'));
  return make('a', {
    href,
    download,
    textContent: `Save ${download} (${blob.size.toLocaleString('en')} bytes)`,
  });
}

const ENDINGS = {
  jpeg: 'jpg',
  plain: 'txt',
  'x-gzip': 'gz',
  gzip: 'gz',
  mpeg: 'mp3',
  javascript: 'js',
  markdown: 'md',
};

function endingOf(type) {
  const [, name = ''] = /^[^/]+\/(?:[^;+]*\+)?([^;\s]*)/.exec(type.replace('svg+xml', 'svg')) ?? [];
  return ENDINGS[name] ?? (/^[a-z0-9]{2,5}$/.test(name) ? name : 'bin');
}
