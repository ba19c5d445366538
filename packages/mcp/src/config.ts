import { createPetstore, type Petstore } from '@petstore/client';

// MCP clients give a call up after a minute or so. Before that, a model is told when to call again.
const BUDGET = 30_000;

/** The API that the environment names; what is empty counts as not set. Throws an Error that says what to mend. */
export function connect(): Petstore {
  const { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: baseUrl } = process.env;
  if (!apiKey)
    throw new Error(
      'PETSTORE_API_KEY is not set: give it your API key (pst_…) in the "env" of this server, in the settings of your MCP client',
    );
  try {
    return createPetstore({ apiKey, baseUrl: baseUrl || undefined, budget: BUDGET });
  } catch (error) {
    // The client does not repeat the key.
    throw new Error(`PETSTORE_API_KEY or PETSTORE_BASE_URL is wrong: ${(error as Error).message}`);
  }
}
