import { describeCreated } from '../created/repositories.ts';

/* Repositories as `npm run create` makes them. */

describe('notes', () => describeCreated('notes'));
describe('tickets', () => describeCreated('tickets'));
