// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import type { Contract } from '@contract-kit/core';
import type { Operations } from './operations.ts';
import { plans } from './plans.ts';

/** The contract as plain data. */
export const document: Record<string, unknown> = {
  "openapi": "3.1.0",
  "info": {
    "title": "Petstore Store Orders",
    "version": "1.0.0",
    "summary": "List the orders of the store, and cancel one.",
    "description": "A demonstration petstore API that returns JSON.\n\n## Authentication\n\nSend your API key as a bearer token with every request:\n\n```\nAuthorization: Bearer pst_…\n```\n\nAsk [support](https://petstore.example/support) for a key; a demonstration that you start yourself (`npm start`)\nprints one. Anyone who has the key can cancel orders: keep it in a secret store or in the environment, and never put\nit into a URL. A missing, unknown or revoked key gets `401`.\n\n## Rate limits\n\nRequests are counted per API key, in two windows: one of 60 seconds and one of 24 hours. The first\nrequest after a window has ended opens the next one. Your plan sets the quotas.\n\nEvery request under `/v1` counts, also one that fails. Only these do not: `OPTIONS`, a request that is rejected with\n`429`, and one that fails before its key is known. The last is not readable as HTTP, or gets `503` because the\nservice is overloaded or cannot check keys.\n\nRequests without a valid key count against the client's address, at the quota of the Free plan.\n\nEvery response carries `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`. They describe the\nwindow with fewer requests left.\n\nOn `429`, wait for the seconds in `Retry-After`, then retry with exponential backoff. A key that gets as many `429`\nresponses in one minute as its quota per minute is banned temporarily: the code is then `api_key_banned`, and\n`Retry-After` points at the end of the ban.\n\n## Errors\n\nEvery error has the same body. Match `status` or `code`, never `message`. New codes may appear at any time: handle\nan unknown one by its status.\n\n## Versions\n\nThe version is the last segment of the server's path, now `v1`. Filtering and pagination of the order list are\nplanned for `v2`; `v1` rejects an unknown query parameter with `400`.\n",
    "contact": {
      "name": "Petstore API support",
      "url": "https://petstore.example/support"
    },
    "license": {
      "name": "MIT",
      "identifier": "MIT"
    }
  },
  "servers": [
    {
      "url": "https://api.petstore.example/v1",
      "description": "Production"
    },
    {
      "url": "https://staging.petstore.example/v1",
      "description": "Staging"
    },
    {
      "url": "http://localhost:3000/v1",
      "description": "A server on this machine (`npm start`)"
    }
  ],
  "security": [
    {
      "apiKey": []
    }
  ],
  "tags": [
    {
      "name": "store",
      "x-displayName": "Store",
      "description": "What the store sells, and who buys it."
    },
    {
      "name": "orders",
      "x-displayName": "Orders",
      "x-parent": "store",
      "description": "Orders placed in the store."
    },
    {
      "name": "pets",
      "x-displayName": "Pets",
      "description": "The animals of the store."
    }
  ],
  "x-rate-limit-plans": {
    "free": {
      "name": "Free",
      "perMinute": 60,
      "perDay": 1000
    },
    "pro": {
      "name": "Pro",
      "perMinute": 300,
      "perDay": 10000
    },
    "business": {
      "name": "Business",
      "perMinute": 1000,
      "perDay": 100000
    },
    "enterprise": {
      "name": "Enterprise",
      "perMinute": "custom",
      "perDay": "custom"
    }
  },
  "x-error-codes": {
    "invalid_request": {
      "status": 400,
      "description": "The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged."
    },
    "unauthorized": {
      "status": 401,
      "description": "The API key is missing, unknown or revoked."
    },
    "order_not_found": {
      "status": 404,
      "description": "No order has the given id."
    },
    "pet_not_found": {
      "status": 404,
      "description": "No pet has the given id."
    },
    "not_found": {
      "status": 404,
      "description": "There is nothing at this path."
    },
    "method_not_allowed": {
      "status": 405,
      "description": "The path exists, but not for this method. The `Allow` header lists the methods it has."
    },
    "request_timeout": {
      "status": 408,
      "description": "The request did not arrive completely in time."
    },
    "order_already_shipped": {
      "status": 409,
      "description": "The order has already shipped. It stays as it is; shipping cannot be reversed."
    },
    "unsupported_media_type": {
      "status": 415,
      "description": "The operation does not accept a body of this media type."
    },
    "expectation_failed": {
      "status": 417,
      "description": "The `Expect` header asks for something other than `100-continue`."
    },
    "rate_limit_exceeded": {
      "status": 429,
      "description": "A quota of the plan is used up. Wait for the seconds in `Retry-After`, then retry with exponential backoff."
    },
    "api_key_banned": {
      "status": 429,
      "description": "The key kept sending requests after repeated `429` responses and is banned until the time that `Retry-After` and `X-RateLimit-Reset` give."
    },
    "request_header_fields_too_large": {
      "status": 431,
      "description": "The request line and headers are too large."
    },
    "internal_error": {
      "status": 500,
      "description": "The server failed. Quote the `X-Request-Id` to support. The request may be retried."
    },
    "service_unavailable": {
      "status": 503,
      "description": "The server is temporarily unavailable. Retry after the seconds in `Retry-After`."
    }
  },
  "components": {
    "securitySchemes": {
      "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "description": "Your API key, sent as `Authorization: Bearer <API_KEY>`."
      }
    },
    "headers": {
      "X-RateLimit-Limit": {
        "description": "The request limit that applies to the caller, in the window with fewer requests left.",
        "required": true,
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 60
      },
      "X-RateLimit-Remaining": {
        "description": "Requests remaining in the current window.",
        "required": true,
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 57
      },
      "X-RateLimit-Reset": {
        "description": "Unix timestamp, in seconds, at which the limit resets.",
        "required": true,
        "schema": {
          "type": "integer",
          "minimum": 0
        },
        "example": 1795251660
      },
      "X-Request-Id": {
        "description": "Identifier of this request, for support. A well-formed identifier from the client is kept.",
        "required": true,
        "schema": {
          "type": "string",
          "minLength": 1,
          "maxLength": 128
        },
        "example": "5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a"
      },
      "Retry-After": {
        "description": "Whole seconds to wait before the next request (RFC 9110 §10.2.3).",
        "required": true,
        "schema": {
          "type": "integer",
          "minimum": 1
        },
        "example": 17
      },
      "WWW-Authenticate": {
        "description": "The scheme to use, and the error of an invalid token (RFC 6750 §3).",
        "required": true,
        "schema": {
          "type": "string"
        },
        "example": "Bearer realm=\"petstore\""
      },
      "Deprecation": {
        "description": "When the operation was deprecated, as a structured date (RFC 9745).",
        "required": true,
        "schema": {
          "type": "string",
          "pattern": "^@[0-9]+$"
        },
        "example": "@1793491200"
      },
      "Sunset": {
        "description": "When the operation will be removed, as an HTTP-date (RFC 8594).",
        "required": true,
        "schema": {
          "type": "string"
        },
        "example": "Wed, 30 Jun 2027 00:00:00 GMT"
      },
      "Link": {
        "description": "Where the deprecation and the sunset are documented (RFC 8288).",
        "required": true,
        "schema": {
          "type": "string"
        },
        "example": "</docs#getPet>; rel=\"deprecation\"; type=\"text/html\", </docs#getPet>; rel=\"sunset\"; type=\"text/html\""
      }
    },
    "responses": {
      "BadRequest": {
        "description": "The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged.",
        "x-error-codes": [
          "invalid_request"
        ],
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "X-Request-Id": {
            "$ref": "#/components/headers/X-Request-Id"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "invalid_request",
              "message": "Unknown query parameter 'page'.",
              "status": 400
            }
          }
        }
      },
      "Unauthorized": {
        "description": "The API key is missing, unknown or revoked.",
        "x-error-codes": [
          "unauthorized"
        ],
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "X-Request-Id": {
            "$ref": "#/components/headers/X-Request-Id"
          },
          "WWW-Authenticate": {
            "$ref": "#/components/headers/WWW-Authenticate"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "unauthorized",
              "message": "The API key is missing: send it as `Authorization: Bearer <API_KEY>`.",
              "status": 401
            }
          }
        }
      },
      "TooManyRequests": {
        "description": "A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`.",
        "x-error-codes": [
          "rate_limit_exceeded",
          "api_key_banned"
        ],
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "X-Request-Id": {
            "$ref": "#/components/headers/X-Request-Id"
          },
          "Retry-After": {
            "$ref": "#/components/headers/Retry-After"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "rate_limit_exceeded",
              "message": "The limit of 60 requests per minute is used up. Retry in 17 seconds.",
              "status": 429
            }
          }
        }
      },
      "InternalError": {
        "description": "The server failed. Quote the `X-Request-Id` to support. The request may be retried.",
        "x-error-codes": [
          "internal_error"
        ],
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "X-Request-Id": {
            "$ref": "#/components/headers/X-Request-Id"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "internal_error",
              "message": "The server failed. Quote the X-Request-Id to support.",
              "status": 500
            }
          }
        }
      },
      "ServiceUnavailable": {
        "description": "The server is temporarily unavailable. Retry after the seconds in `Retry-After`.",
        "x-error-codes": [
          "service_unavailable"
        ],
        "headers": {
          "X-RateLimit-Limit": {
            "$ref": "#/components/headers/X-RateLimit-Limit"
          },
          "X-RateLimit-Remaining": {
            "$ref": "#/components/headers/X-RateLimit-Remaining"
          },
          "X-RateLimit-Reset": {
            "$ref": "#/components/headers/X-RateLimit-Reset"
          },
          "X-Request-Id": {
            "$ref": "#/components/headers/X-Request-Id"
          },
          "Retry-After": {
            "$ref": "#/components/headers/Retry-After"
          }
        },
        "content": {
          "application/json": {
            "schema": {
              "$ref": "#/components/schemas/Error"
            },
            "example": {
              "code": "service_unavailable",
              "message": "The service is temporarily unavailable. Retry in 1 second.",
              "status": 503
            }
          }
        }
      }
    },
    "schemas": {
      "Order": {
        "type": "object",
        "description": "An order placed in the store. A field that was never given is absent.",
        "properties": {
          "id": {
            "type": "integer",
            "format": "int64",
            "description": "Unique order identifier, from 1 to 2^53−1, so that every JSON parser reads it exactly.",
            "example": 1
          },
          "petId": {
            "type": "integer",
            "format": "int64",
            "description": "Identifier of the animal in this order.",
            "example": 12
          },
          "quantity": {
            "type": "integer",
            "description": "Number of units ordered.",
            "example": 1
          },
          "shipDate": {
            "type": "string",
            "format": "date-time",
            "description": "Expected or actual ship date, in UTC (ISO 8601, RFC 3339).",
            "example": "2026-11-24T09:00:00.000Z"
          },
          "complete": {
            "type": "boolean",
            "description": "Whether the order has been fulfilled.",
            "example": false
          }
        }
      },
      "Pet": {
        "type": "object",
        "description": "An animal of the store. A field that was never given is absent.",
        "properties": {
          "id": {
            "type": "integer",
            "format": "int64",
            "description": "Unique pet identifier.",
            "example": 12
          },
          "name": {
            "type": "string",
            "description": "The pet's name.",
            "example": "Rex"
          }
        }
      },
      "Error": {
        "type": "object",
        "description": "What went wrong. Every error response has this body.",
        "required": [
          "code",
          "message",
          "status"
        ],
        "properties": {
          "code": {
            "type": "string",
            "description": "Machine-readable error code.",
            "example": "order_not_found",
            "x-extensible-enum": [
              "invalid_request",
              "unauthorized",
              "order_not_found",
              "pet_not_found",
              "not_found",
              "method_not_allowed",
              "request_timeout",
              "order_already_shipped",
              "unsupported_media_type",
              "expectation_failed",
              "rate_limit_exceeded",
              "api_key_banned",
              "request_header_fields_too_large",
              "internal_error",
              "service_unavailable"
            ]
          },
          "message": {
            "type": "string",
            "description": "Human-readable description of the error.",
            "example": "No order has the id 4711."
          },
          "status": {
            "type": "integer",
            "description": "The HTTP status code.",
            "minimum": 400,
            "maximum": 599,
            "example": 404
          }
        }
      }
    }
  },
  "paths": {
    "/store/orders": {
      "get": {
        "operationId": "listOrders",
        "tags": [
          "orders"
        ],
        "x-hideTryItPanel": true,
        "summary": "List orders",
        "description": "Returns every order placed in the store, cancelled ones included, ordered by id.\n\nOne response has all of them: v1 has no filtering and no pagination.\n",
        "responses": {
          "200": {
            "description": "Every order placed in the store.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "type": "array",
                  "items": {
                    "$ref": "#/components/schemas/Order"
                  }
                },
                "example": [
                  {
                    "id": 1,
                    "petId": 12,
                    "quantity": 1,
                    "shipDate": "2026-11-24T09:00:00.000Z",
                    "complete": false
                  },
                  {
                    "id": 2,
                    "petId": 7,
                    "quantity": 3,
                    "shipDate": "2026-11-18T14:30:00.000Z",
                    "complete": true
                  }
                ]
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          }
        }
      }
    },
    "/store/orders/{orderId}": {
      "delete": {
        "operationId": "cancelOrder",
        "tags": [
          "orders"
        ],
        "summary": "Cancel an order",
        "description": "Cancels a pending order. A shipped order cannot be cancelled.\n\nCancelling is idempotent: if the order is already cancelled, the response is `204` again, so it is safe to\nrepeat after a lost response.\n",
        "parameters": [
          {
            "name": "orderId",
            "in": "path",
            "required": true,
            "description": "Identifier of the order to cancel.\n\nAll 64 bits are exact: an id that is not a canonical decimal integer (such as\n`01`, `+1` or `1.0`) is rejected with `400`, never rounded.\n",
            "schema": {
              "type": "integer",
              "format": "int64"
            },
            "example": 1
          }
        ],
        "responses": {
          "204": {
            "description": "The order is cancelled.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              }
            }
          },
          "400": {
            "$ref": "#/components/responses/BadRequest"
          },
          "401": {
            "$ref": "#/components/responses/Unauthorized"
          },
          "404": {
            "description": "No order has the given id.",
            "x-error-codes": [
              "order_not_found"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "order_not_found",
                  "message": "No order has the id 4711.",
                  "status": 404
                }
              }
            }
          },
          "409": {
            "description": "The order has already shipped. It stays as it is; shipping cannot be reversed.",
            "x-error-codes": [
              "order_already_shipped"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "order_already_shipped",
                  "message": "Order 2 has already shipped; shipping cannot be reversed.",
                  "status": 409
                }
              }
            }
          },
          "429": {
            "$ref": "#/components/responses/TooManyRequests"
          },
          "500": {
            "$ref": "#/components/responses/InternalError"
          },
          "503": {
            "$ref": "#/components/responses/ServiceUnavailable"
          }
        }
      }
    },
    "/pets/{petId}": {
      "get": {
        "operationId": "getPet",
        "deprecated": true,
        "x-deprecated-since": "2026-11-01",
        "x-deprecated-sunset": "2027-06-30",
        "summary": "Get a pet",
        "description": "Returns one pet.\n\nDeprecated without a replacement: the operation is removed on its sunset date. Until then every response has\n`Deprecation`, `Sunset` and `Link`.\n",
        "parameters": [
          {
            "name": "petId",
            "in": "path",
            "required": true,
            "description": "Identifier of the pet, a canonical decimal 64-bit integer.",
            "schema": {
              "type": "integer",
              "format": "int64"
            },
            "example": 12
          }
        ],
        "responses": {
          "200": {
            "description": "The pet.",
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Pet"
                },
                "example": {
                  "id": 12,
                  "name": "Rex"
                }
              }
            }
          },
          "400": {
            "description": "The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged.",
            "x-error-codes": [
              "invalid_request"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "invalid_request",
                  "message": "Unknown query parameter 'page'.",
                  "status": 400
                }
              }
            }
          },
          "401": {
            "description": "The API key is missing, unknown or revoked.",
            "x-error-codes": [
              "unauthorized"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "WWW-Authenticate": {
                "$ref": "#/components/headers/WWW-Authenticate"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "unauthorized",
                  "message": "The API key is missing: send it as `Authorization: Bearer <API_KEY>`.",
                  "status": 401
                }
              }
            }
          },
          "404": {
            "description": "No pet has the given id.",
            "x-error-codes": [
              "pet_not_found"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "pet_not_found",
                  "message": "No pet has the id 4711.",
                  "status": 404
                }
              }
            }
          },
          "429": {
            "description": "A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`.",
            "x-error-codes": [
              "rate_limit_exceeded",
              "api_key_banned"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Retry-After": {
                "$ref": "#/components/headers/Retry-After"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "rate_limit_exceeded",
                  "message": "The limit of 60 requests per minute is used up. Retry in 17 seconds.",
                  "status": 429
                }
              }
            }
          },
          "500": {
            "description": "The server failed. Quote the `X-Request-Id` to support. The request may be retried.",
            "x-error-codes": [
              "internal_error"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "internal_error",
                  "message": "The server failed. Quote the X-Request-Id to support.",
                  "status": 500
                }
              }
            }
          },
          "503": {
            "description": "The server is temporarily unavailable. Retry after the seconds in `Retry-After`.",
            "x-error-codes": [
              "service_unavailable"
            ],
            "headers": {
              "X-RateLimit-Limit": {
                "$ref": "#/components/headers/X-RateLimit-Limit"
              },
              "X-RateLimit-Remaining": {
                "$ref": "#/components/headers/X-RateLimit-Remaining"
              },
              "X-RateLimit-Reset": {
                "$ref": "#/components/headers/X-RateLimit-Reset"
              },
              "X-Request-Id": {
                "$ref": "#/components/headers/X-Request-Id"
              },
              "Retry-After": {
                "$ref": "#/components/headers/Retry-After"
              },
              "Deprecation": {
                "$ref": "#/components/headers/Deprecation"
              },
              "Sunset": {
                "$ref": "#/components/headers/Sunset"
              },
              "Link": {
                "$ref": "#/components/headers/Link"
              }
            },
            "content": {
              "application/json": {
                "schema": {
                  "$ref": "#/components/schemas/Error"
                },
                "example": {
                  "code": "service_unavailable",
                  "message": "The service is temporarily unavailable. Retry in 1 second.",
                  "status": 503
                }
              }
            }
          }
        }
      }
    }
  }
};

/** The operationId of every operation, in the order of the contract. */
export const operationIds = [
  "listOrders",
  "cancelOrder",
  "getPet"
] as const;

/** A success of each operation: the contract's example if it is valid, otherwise one made from the schema. */
export const examples: Contract<Operations>['examples'] = {
  "listOrders": {
    "status": 200,
    "body": [
      {
        "id": 1,
        "petId": 12,
        "quantity": 1,
        "shipDate": "2026-11-24T09:00:00.000Z",
        "complete": false
      },
      {
        "id": 2,
        "petId": 7,
        "quantity": 3,
        "shipDate": "2026-11-18T14:30:00.000Z",
        "complete": true
      }
    ]
  },
  "cancelOrder": {
    "status": 204
  },
  "getPet": {
    "status": 200,
    "body": {
      "id": 12,
      "name": "Rex"
    }
  }
};

/** The addresses of this version of the API. */
export const servers = {
  "production": "https://api.petstore.example/v1",
  "staging": "https://staging.petstore.example/v1",
  "local": "http://localhost:3000/v1"
} as const;

/** The path at the end of each. */
export const basePath = "/v1";

export const contract: Contract<Operations> = {
  name: "petstore",
  keyPrefix: "pst_",
  databaseFile: "petstore.db",
  version: "1.0.0",
  generator: "0.1.0",
  anonymousQuota: {"perMinute":60,"perDay":1000},
  basePath,
  document,
  examples,
  plans,
};
