import { cpus, loadavg } from 'node:os';

/** Describes the machine and its load in one line. Call it before a run, which is a load itself. */
export function describeMachine(): string {
  const processors = cpus();
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return `${processors.length} × ${String(processors[0]?.model)}, load before ${load}, Node ${process.version}`;
}
