// Measures one function instance from its first instruction to its first reply. The SDK imports node:http for calls over
// http, as here, but not over https, as in AWS. The import is done first and not counted.
const [bundle, event] = process.argv.slice(2);

async function measure() {
  const booted = performance.now();
  const bootCpu = process.cpuUsage();
  await import('node:http');
  const startedAt = performance.now();
  const startCpu = process.cpuUsage();
  const { handler } = require(bundle);
  const loadedAt = performance.now();
  const context = { awsRequestId: 'cold', getRemainingTimeInMillis: () => 10_000 };
  const { statusCode } = await handler(JSON.parse(event), context);
  const repliedAt = performance.now();
  const cpu = process.cpuUsage(startCpu);
  return {
    statusCode,
    bootMs: booted,
    loadMs: loadedAt - startedAt,
    replyMs: repliedAt - loadedAt,
    cpuMs: (bootCpu.user + bootCpu.system + cpu.user + cpu.system) / 1_000,
  };
}

measure().then((figures) => process.stdout.write(`\n@${JSON.stringify(figures)}\n`, () => process.exit(0)));
