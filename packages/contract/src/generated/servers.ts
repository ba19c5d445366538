// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

/** The addresses of this version of the API. */
export const servers = {
  "production": "https://api.petstore.example/v1",
  "staging": "https://staging.petstore.example/v1",
  "local": "http://localhost:3000/v1",
} as const;

/** The path that each of them ends in. */
export const basePath = "/v1";

/** The version of the contract that this was generated from. */
export const contractVersion = "1.0.0";
