import { createRecordingClient, type RecordingClient } from '../stand-ins/recording-client.ts';
import { createTestService, type ServiceOptions, type TestService } from './test-service.ts';
import { createTestTable } from './test-table.ts';

export async function createRecordedService(
  options: Pick<ServiceOptions, 'config' | 'clock' | 'sharedRateLimits'> = {},
): Promise<{
  readonly service: TestService;
  readonly recording: RecordingClient;
}> {
  const table = await createTestTable();
  const recording = createRecordingClient(table.endpoint);
  const service = await createTestService({ ...options, table, client: recording.client });
  return { service, recording };
}
