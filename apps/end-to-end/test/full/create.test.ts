import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { describeCreated } from '../created/repositories.ts';
import { create } from '../support/repository.ts';

/* `npm run create`, and a repository with two handlers written. */

const contracts = path.resolve(import.meta.dirname, '../created');
const textOf = (file: string) => readFileSync(file, 'utf8');

test('a refusal says why, and leaves no folder', async () => {
  const parent = newFolder();
  const folder = path.join(parent, 'notes');
  const notes = path.join(contracts, 'notes.yaml');
  const tls = path.join(newFolder(), 'tls.yaml');
  writeFileSync(tls, textOf(notes).replace(/type: apiKey, in: query, name: api_key/, 'type: mutualTLS'));
  const refused = (reason: RegExp, ...args: string[]) => expect(create(...args)).rejects.toThrow(reason);
  await refused(/--name must|cannot be|a name has at most/, folder, '--contract', notes, '--name', '../up');
  for (const name of ['contract-kit', 'api', 'service', 'node'])
    await refused(/the name is taken/, folder, '--contract', notes, '--name', name);
  await refused(/The name of the folder, '2 notes'/, path.join(parent, '2 notes'), '--contract', notes);
  await refused(/FOLDER and --contract are needed/, folder);
  await refused(/tls.yaml:\d+:\d+: .*mutual TLS/, folder, '--contract', tls);
  await refused(/none\.yaml/, folder, '--contract', path.join(parent, 'none.yaml'));
  await refused(/only files are read: download it/, folder, '--contract', 'https://api.example/openapi.yaml');
  await refused(
    /\n\S+notes\.yaml is a file, not a folder\.\n$/,
    path.join(notes, 'shop'),
    '--contract',
    notes,
  );
  expect(readdirSync(parent)).toEqual([]);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'mine.txt'), 'mine');
  await refused(/is not an empty folder/, folder, '--contract', notes);
  expect(readdirSync(parent)).toEqual(['notes']);
  expect(readdirSync(folder)).toEqual(['mine.txt']);
});

describe('bookings', () => describeCreated('bookings'));
