import { dataFormOf, type StreamForm } from '@contract-kit/core/http';

/** The whole items at the beginning of a stream, as the service writes them. Throws an error for anything else. */
export function itemsIn(text: string, form: StreamForm): unknown[] {
  const isLines = form.kind === 'lines';
  const whole = text.split(isLines ? '\n' : '\n\n').slice(0, -1);
  if (isLines) return whole.map((line) => JSON.parse(line) as unknown);
  // Comments, and the last bytes of a service that stops, are no items.
  return whole.filter((block) => !/^(:|retry: \d+$)/.test(block)).map((block) => eventIn(block, form));
}

/** An event (WHATWG HTML §9.2.5), with its data decoded. */
function eventIn(block: string, form: StreamForm): object {
  const fields = block.split('\n').map((line) => {
    const [, name = '', value = ''] = /^(event|id|retry|data): (.*)$/.exec(line) ?? [];
    if (name === '') throw new SyntaxError(`this is no field of an event: ${line}`);
    return { name, value };
  });
  const data = fields.flatMap(({ name, value }) => (name === 'data' ? [value] : [])).join('\n');
  const others = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return {
    ...others,
    ...('retry' in others && { retry: Number(others['retry']) }),
    data: dataFormOf(form, others['event']) === 'json' ? (JSON.parse(data) as unknown) : data,
  };
}
