import { commonResponses } from './rules/common-responses.ts';
import { deprecationDates } from './rules/deprecation-dates.ts';
import { errorBody } from './rules/error-body.ts';
import { int64Ids } from './rules/int64-ids.ts';
import { operationIdCamelCase } from './rules/operation-id-camel-case.ts';
import { responseExample } from './rules/response-example.ts';
import { responseHeaders } from './rules/response-headers.ts';
import { stability } from './rules/stability.ts';

/** The house rules, by the names under which redocly.yaml turns them on. */
const plugin = () => ({
  id: 'house',
  rules: {
    oas3: {
      'operation-id-camel-case': operationIdCamelCase,
      'common-responses': commonResponses,
      'error-body': errorBody,
      'response-headers': responseHeaders,
      'response-example': responseExample,
      'deprecation-dates': deprecationDates,
      'int64-ids': int64Ids,
      stability,
    },
  },
});

export default plugin;
