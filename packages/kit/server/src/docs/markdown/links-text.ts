import { linkedOperation } from '@contract-kit/core/model';
import { codeText } from './fields.ts';
import { joined, line } from './blocks.ts';
import type { Response } from '../openapi.ts';
import type { Served } from '../served.ts';

/** What can be called with a response, in Markdown. */
export function linksText({ model }: Served, { links }: Response): string {
  const items = links.map((link) => {
    const { name, description, operationId, operationRef = '', parameters = {}, requestBody, server } = link;
    const target = linkedOperation(link, model);
    const called = target ? `[${codeText(target.id)}](#${target.id})` : codeText(operationId ?? operationRef);
    const given = [
      ...Object.entries(parameters).map(
        ([parameter, value]) => `${codeText(parameter)} = ${codeText(value)}`,
      ),
      ...(requestBody === undefined ? [] : [`the body ${codeText(requestBody)}`]),
    ];
    const where = server ? `, at ${codeText(server.url)}` : '';
    return `- ${codeText(name)}: calls ${called}${given.length > 0 ? ` with ${given.join(', ')}` : ''}${where}.${description ? ` ${line(description)}` : ''}`;
  });
  return joined([items.length > 0 && 'Links:', items.join('\n')]);
}
