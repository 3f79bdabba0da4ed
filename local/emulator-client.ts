/** What an AWS SDK client needs to talk to an emulator: it checks no credentials, but the SDK wants some. */
export function emulatorClientConfig(endpoint: string) {
  return {
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  };
}
