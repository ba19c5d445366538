import { compareClients } from './compare.ts';

await compareClients((line) => console.log(line));
