import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { clientSchemas } from '../../../../shared/contract/clients/typescript-client.ts';
import { errorReply, STATUS_OF } from '../../../../shared/contract/errors.ts';
import { FIELD_DESCRIPTIONS } from '../../../../shared/contract/openapi/field-descriptions.ts';
import { openapiDocument, openapiYaml } from '../../../../shared/contract/openapi/openapi.ts';
import { refusalExample } from '../../../../shared/contract/openapi/openapi-replies.ts';
import { isOfProject, pathsOf, refusalsOf } from '../../../../shared/contract/route.ts';
import { ROUTES } from '../../../../shared/contract/routes.ts';
import { routeRows } from '../../../support/markdown.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
const document: any = parse(openapiYaml());

/** Statuses in the table of docs/contract.md §2, without 5xx. */
const LISTED = new Map(
  routeRows('docs/contract.md').flatMap(({ requests, cells }) =>
    requests.map((request) => [request, cells[2]?.split(', ').map(Number)] as const),
  ),
);

const operations = ROUTES.flatMap((route) =>
  pathsOf(route).map(({ method, path }) => ({
    route,
    name: `${method} ${path}`,
    operation: document.paths[path][method.toLowerCase()],
  })),
);

it('is valid OpenAPI 3.1 with title and version', async () => {
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document.openapi).toBe('3.1.0');
  expect(document.info).toMatchObject({ title: 'Canvass', version: '0.1' });
});

it('is the same document in YAML, without anchors', () => {
  expect(document).toEqual(JSON.parse(JSON.stringify(openapiDocument())));
  expect(openapiYaml()).not.toMatch(/^\s*[\w-]+: [&*]\w/m);
});

it('gives every operation its own id', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('has no missing reference and no unused component', () => {
  const text = JSON.stringify(document);
  const used = new Set(
    [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
  );
  const { securitySchemes: _schemes, ...referred } = document.components;
  const present = Object.entries<object>(referred).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `${kind}/${name}`),
  );
  expect(new Set(present)).toEqual(used);
});

describe('descriptions', () => {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
  const fieldsOf = (schema: any, path: string): [string, any][] => {
    if (typeof schema !== 'object' || schema === null) return [];
    const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
    return [
      // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
      ...Object.entries<any>(properties).flatMap(([name, field]): [string, any][] => [
        [`${path}.${name}`, field],
        ...fieldsOf(field, `${path}.${name}`),
      ]),
      ...[items, additionalProperties, ...anyOf].flatMap((part) => fieldsOf(part, path)),
    ];
  };
  const schemas = { ...clientSchemas(), ...document.components.schemas };
  const fields = Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema, name));

  it('exist for every field', () => {
    expect(fields.filter(([, { description }]) => !description).map(([path]) => path)).toEqual([]);
  });

  it.each(Object.entries(FIELD_DESCRIPTIONS))('of %s are in the document', (component, words) => {
    expect(schemas).toHaveProperty(component);
    const present = fields.filter(([path]) => path.startsWith(`${component}.`));
    for (const [path, { description }] of present) {
      const own = words[path.slice(component.length + 1)];
      if (own !== undefined) expect(description).toContain(own);
    }
  });

  it('of a field depend on its component', () => {
    const { TargetingRule, ResultScore } = document.components.schemas;
    expect(TargetingRule.properties.value.description).toMatch(/compared with/);
    expect(ResultScore.anyOf[0].properties.value.description).toBe('The score.');
  });
});

it('has the operations of docs/contract.md and no others', () => {
  expect([...LISTED.keys()].sort()).toEqual(operations.map(({ name }) => name).sort());
});

it.each([...LISTED])('declares the statuses that docs/contract.md lists for %s', (name, listed) => {
  const responses = operations.find((each) => each.name === name)?.operation.responses ?? {};
  const statuses = Object.keys(responses).map(Number);
  expect(statuses.filter((status) => status < 500)).toEqual(listed);
});

describe.each(operations)('$name', ({ route, name, operation }) => {
  it('declares 5xx only for faults of the service', () => {
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses.filter((status) => status >= 500)).toEqual(isOfProject(route) ? [500, 503] : [500]);
  });

  it('documents every refusal once, each with an example', () => {
    if (route.page === true) return;
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
    const replies: any[] = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    const codes = replies.flatMap(([, reply]) => Object.keys(reply.content['application/json'].examples));
    expect(codes.sort()).toEqual([...refusalsOf(route)].sort());
  });

  it('declares the request id for every reply, and Retry-After for 429 and 503', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
    for (const [status, { headers }] of Object.entries<any>(operation.responses)) {
      expect(headers).toHaveProperty('x-request-id');
      expect('retry-after' in headers).toBe(status === '429' || status === '503');
    }
  });

  it('requires the key that opens it', () => {
    const schemes = operation.security.flatMap(Object.keys);
    const expected = {
      publishable: ['publishableKey'],
      secret: ['secretKeyAsBearer', 'secretKeyInHeader'],
      none: [],
    };
    const servers = route.serverScope === undefined ? [] : expected.secret;
    const readers = route.readers === true ? ['readerKeyAsBearer', 'readerKeyInHeader'] : [];
    const isEditors = route.readers === true || route.editors === true;
    const editors = isEditors ? ['editorKeyAsBearer', 'editorKeyInHeader'] : [];
    const people = isEditors ? ['idTokenAsBearer', 'projectInHeader'] : [];
    expect(schemes).toEqual([
      ...expected[route.key ?? 'none'],
      ...servers,
      ...readers,
      ...editors,
      ...people,
    ]);
  });

  it('takes a body or query parameters, never a body with GET', () => {
    const isSent = route.body === true || route.input === undefined || route.page === true;
    expect(operation.requestBody !== undefined).toBe(
      isSent && route.input !== undefined && /^(POST|PUT)/.test(name),
    );
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
    const parameters = operation.parameters.filter((parameter: any) => parameter.in === 'query');
    // biome-ignore lint/suspicious/noExplicitAny: a JSON document, walked by name.
    expect(parameters.map((parameter: any) => parameter.name)).toEqual(route.query ?? []);
  });
});

describe('examples', () => {
  const withExamples = ROUTES.filter(({ examples }) => examples !== undefined);

  it.each(withExamples)('of $name match its schemas', ({ input, success, examples }) => {
    const request = input === undefined ? undefined : z.safeParse(input(), examples?.input);
    expect(request?.error).toBeUndefined();
    const reply = success.schema === undefined ? undefined : z.safeParse(success.schema(), examples?.reply);
    expect(reply?.error).toBeUndefined();
  });

  it('exist for every route that has an input', () => {
    expect(ROUTES.filter(({ input }) => input !== undefined)).toEqual(withExamples);
  });

  it.each(Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[])('of %s match the error body', (code) => {
    expect(z.safeParse(errorReply(), refusalExample(code)).error).toBeUndefined();
  });
});

describe('npm run openapi', () => {
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['bin/openapi.ts', ...args], { encoding: 'utf8', stdio: 'pipe' });

  it('writes the document to stdout, or to a file', () => {
    expect(run()).toBe(openapiYaml());
    const file = join(temporaryFolder(), 'openapi.yaml');
    expect(run(file)).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(openapiYaml());
  });

  it.each([
    ['an unwritable file', [join('no', 'such', 'folder', 'x.yaml')], 1],
    ['a wrong flag', ['--nonsense'], 2],
    ['two files', ['a', 'b'], 2],
  ])('reports %s in one line', (_, args, status) => {
    expect(() => run(...args)).toThrow(
      expect.objectContaining({ status, stderr: expect.stringMatching(/^openapi: [^\n]+\n$/) }),
    );
  });
});
