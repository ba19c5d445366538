import { codeBlock, indented } from './code.js';
import { make } from './elements.js';

const EVENTS = /^text\/event-stream\b/;
const LINES = /^application\/(x-)?(jsonl|jsonlines|ndjson|json-seq)\b/;

/** Whether a response may have no end, with items to show as they arrive. */
export const isStream = (type) => EVENTS.test(type) || LINES.test(type);

/** Items that are kept, and characters of one. */
const MOST_ITEMS = 200;
const MOST_OF_ITEM = 100_000;

/** The items of a stream as they arrive, with a button that ends it. */
export function streamView(response, type, stop) {
  const list = make('ol', { className: 'items' });
  const button = make('button', { type: 'button', textContent: 'Stop' });
  const count = make('small', {});
  const state = make('p', { role: 'status', tabIndex: -1 }, button);
  button.addEventListener('click', () => stop.abort());
  let items = 0;
  const show = ({ title, text }) => {
    items += 1;
    count.textContent =
      items > MOST_ITEMS ? `${items} items, the last ${MOST_ITEMS} below` : `${items} items`;
    const block = codeBlock(indented(text.slice(0, MOST_OF_ITEM)));
    list.append(make('li', {}, ...(title ? [make('small', { textContent: title })] : []), block));
    if (list.childElementCount > MOST_ITEMS) list.firstChild.remove();
  };
  const add = EVENTS.test(type) ? eventReader(show) : lineReader((text) => text.trim() && show({ text }));
  const read = async () => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) add(part.value);
    add.end?.();
    return 'The stream has ended.';
  };
  const failed = ({ message }) => (stop.signal.aborted ? 'Stopped.' : `The stream broke off: ${message}`);
  read()
    .catch(failed)
    .then((text) => {
      // The keyboard stays here.
      if (document.activeElement === button) state.focus();
      button.replaceWith(text);
    });
  return make('div', {}, state, count, list);
}

/** Takes parts of a text, and gives each line to `take` (RFC 7464 has U+001E before each). */
function lineReader(take, end = /[\n\x1E]/) {
  let rest = '';
  const add = (part) => {
    const lines = (rest + part).split(end);
    rest = lines.pop();
    lines.forEach(take);
  };
  return Object.assign(add, { end: () => take(rest) });
}

/** Takes parts of an event stream (WHATWG HTML §9.2.6), and gives each event to `show`. Comments are not shown. */
function eventReader(show) {
  let event = { data: [] };
  const add = lineReader((line) => {
    if (line === '') {
      const title = ['event', 'id'].filter((name) => event[name]).map((name) => `${name}: ${event[name]}`);
      if (event.data.length > 0) show({ title: title.join(' · '), text: event.data.join('\n') });
      event = { data: [] };
      return;
    }
    const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (name === 'data') event.data.push(value);
    else if (name === 'event' || name === 'id') event[name] = value;
  }, /\r\n|\n|\r(?!$)/);
  // An event without its empty line is not complete.
  return (part) => add(part);
}
