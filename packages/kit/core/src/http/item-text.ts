import { dataFormOf, type StreamForm } from './stream-form.ts';

/** The end of a line in an event stream (WHATWG HTML §9.2.5). */
const LINE_END = /\r\n|\r|\n/;

/** An item as it is sent. Throws a TypeError if it cannot be sent as the contract says. */
export function itemText(item: unknown, form: StreamForm): string {
  return form.kind === 'lines' ? `${jsonOf(item)}\n` : eventText(item, form);
}

/** An event of the event stream format (WHATWG HTML §9.2.5). */
function eventText(item: unknown, form: StreamForm): string {
  if (typeof item !== 'object' || item === null) throw new TypeError('an event is an object with data');
  const { event, data, id, retry } = item as Record<string, unknown>;
  const fields = [
    field('event', event, LINE_END),
    // Readers ignore an id with U+0000.
    field('id', id, /[\r\n\0]/),
  ];
  if (retry !== undefined) {
    if (typeof retry !== 'number' || !Number.isSafeInteger(retry) || retry < 0)
      throw new TypeError('the retry of an event is no number of milliseconds');
    fields.push(`retry: ${retry}\n`);
  }
  const isText = dataFormOf(form, event as string | undefined) === 'text';
  if (isText && typeof data !== 'string') throw new TypeError('the data of the event is no text');
  for (const line of (isText ? (data as string) : jsonOf(data)).split(LINE_END))
    fields.push(`data: ${line}\n`);
  return `${fields.join('')}\n`;
}

function field(name: string, value: unknown, excluded: RegExp): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') throw new TypeError(`the ${name} of an event is no text`);
  if (excluded.test(value)) throw new TypeError(`the ${name} of an event has a character that ends it`);
  return `${name}: ${value}\n`;
}

/** JSON text has no line ends (RFC 8259 §7). */
function jsonOf(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError('the item is no JSON value');
  return text;
}
