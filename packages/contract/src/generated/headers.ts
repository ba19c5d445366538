// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

/** The JSON type of every header that a reply may declare. */
export const headerTypes: Readonly<Record<string, string>> = {
  "X-RateLimit-Limit": "integer",
  "X-RateLimit-Remaining": "integer",
  "X-RateLimit-Reset": "integer",
  "X-Request-Id": "string",
  "WWW-Authenticate": "string",
  "Retry-After": "integer",
  "Deprecation": "string",
  "Sunset": "string",
  "Link": "string",
};
