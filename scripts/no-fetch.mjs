/* For tools that follow references in examples and extensions of a contract: nothing is fetched. */
globalThis.fetch = () => Promise.reject(new Error('nothing in a contract is fetched'));
