/** Generates the document from the route table (docs/contract.md §3.11). */

import { stringify } from 'yaml';
import { errorReply } from '../errors.ts';
import { eventSchemas } from '../event-schemas.ts';
import { pathsOf, type Route, refusalsOf } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { describeOperation, SECURITY_SCHEMES, TAGS } from './openapi-operation.ts';
import { HEADERS, refusalExample } from './openapi-replies.ts';
import { type Components, describeFields, schemaReference, toJsonSchema } from './openapi-schemas.ts';

const API_VERSION = '0.1';

const DESCRIPTION = [
  'In-product rating surveys. Clients ask which surveys a person can be shown, and submit ratings or dismissals with',
  'single-use show-tokens. A refused request never uses a show-token.\n\n',
  'Requests and replies are JSON in UTF-8. Unknown fields are ignored, and `null` in an optional field means that it is absent.',
  'Every error has the body `{"error": ServiceError}`. A path that is not listed here returns 404 `not_found`.',
  'Errors of the gateway in front of the service (413, and its own 429) have another body.',
].join(' ');

function refusalExamples(routes: readonly Route[]): object {
  const codes = new Set(routes.flatMap(refusalsOf));
  return Object.fromEntries([...codes].map((code) => [code, { value: refusalExample(code) }]));
}

function describeWebhooks(schemas: Components): Record<string, object> {
  const described = [...eventSchemas()].map(([type, schema]) => {
    const name = type.replaceAll(' ', '');
    schemas[name] = describeFields(name, toJsonSchema(schema, 'output', schemas));
    const post = {
      operationId: `on${name}`,
      summary: type,
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaReference(name) } },
      },
      responses: {
        '2XX': { description: 'The event was received. After any other status, it is sent again.' },
      },
    };
    return [name, { post }];
  });
  return Object.fromEntries(described);
}

export function openapiDocument(routes: readonly Route[] = ROUTES) {
  const schemas: Components = {};
  toJsonSchema(errorReply(), 'output', schemas);
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    for (const path of pathsOf(route)) {
      const operation = describeOperation(route, path, schemas);
      paths[path.path] = { ...paths[path.path], [path.method.toLowerCase()]: operation };
    }
  }
  const webhooks = describeWebhooks(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Canvass',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.values(TAGS),
    paths,
    webhooks,
    components: {
      schemas,
      examples: refusalExamples(routes),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

export function openapiYaml(): string {
  return stringify(openapiDocument(), { aliasDuplicateObjects: false, lineWidth: 110 });
}
