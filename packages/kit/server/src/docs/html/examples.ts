import type { Example } from '../markdown/examples.ts';
import { anchor, escaped } from './links.ts';
import { inline, markdown, pre } from './text.ts';

/** One of several examples is open, to choose from. */
export function examplesHtml(all: readonly Example[]): string {
  return all
    .map(({ title, description, text, url = '' }, index) => {
      const shown = text === undefined ? `<p>${anchor(url, escaped(url))}</p>` : pre(text);
      if (title === '') return shown;
      return `<details${index === 0 ? ' open' : ''}><summary>${inline(title)}</summary>${markdown(description)}${shown}</details>`;
    })
    .join('');
}
