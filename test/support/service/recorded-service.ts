import { createRecordingClient, type RecordingClient } from '../stand-ins/recording-client.ts';
import { createTestService, type TestService } from './test-service.ts';
import { createTestTable } from './test-table.ts';

/** A service, and what it asks of DynamoDB. */
export async function createRecordedService(): Promise<{
  readonly service: TestService;
  readonly recording: RecordingClient;
}> {
  const table = await createTestTable();
  const recording = createRecordingClient(table.endpoint);
  const service = await createTestService({ table, client: recording.client });
  return { service, recording };
}
