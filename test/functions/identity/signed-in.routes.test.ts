import { describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../../local/endpoints.ts';
import { isOfPeople } from '../../../shared/contract/route.ts';
import { exampleRequest } from '../../support/fixtures/example-request.ts';
import { aConsoleTenant, type ConsoleTenant, EDITOR, VIEWER } from '../../support/fixtures/signed-in.ts';
import { codeOf } from '../../support/fixtures/submission.ts';
import { createTestService } from '../../support/service/test-service.ts';

/** Every other route refuses people who are signed in. */
const OPENED: Readonly<Record<string, 'viewer' | 'viewer, where viewers see people' | 'editor'>> = {
  'get-results': 'viewer',
  'list-surveys': 'viewer',
  'list-definitions': 'viewer',
  'get-overview': 'viewer',
  'list-comments': 'viewer, where viewers see people',
  'list-contacts': 'viewer, where viewers see people',
  'handle-contact': 'editor',
  'put-definitions': 'editor',
  'create-preview': 'editor',
};

const service = await createTestService();
const KEYED = (await loadEndpoints()).filter(({ route }) => route.key !== undefined);

it('admits people to the routes of the table', () => {
  const named = KEYED.filter(({ route }) => isOfPeople(route)).map(({ route }) => route.name);
  expect(named.toSorted()).toEqual(Object.keys(OPENED).toSorted());
});

describe.each(KEYED)('$route.name', (endpoint) => {
  const { route } = endpoint;
  const opened = OPENED[route.name];
  const codeAs = async (tenant: ConsoleTenant, claims: Readonly<Record<string, unknown>>) => {
    const request = exampleRequest(route, undefined);
    return codeOf(await service.call(endpoint, { ...request, headers: await tenant.as(claims) }));
  };
  const SHUT = /^401 invalid_key$/;
  const REFUSED = /^403 not_permitted$/;
  const OPEN = /^(2|404 (survey|response)_not_found|409 surveys_changed)/;

  it('admits editors, viewers, and viewers who may see people according to the route', async () => {
    const some = await aConsoleTenant(service);
    const all = await aConsoleTenant(service, { consoleComments: 'all' });
    const [editor, viewer, seer] = [
      await codeAs(some, EDITOR),
      await codeAs(some, VIEWER),
      await codeAs(all, VIEWER),
    ];
    expect(editor).toMatch(opened === undefined ? SHUT : OPEN);
    const lets = opened === 'viewer' ? OPEN : REFUSED;
    expect(viewer).toMatch(opened === undefined ? SHUT : lets);
    const letsSeer = opened === 'editor' ? REFUSED : OPEN;
    expect(seer).toMatch(opened === undefined ? SHUT : letsSeer);
  });
});
